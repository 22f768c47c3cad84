/** Invariants 5 and 6 of `spec/turn-loop.md` 10: how much goes on at once, and how much at all. */
import type { HistoryItem, HookNote } from "../../core/index.js";
import { assertNever } from "../../core/never.js";
import type { Watched } from "../orders.js";
import { along, atEach, effectsOf, unless, updatesOf, type Faults, type Invariant } from "./invariant.js";

const countOf = (watched: Watched, ...types: readonly string[]): number =>
  watched.ordersAfter.awaited.filter(({ type }) => types.includes(type)).length;

/** 5, first half. At most one model request, one question, one hook call, and `maxParallelTools` tools are out at a time. */
export const concurrencyIsBounded: Invariant = atEach((watched) => [
  ...unless(countOf(watched, "callModel", "summarise", "callHooks") <= 1, "two requests at once"),
  ...unless(countOf(watched, "askPermission") <= 1, "two questions at once"),
  ...unless(countOf(watched, "startTimer") <= 1, "two timers at once"),
  ...unless(countOf(watched, "runTool") <= watched.after.policy.maxParallelTools, "too many tools at once"),
]);

type CallStage = "announced" | "started" | "finished";

interface Calls {
  readonly stages: ReadonlyMap<string, CallStage>;
  readonly said: ReadonlySet<string>;
}

/** The stages of a call on the wire, in order; a call that never ran goes from the first to the last. */
const stageFaults = (stage: CallStage | undefined, next: CallStage, key: string): Faults => {
  switch (next) {
    case "announced":
      return unless(stage === undefined, `${key} announced twice`);
    case "started":
      return unless(stage === "announced", `${key} started when ${String(stage)}`);
    case "finished":
      return unless(stage === "announced" || stage === "started", `${key} finished when ${String(stage)}`);
  }
  return assertNever(next);
};

const stagesTold = ({ effects }: Watched): readonly (readonly [string, CallStage])[] =>
  effectsOf(effects, "publish").flatMap(({ update }): readonly (readonly [string, CallStage])[] => {
    if (update.kind === "toolAnnounced") return [[update.key, "announced"]];
    if (update.kind === "toolStarted") return [[update.key, "started"]];
    return update.kind === "toolFinished" ? [[update.key, "finished"]] : [];
  });

const messageIds = ({ effects }: Watched): readonly string[] =>
  [...updatesOf(effects, "thoughtSaid"), ...updatesOf(effects, "messageSaid")].map(({ messageId }) => messageId);

/**
 * 5, second half. Each call is announced once, started at most once and finished exactly once, before its turn is answered; a
 * tool that runs was told as started. Message ids never recur.
 */
export const everyCallIsToldOnce: Invariant = along<Calls>({ stages: new Map(), said: new Set() }, (state, watched) => {
  const stages = new Map(state.stages);
  const faults: string[] = [];
  for (const [key, stage] of stagesTold(watched)) {
    faults.push(...stageFaults(stages.get(key), stage, key));
    stages.set(key, stage);
  }
  for (const { key } of effectsOf(watched.effects, "runTool")) {
    faults.push(...unless(stages.get(key) === "started", `${key} runs, and is told as ${String(stages.get(key))}`));
  }
  if (effectsOf(watched.effects, "answerPrompt").length > 0) {
    for (const [key, stage] of stages) faults.push(...unless(stage === "finished", `${key} is left ${stage}`));
  }
  const ids = messageIds(watched);
  faults.push(...ids.filter((id) => state.said.has(id)).map((id) => `message id ${id} recurs`));
  faults.push(...unless(new Set(ids).size === ids.length, "a thought and a message share an id"));
  return [{ stages, said: ids.length === 0 ? state.said : new Set([...state.said, ...ids]) }, faults];
});

/** What a turn has used so far, counted from outside. */
interface Spent {
  readonly requests: number;
  readonly refunds: number;
  readonly handoffs: number;
  readonly overflows: number;
  readonly recoveries: number;
  readonly rejections: number;
  readonly reminders: number;
}

const nothingSpent: Spent = {
  requests: 0,
  refunds: 0,
  handoffs: 0,
  overflows: 0,
  recoveries: 0,
  rejections: 0,
  reminders: 0,
};

