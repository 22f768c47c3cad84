/** Codec of `session.ts` and `policy.ts`. */
import { REDUCER_LIMITS, type PermissionMode, type Policy, type ReducerLimit, type ReplyShape } from "../policy.js";
import type {
  Batch,
  CallState,
  Catalog,
  GateNote,
  Handoff,
  HandoffCause,
  PendingCall,
  Phase,
  Reading,
  SentRequest,
  SentSummary,
  Session,
  Steer,
  Turn,
} from "../session.js";
import { flag, integer, list, option, struct, tagged, text, words, type Codec, type Fields } from "./basics.js";
import { history, toolCall, userItem } from "./history.js";
import { hook, identity, modelFailure, settings, tool, usageTotals } from "./model.js";

/** A codec for every limit of the reducer. */
export const limitFields = (
  codecOf: (limit: ReducerLimit) => Codec<number>,
): Fields<{ readonly [K in ReducerLimit]: number }> =>
  Object.fromEntries(
    (Object.keys(REDUCER_LIMITS) as ReducerLimit[]).map((limit) => [limit, codecOf(limit)]),
  ) as Fields<{ readonly [K in ReducerLimit]: number }>;

export const policy = struct<Policy>("policy", {
  ...limitFields(() => integer),
  permissions: words<PermissionMode>({ never: true, writes: true, always: true }),
  requireReply: flag,
  replyShape: struct<ReplyShape>("reply shape", { nameEnding: text, argument: text, fragments: list(text) }),
});

const catalog = struct<Catalog>("catalog", {
  tools: list(tool),
  toolBytes: list(integer),
  hooks: list(hook),
  complete: flag,
});

const reading = struct<Reading>("reading", { inputTokens: integer, pressureBytes: integer });

const turn = struct<Turn>("turn", {
  number: integer,
  runId: text,
  request: text,
  prompt: userItem,
  delivered: list(userItem),
  steers: list(struct<Steer>("steer", { messageId: text, text })),
  roundsUsed: integer,
  round: integer,
  handoffAttempts: integer,
  overflowAttempts: integer,
  cutOffRecoveries: integer,
  rejections: integer,
  reminders: integer,
  replied: flag,
  logged: list(words<GateNote>({ notDue: true, capReached: true })),
  usage: usageTotals,
  identity,
  reportedSettings: option(settings),
});

const sentRequest = struct<SentRequest>("sent request", {
  effect: integer,
  turn: integer,
  settings,
  tools: list(tool),
  maxOutputTokens: integer,
  pressureBytes: integer,
});

const sentSummary = struct<SentSummary>("sent summary", { effect: integer, turn: integer, settings });

const callState = tagged<CallState, "kind">("call state", "kind", {
  announced: {},
  asking: { ask: integer },
  ready: {},
  running: { run: integer },
  closed: {},
});

const batch = struct<Batch>("batch", {
  calls: list(struct<PendingCall>("pending call", { call: toolCall, state: callState })),
  dropped: integer,
});

const handoff = struct<Handoff>("handoff", {
  number: integer,
  cause: tagged<HandoffCause, "kind">("handoff cause", "kind", {
    proactive: {},
    overflow: { rejectedBytes: integer, failure: modelFailure, model: text },
  }),
  tokensBefore: integer,
});

const phase = tagged<Phase, "kind">("phase", "kind", {
  idle: {},
  awaitingCatalog: { turn },
  awaitingModel: { turn, sent: sentRequest },
  awaitingSummary: { turn, handoff, sent: sentSummary },
  awaitingCompactHooks: { turn, handoff, hooks: integer },
  awaitingTools: { turn, batch },
  awaitingStopHooks: { turn, hooks: integer },
  draining: { turn, batch, timer: integer },
});

export const session = struct<Session>("session", {
  id: text,
  policy,
  system: text,
  systemBytes: integer,
  settings,
  catalog,
  history,
  reading: option(reading),
  usage: usageTotals,
  originalTask: option(text),
  handoffs: integer,
  carriedLength: integer,
  alwaysAllowed: list(text),
  imagelessModels: list(text),
  toolsLeftOut: integer,
  turns: integer,
  nextEffect: integer,
  closing: flag,
  phase,
});
