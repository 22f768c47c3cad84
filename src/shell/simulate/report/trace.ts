/** A few sessions over again, this time watched: what the plots of single sessions are drawn from. */
import type { Effect } from "../../../core/effect.js";
import { simulateSession, type Observer } from "../../../simulation/session.js";
import type { Variant } from "../../../simulation/vary.js";
import { stageOf } from "../../../simulation/world.js";

/** How full the window was after one reply. */
export interface Reading {
  readonly variant: string;
  readonly session: number;
  /** Virtual time since the session began. */
  readonly minutes: number;
  /** Replies so far in the session. */
  readonly reply: number;
  readonly percent: number;
}

/** Something that happened to the history. */
export interface Mark {
  readonly variant: string;
  readonly session: number;
  readonly minutes: number;
  readonly kind: "handoff" | "failed handoff" | "truncation" | "prompt";
}

export interface Traces {
  readonly readings: readonly Reading[];
  readonly marks: readonly Mark[];
}

const markOf = (effect: Effect): Mark["kind"] | undefined => {
  if (effect.type !== "publish") return undefined;
  const { update } = effect;
  if (update.kind === "historyTruncated") return "truncation";
  if (update.kind === "turnStarted") return "prompt";
  if (update.kind !== "handoffEnded") return undefined;
  return update.status === "completed" ? "handoff" : "failed handoff";
};

const MINUTE_MS = 60_000;

export const tracesOf = (variants: readonly Variant[], seed: number, sessions: number): Traces => {
  const readings: Reading[] = [];
  const marks: Mark[] = [];
  const watch = (variant: string, session: number): Observer => {
    let reply = 0;
    return ({ atMs, effects }) => {
      const minutes = atMs / MINUTE_MS;
      for (const effect of effects) {
        const kind = markOf(effect);
        if (kind !== undefined) marks.push({ variant, session, minutes, kind });
        if (effect.type !== "publish" || effect.update.kind !== "contextMeasured") continue;
        reply += 1;
        const { usedTokens, windowTokens } = effect.update;
        readings.push({ variant, session, minutes, reply, percent: (100 * usedTokens) / windowTokens });
      }
    };
  };
  for (const { name, scenario } of variants) {
    const stage = stageOf(scenario);
    for (let session = 0; session < sessions; session++) {
      simulateSession(stage, seed, session, watch(name, session));
    }
  }
  return { readings, marks };
};
