/** Codecs of `model.ts` and `usage.ts`. */
import type {
  Attempts,
  FailureKind,
  Hook,
  HookPoint,
  ModelFailure,
  ModelReply,
  ReplayData,
  RequestedCall,
  Settings,
  Stop,
  SummaryRequest,
  Tool,
} from "../model.js";
import type { Accumulator, Identity, ReportedInput, ReportedUsage, UsageTotals } from "../usage.js";
import { counter, finite, flag, integer, list, option, struct, tagged, text, words } from "./basics.js";

export const settings = struct<Settings>("settings", {
  model: text,
  effort: option(text),
  windowTokens: integer,
  maxOutputTokens: integer,
  authority: option(text),
});

export const tool = struct<Tool>("tool", {
  name: text,
  description: text,
  schema: text,
  readOnly: flag,
  builtIn: flag,
});

export const hookPoint = words<HookPoint>({ _Stop: true, _PostCompact: true });
export const hook = struct<Hook>("hook", { server: text, point: hookPoint });

export const summaryRequest = struct<SummaryRequest>("summary request", {
  settings,
  system: text,
  prompt: text,
  maxOutputTokens: integer,
});

const requestedCall = struct<RequestedCall>("requested call", {
  providerId: text,
  name: text,
  argumentsText: text,
  extra: text,
});

export const replayData = struct<ReplayData>("replay data", { dialect: text, model: text, json: text });

const stop = tagged<Stop, "kind">("stop", "kind", {
  end: {},
  toolUse: {},
  cutOff: { by: words({ outputLimit: true, contextWindow: true }) },
  refusal: {},
  unknown: { raw: text },
});

const reportedInput = tagged<ReportedInput, "kind">("reported input", "kind", {
  absent: {},
  exact: { tokens: counter },
  overflowed: {},
});

const reportedUsage = struct<ReportedUsage>("reported usage", {
  input: reportedInput,
  output: option(counter),
  cacheRead: option(counter),
  cacheWrite: option(counter),
  total: option(counter),
});

export const modelReply = struct<ModelReply>("reply", {
  text,
  reasoning: text,
  calls: list(requestedCall),
  stop,
  usage: reportedUsage,
  replay: option(replayData),
});

const failureKind = words<FailureKind>({
  contextExceeded: true,
  imageUnsupported: true,
  authentication: true,
  permission: true,
  payment: true,
  modelNotFound: true,
  requestTooLarge: true,
  invalidRequest: true,
  rateLimited: true,
  overloaded: true,
  serverError: true,
  timeout: true,
  transport: true,
  badReply: true,
  replyTooLarge: true,
  aborted: true,
  internal: true,
});

export const modelFailure = struct<ModelFailure>("failure", {
  kind: failureKind,
  message: text,
  status: option(integer),
});

export const attempts = struct<Attempts>("attempts", { tries: integer, waitedMs: finite });

const accumulator = tagged<Accumulator, "kind">("accumulator", "kind", {
  unseen: {},
  exact: { tokens: counter },
  broken: {},
});

export const usageTotals = struct<UsageTotals>("usage totals", {
  input: accumulator,
  output: accumulator,
  cacheRead: accumulator,
  cacheWrite: accumulator,
  total: accumulator,
});

export const identity = tagged<Identity, "kind">("identity", "kind", {
  unseen: {},
  proven: { authority: text, model: text },
  broken: {},
});
