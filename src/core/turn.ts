/** A turn from its prompt to its answer: how it begins, what joins history in it, how it ends. */
import { none } from "fp-ts/lib/Option.js";
import type { StopReason, TurnOutcome } from "./effect.js";
import type { HistoryItem, UserItem } from "./history.js";
import { appended, rewritten } from "./historyStore.js";
import type { ModelFailure } from "./model.js";
import type { Turn } from "./session.js";
import { reportTurn } from "./report.js";
import { mergeUsage, unseenTotals } from "./usage.js";
import { log, publish, type OpenTurn, type Work } from "./work.js";

export const newTurn = (number: number, request: string, runId: string, prompt: UserItem): Turn => ({
  number,
  runId,
  request,
  prompt,
  delivered: [],
  steers: [],
  roundsUsed: 0,
  round: 0,
  handoffAttempts: 0,
  overflowAttempts: 0,
  cutOffRecoveries: 0,
  rejections: 0,
  reminders: 0,
  replied: false,
  logged: [],
  usage: unseenTotals,
  identity: { kind: "unseen" },
  reportedSettings: none,
});

export const append = ({ session }: Work, item: HistoryItem): void => {
  session.history = appended(session.history, item, session.policy.imagePressureBytes);
};

/** Puts other items in place of the whole history. */
export const rewrite = ({ session }: Work, items: readonly HistoryItem[]): void => {
  session.history = rewritten(session.history, items, session.policy.imagePressureBytes);
};

/** Waiting steers become user items, in order of arrival. */
export const deliverSteers = (work: Work, turn: OpenTurn): void => {
  const steers = turn.steers;
  if (steers.length === 0) return;
  const items = steers.map(({ text }): UserItem => ({ kind: "user", turn: turn.number, origin: "steer", text }));
  for (const item of items) append(work, item);
  turn.delivered = [...turn.delivered, ...items];
  turn.steers = [];
};

const outcomeText = (outcome: TurnOutcome): string =>
  outcome.kind === "stopped" ? outcome.reason : `failed (${outcome.failure.kind})`;

/**
 * Ends the turn: nothing is published for it after its answer, which comes last. Its usage joins the session's once. A steer that
 * is still waiting here can only be one of a cancelled or failed turn; each gets its log line.
 */
const endTurn = (work: Work, turn: OpenTurn, outcome: TurnOutcome): void => {
  for (const { messageId } of turn.steers) {
    log(work, "warn", "steer dropped with its turn", { turn: turn.number, messageId, outcome: outcomeText(outcome) });
  }
  reportTurn(work, turn);
  work.session.usage = mergeUsage(work.session.usage, turn.usage);
  publish(work, { kind: "turnEnded", runId: turn.runId });
  work.emit({ type: "answerPrompt", request: turn.request, turn: turn.number, outcome });
  work.session.phase = { kind: "idle" };
};

export const stopTurn = (work: Work, turn: OpenTurn, reason: StopReason): void =>
  endTurn(work, turn, { kind: "stopped", reason });

/** The user item stays in history, so that the next prompt builds on it. */
export const failTurn = (work: Work, turn: OpenTurn, failure: ModelFailure, model: string): void =>
  endTurn(work, turn, { kind: "failed", failure, model });
