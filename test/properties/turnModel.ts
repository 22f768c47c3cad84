/**
 * The naive model of a turn as something that commands drive beside the real session: it predicts the phase, the history, the
 * usage and the answer. A handoff that is due, and what is truncated, it takes over from what the session did.
 */
import type { Effect, Policy, ReportedUsage, Settings, StopReason, Tool, UsageTotals } from "../../src/core/index.js";
import { nothingUsed, withReply, withTurn, type CatalogChange, type Transition } from "../../src/testing/index.js";
import { deliver, nothing, onHandoff, onTruncation, type Naive } from "./naiveModel.js";

export type ModelPhase = "idle" | "model" | "summary" | "compactHooks" | "tools" | "stopHooks" | "draining";

export interface Model {
  readonly policy: Policy;
  readonly naive: Naive;
  phase: ModelPhase;
  settings: Settings;
  catalog: CatalogChange;
  sent: { maxOutputTokens: number; tools: readonly Tool[] };
  rounds: number;
  rejections: number;
  reminders: number;
  replied: boolean;
  overflowing: boolean;
  keys: readonly string[];
  started: Set<string>;
  session: UsageTotals;
  turn: UsageTotals;
  faults: string[];
}

export const modelOf = (policy: Policy, settings: Settings, catalog: CatalogChange): Model => ({
  policy,
  naive: nothing(),
  phase: "idle",
  settings,
  catalog,
  sent: { maxOutputTokens: 0, tools: [] },
  rounds: 0,
  rejections: 0,
  reminders: 0,
  replied: false,
  overflowing: false,
  keys: [],
  started: new Set(),
  session: nothingUsed,
  turn: nothingUsed,
  faults: [],
});

const has = (done: Transition, type: Effect["type"]): boolean => done.effects.some((effect) => effect.type === type);

/** What the request carried, as the session says: how many tools fit, and how long the reply may be. */
const takeSent = (model: Model, { after }: Transition): void => {
  if (after.phase.kind !== "awaitingModel") model.faults.push("no request is out");
  else model.sent = { maxOutputTokens: after.phase.sent.maxOutputTokens, tools: after.phase.sent.tools };
};

const takeTruncation = (model: Model, { effects }: Transition): void => {
  for (const effect of effects) {
    if (effect.type === "publish" && effect.update.kind === "historyTruncated") {
      onTruncation(model.naive, effect.update.turnsDropped);
    }
  }
};

/** The request goes out: the end of a head. */
const request = (model: Model, done: Transition): void => {
  deliver(model.naive);
  takeTruncation(model, done);
  if (!has(done, "callModel")) model.faults.push("a request is due");
  takeSent(model, done);
  model.rounds += 1;
  model.phase = "model";
};

/** The head of a round. */
export const head = (model: Model, done: Transition): void => {
  const { maxRounds } = model.policy;
  deliver(model.naive);
  if (maxRounds > 0 && model.rounds >= maxRounds) return end(model, done, "max_turn_requests");
  if (!has(done, "summarise")) return request(model, done);
  model.overflowing = false;
  model.phase = "summary";
};

/** The turn is over, for the given reason; undefined for a failure. */
export const end = (model: Model, done: Transition, reason: StopReason | undefined): void => {
  const answer = done.effects.at(-1);
  const stopped =
    answer?.type === "answerPrompt" && answer.outcome.kind === "stopped" ? answer.outcome.reason : undefined;
  if (answer?.type !== "answerPrompt") model.faults.push(`an answer is due: ${String(reason)}`);
  else if (stopped !== reason) model.faults.push(`answered ${String(stopped)} where ${String(reason)} is due`);
  model.naive.waiting = [];
  model.session = withTurn(model.session, model.turn);
  model.turn = nothingUsed;
  model.phase = "idle";
};

export const use = (model: Model, usage: ReportedUsage): void => {
  model.turn = withReply(model.turn, usage);
};

const stopServers = ({ catalog }: Model): readonly string[] =>
  catalog.hooks.filter(({ point }) => point === "_Stop").map(({ server }) => server);

const isReminderDue = (model: Model): boolean =>
  model.policy.requireReply && !model.replied && model.reminders < model.policy.maxReplyReminders;

/** What is said at the gate, by hooks and by the reply guard; with nothing said the turn ends. */
export const objected = (
  model: Model,
  done: Transition,
  said: readonly { readonly server: string; readonly text: string }[],
): void => {
  const { naive } = model;
  const reminder = isReminderDue(model);
  if (said.length === 0 && !reminder) {
    return naive.waiting.length > 0 ? head(model, done) : end(model, done, "end_turn");
  }
  model.rejections += 1;
  for (const { server, text } of said) naive.history.push({ kind: "note", server, text, turn: naive.turn });
  if (reminder) {
    model.reminders += 1;
    naive.history.push({ kind: "note", server: "turnfold", text: "", turn: naive.turn });
  }
  head(model, done);
};

/** The stop gate, for an end that is an end. */
export const gate = (model: Model, done: Transition): void => {
  if (model.naive.waiting.length > 0) return head(model, done);
  if (model.rejections >= model.policy.stopMaxRejections) return end(model, done, "end_turn");
  if (stopServers(model).length === 0) return objected(model, done, []);
  if (!has(done, "callHooks")) model.faults.push("hooks are due");
  model.phase = "stopHooks";
};

/** A summary was written: history is replaced, and the hooks of that moment are called if there are any. */
export const summarised = (model: Model, done: Transition): void => {
  onHandoff(model.naive);
  if (model.overflowing) model.rounds -= 1;
  if (model.catalog.hooks.some(({ point }) => point === "_PostCompact")) model.phase = "compactHooks";
  else afterHandoff(model, done);
};

/** After a forced handoff the head comes anew, after another one the request goes out. */
export const afterHandoff = (model: Model, done: Transition): void =>
  model.overflowing ? head(model, done) : request(model, done);

/** No summary: the next attempt of the ladder, or the end of the turn; a proactive one is left at that. */
export const notSummarised = (model: Model, done: Transition): void => {
  if (!model.overflowing) return request(model, done);
  if (has(done, "summarise")) model.phase = "summary";
  else end(model, done, undefined);
};

/** The request was refused for its length. Whether there is room for an attempt is the session's arithmetic. */
export const overflowed = (model: Model, done: Transition): void => {
  model.overflowing = true;
  notSummarised(model, done);
};

export const noteStarted = (model: Model, { effects }: Transition): void => {
  for (const effect of effects) if (effect.type === "runTool") model.started.add(effect.key);
};