/** Items that joined history in this transition without a rewrite. */
const joined = ({ before, after }: Watched): readonly HistoryItem[] => {
  const more = after.history.length - before.history.length;
  if (more <= 0 || before.history.revision !== after.history.revision) return [];
  return after.history.chunks.slice(-2).flat().slice(-more);
};

const overflowing = ({ phase }: Watched["after"]): boolean =>
  (phase.kind === "awaitingSummary" || phase.kind === "awaitingCompactHooks") &&
  phase.handoff.cause.kind === "overflow";

const handedOff = ({ effects }: Watched): number =>
  updatesOf(effects, "handoffEnded").filter(({ status }) => status === "completed").length;

const spend = (spent: Spent, watched: Watched): Spent => {
  const { effects, before, after } = watched;
  const summaries = effectsOf(effects, "summarise").length;
  const requests = effectsOf(effects, "callModel").length;
  const notes = joined(watched).filter((item): item is HookNote => item.kind === "hookNote");
  const feedback = joined(watched).filter((item) => item.kind === "user" && item.origin === "feedback");
  return {
    requests: spent.requests + requests,
    // A forced handoff that succeeded gives back the round of the request that was refused.
    refunds: spent.refunds + (overflowing(before) ? handedOff(watched) : 0),
    handoffs: spent.handoffs + (overflowing(after) ? 0 : summaries),
    overflows: spent.overflows + (overflowing(after) ? summaries : 0),
    recoveries: spent.recoveries + feedback.length,
    rejections: spent.rejections + (notes.length > 0 ? 1 : 0),
    reminders: spent.reminders + notes.filter(({ server }) => server === "turnfold").length,
  };
};

const overspent = (spent: Spent, { after }: Watched): Faults => {
  const { policy } = after;
  const within = (name: keyof Spent, used: number, limit: number): Faults =>
    unless(used <= limit, `${used} ${name} where ${limit} are allowed`);
  return [
    ...(policy.maxRounds > 0 ? within("requests", spent.requests - spent.refunds, policy.maxRounds) : []),
    ...within("handoffs", spent.handoffs, policy.maxHandoffs),
    ...within("overflows", spent.overflows, policy.maxOverflowAttempts),
    ...within("recoveries", spent.recoveries, policy.maxCutOffRecoveries),
    ...within("rejections", spent.rejections, policy.stopMaxRejections),
    ...within("reminders", spent.reminders, policy.maxReplyReminders),
  ];
};

/** Calls of one reply: all of them are announced when it comes. */
const callsKept = ({ effects, after }: Watched): Faults => {
  const announced = updatesOf(effects, "toolAnnounced").length;
  return unless(announced <= after.policy.maxToolCallsPerReply, `${announced} calls of one reply were kept`);
};

const steersWaiting = ({ after }: Watched): Faults => {
  if (after.phase.kind === "idle") return [];
  return unless(after.phase.turn.steers.length <= after.policy.maxSteersWaiting, "too many steers wait");
};

/** The cap is looked at when a round begins; a summary between that and the request may still cross it. */
const capLeft = ({ before, after, effects }: Watched): Faults => {
  const { maxTurnTokens } = after.policy;
  const inHandoff = before.phase.kind === "awaitingSummary" || before.phase.kind === "awaitingCompactHooks";
  const summaryBetween = inHandoff && !overflowing(before);
  if (maxTurnTokens === 0 || after.phase.kind === "idle" || summaryBetween) return [];
  if (effectsOf(effects, "callModel").length === 0) return [];
  const { input, output } = after.phase.turn.usage;
  const exact = [input, output].map((one) => (one.kind === "exact" ? one.tokens : 0n));
  return unless(exact.reduce((a, b) => a + b, 0n) < BigInt(maxTurnTokens), "a request beyond the turn's token cap");
};

/** 6. Every budget of a turn holds, counted by what it caused and not by the session's own counters. */
export const budgetsHold: Invariant = along<Spent>(nothingSpent, (state, watched) => {
  const fresh = watched.before.turns === watched.after.turns ? state : nothingSpent;
  const spent = spend(fresh, watched);
  return [spent, [...overspent(spent, watched), ...callsKept(watched), ...steersWaiting(watched), ...capLeft(watched)]];
});
