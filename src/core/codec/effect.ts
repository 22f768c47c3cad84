/** Codecs of `effect.ts` and `update.ts`. */
import type {
  Answerable,
  Effect,
  HistoryRef,
  LogLevel,
  PromptRefusal,
  SteerAnswer,
  SteerRefusal,
  StopReason,
  TurnOutcome,
} from "../effect.js";
import type { Finish, Severity, Update, UsageReport } from "../update.js";
import {
  finite,
  integer,
  list,
  option,
  struct,
  table,
  tagged,
  text,
  textOrFinite,
  words,
  type Fields,
} from "./basics.js";
import { toolOutcomeVariants } from "./event.js";
import { hookPoint, identity, modelFailure, summaryRequest, usageTotals } from "./model.js";

const usageReport = struct<UsageReport>("usage report", {
  totals: usageTotals,
  identity,
  model: text,
  authority: option(text),
  windowTokens: integer,
});

const finish = tagged<Finish, "kind">("finish", "kind", { ...toolOutcomeVariants, refused: { message: text } });

const update = tagged<Update, "kind">("update", "kind", {
  turnStarted: { runId: text },
  turnEnded: { runId: text },
  thoughtSaid: { messageId: text, text },
  messageSaid: { messageId: text, text },
  toolAnnounced: { key: text, name: text, argumentsText: text },
  toolStarted: { key: text },
  toolFinished: { key: text, finish },
  usageReported: { report: usageReport },
  contextMeasured: { usedTokens: integer, windowTokens: integer },
  handoffStarted: { handoff: integer },
  handoffEnded: { handoff: integer, status: words({ completed: true, failed: true, cancelled: true }), text },
  historyTruncated: { turnsDropped: integer, bytesDropped: integer },
  noticeTold: {
    severity: words<Severity>({ info: true, warning: true, error: true }),
    title: text,
    detail: text,
  },
});

const turnOutcome = tagged<TurnOutcome, "kind">("turn outcome", "kind", {
  stopped: {
    reason: words<StopReason>({
      end_turn: true,
      max_tokens: true,
      max_turn_requests: true,
      refusal: true,
      cancelled: true,
    }),
  },
  failed: { failure: modelFailure, model: text },
});

const steerRefusal = tagged<SteerRefusal, "kind">("steer refusal", "kind", {
  noTurn: {},
  ending: {},
  otherRun: { activeRunId: text },
  empty: {},
  tooMany: {},
  tooLarge: {},
});

const steerAnswer = tagged<SteerAnswer, "kind">("steer answer", "kind", {
  accepted: { runId: text, messageId: text },
  refused: { reason: steerRefusal },
});

const answerable: Fields<Answerable> = { id: integer, turn: integer };
const historyRef = struct<HistoryRef>("history reference", { revision: integer, length: integer });

export const effect = tagged<Effect, "type">("effect", "type", {
  log: {
    level: words<LogLevel>({ debug: true, info: true, warn: true, error: true }),
    message: text,
    fields: table(textOrFinite),
  },
  publish: { update },
  refusePrompt: {
    request: text,
    reason: words<PromptRefusal>({ busy: true, empty: true, tooLarge: true, closed: true }),
  },
  answerSteer: { request: text, answer: steerAnswer },
  abort: { target: integer, turn: integer },
  stopTimer: { target: integer, turn: integer },
  startTimer: { ms: finite, ...answerable },
  callModel: { round: integer, history: historyRef, ...answerable },
  summarise: { request: summaryRequest, ...answerable },
  callHooks: { point: hookPoint, servers: list(text), ...answerable },
  askPermission: { key: text, name: text, argumentsText: text, ...answerable },
  runTool: { key: text, name: text, argumentsText: text, ...answerable },
  answerPrompt: { request: text, turn: integer, outcome: turnOutcome },
});
