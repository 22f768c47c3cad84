/**
 * What the parts of `step` share: the draft of the next state, and the list of effects. Every part is a small function that
 * changes the draft and emits effects; none returns anything that another would have to apply.
 */
import type { Draft } from "immer";
import type { Effect, LogFields, LogLevel } from "./effect.js";
import type { EffectId, Event } from "./event.js";
import { assertNever } from "./never.js";
import type { Session, Turn } from "./session.js";
import type { Severity, Update } from "./update.js";

export interface Work {
  readonly session: Draft<Session>;
  readonly emit: (effect: Effect) => void;
}

export type OpenTurn = Draft<Turn>;

/**
 * A part of the state that is only ever replaced whole, as it is now: history, settings, catalogue, policy, usage, the calls of a
 * batch. Only the session, its phase, the turn and the batch are changed in place. Reading such a part as a property would have
 * immer make a draft of it, which costs more than most of what a step does; its descriptor holds the value itself, so an effect may
 * carry it.
 */
export const part = <T extends object, K extends keyof T>(draft: T, key: K): T[K] =>
  Object.getOwnPropertyDescriptor(draft, key)?.value as T[K];

export const mintEffectId = (work: Work): EffectId => {
  const id = work.session.nextEffect;
  work.session.nextEffect += 1;
  return id;
};

export const publish = (work: Work, update: Update): void => work.emit({ type: "publish", update });

export const log = (work: Work, level: LogLevel, message: string, fields: LogFields): void =>
  work.emit({ type: "log", level, message, fields: { session: work.session.id, ...fields } });

/** Tells the person; whether as a notice or otherwise is the encoder's business. */
export const tell = (work: Work, severity: Severity, title: string, detail: string): void =>
  publish(work, { kind: "noticeTold", severity, title, detail });

/** The one thing that happens to an event that nothing waits for. */
export const ignore = (work: Work, event: Event, why: string): void =>
  log(work, "debug", `ignored ${event.type}: ${why}`, {
    phase: work.session.phase.kind,
    ...("effect" in event ? { effect: event.effect, turn: event.turn } : {}),
  });

/** Place of an effect in the list: what has happened, answers to steers and refusals, orders, the prompt's answer. */
const rank = (effect: Effect): number => {
  switch (effect.type) {
    case "log":
    case "publish":
      return 0;
    case "refusePrompt":
    case "answerSteer":
      return 1;
    case "abort":
    case "stopTimer":
    case "startTimer":
    case "callModel":
    case "summarise":
    case "callHooks":
    case "askPermission":
    case "runTool":
      return 2;
    case "answerPrompt":
      return 3;
  }
  return assertNever(effect);
};

/** The promised order (`effect.ts`); within a rank effects stay as they were emitted. */
export const inPromisedOrder = (effects: readonly Effect[]): readonly Effect[] =>
  effects.length < 2 ? effects : effects.toSorted((a, b) => rank(a) - rank(b));
