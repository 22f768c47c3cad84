/** Counts what happens in one session, from what the session says and from what the world did to it. */
import { isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import type { Effect, StopReason } from "../core/effect.js";
import type { Event } from "../core/event.js";
import type { FailureKind } from "../core/model.js";
import { assertNever } from "../core/never.js";
import type { Finish, Update } from "../core/update.js";
import { unseenTotals, type UsageTotals } from "../core/usage.js";
import type { Recovery } from "./metrics.js";

type Counts<K extends string> = Partial<Record<K, number>>;

export interface Tally {
  events: number;
  rounds: number;
  readonly stops: Counts<StopReason>;
  readonly failures: Counts<FailureKind>;
  readonly calls: Counts<Finish["kind"] | "error">;
  readonly handoffs: Counts<"completed" | "failed" | "cancelled">;
  readonly recoveries: Counts<Recovery>;
  truncations: number;
  steersAccepted: number;
  steersRefused: number;
  promptsRefused: number;
  retries: number;
  waitedMs: number;
  readonly turnMs: number[];
  /** Virtual time of the last answer. */
  endedMs: number;
  reported: UsageTotals;
  /** US dollars of all replies; None from the first whose cost is unknown. */
  cost: Option<number>;
  peakPermille: number;
  /** Of all readings, for the mean. */
  sumPermille: number;
  readings: number;
}

export const newTally = (): Tally => ({
  events: 0,
  rounds: 0,
  stops: {},
  failures: {},
  calls: {},
  handoffs: {},
  recoveries: {},
  truncations: 0,
  steersAccepted: 0,
  steersRefused: 0,
  promptsRefused: 0,
  retries: 0,
  waitedMs: 0,
  turnMs: [],
  endedMs: 0,
  reported: unseenTotals,
  cost: some(0),
  peakPermille: 0,
  sumPermille: 0,
  readings: 0,
});

const count = <K extends string>(counts: Counts<K>, key: K): void => {
  counts[key] = (counts[key] ?? 0) + 1;
};

const countUpdate = (tally: Tally, update: Update): void => {
  switch (update.kind) {
    case "usageReported":
      tally.reported = update.report.totals;
      return;
    case "contextMeasured": {
      const permille = Math.floor((1000 * update.usedTokens) / update.windowTokens);
      tally.peakPermille = Math.max(tally.peakPermille, permille);
      tally.sumPermille += permille;
      tally.readings += 1;
      return;
    }
    case "handoffEnded":
      return count(tally.handoffs, update.status);
    case "historyTruncated":
      tally.truncations += 1;
      return;
    case "toolFinished":
      return count(
        tally.calls,
        update.finish.kind === "result" && update.finish.isError ? "error" : update.finish.kind,
      );
    case "turnStarted":
    case "turnEnded":
    case "thoughtSaid":
    case "messageSaid":
    case "toolAnnounced":
    case "toolStarted":
    case "handoffStarted":
    case "noticeTold":
      return;
  }
  return assertNever(update);
};

/** `startedMs`: when the turn began that this effect may end. */
export const countEffect = (tally: Tally, effect: Effect, startedMs: number, nowMs: number): void => {
  switch (effect.type) {
    case "publish":
      return countUpdate(tally, effect.update);
    case "callModel":
      tally.rounds += 1;
      return;
    case "answerPrompt":
      tally.turnMs.push(nowMs - startedMs);
      tally.endedMs = nowMs;
      if (effect.outcome.kind === "stopped") count(tally.stops, effect.outcome.reason);
      else count(tally.failures, effect.outcome.failure.kind);
      return;
    case "answerSteer":
      if (effect.answer.kind === "accepted") tally.steersAccepted += 1;
      else tally.steersRefused += 1;
      return;
    case "refusePrompt":
      tally.promptsRefused += 1;
      return;
    case "log":
    case "abort":
    case "stopTimer":
    case "startTimer":
    case "summarise":
    case "callHooks":
    case "askPermission":
    case "runTool":
      return;
  }
  return assertNever(effect);
};

/** What a turn that went on after this event has recovered from. */
const recoveryFrom = (event: Event): Recovery | undefined => {
  if (event.type === "modelReplied") return event.reply.stop.kind === "cutOff" ? "cutOff" : undefined;
  if (event.type !== "modelFailed") return undefined;
  if (event.failure.kind === "contextExceeded") return "contextExceeded";
  return event.failure.kind === "imageUnsupported" ? "imageUnsupported" : undefined;
};

/** Counts an answer that was delivered, with the effects that it had. */
export const countAnswer = (tally: Tally, event: Event, effects: readonly Effect[]): void => {
  if ("attempts" in event) {
    tally.retries += Math.max(0, event.attempts.tries - 1);
    tally.waitedMs += event.attempts.waitedMs;
  }
  const recovery = recoveryFrom(event);
  if (recovery === undefined || effects.some(({ type }) => type === "answerPrompt")) return;
  count(tally.recoveries, recovery);
};

export const addCost = (tally: Tally, cost: Option<number>): void => {
  tally.cost = isSome(tally.cost) && isSome(cost) ? some(tally.cost.value + cost.value) : none;
};
