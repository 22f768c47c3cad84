/** Effects and history as lines for a reader. */
import {
  historyItems,
  type Accumulator,
  type Effect,
  type HistoryItem,
  type LogFields,
  type ResultPart,
  type Session,
  type SummaryRequest,
  type ToolExchange,
  type UsageTotals,
} from "../../../src/core/index.js";
import { assertNever } from "../../../src/core/never.js";

type UpdateOf = Extract<Effect, { readonly type: "publish" }>["update"];

/** Quoted, and cut when it is long; how long it was stands behind it. */
export const quoted = (text: string): string => {
  const shown = JSON.stringify(text.length > 160 ? `${text.slice(0, 160)}...` : text);
  return text.length > 160 ? `${shown} (${Buffer.byteLength(text)} bytes)` : shown;
};

const accumulated = (name: string, accumulator: Accumulator): readonly string[] => {
  if (accumulator.kind === "unseen") return [];
  return [`${name} ${accumulator.kind === "exact" ? accumulator.tokens.toString() : "unknown"}`];
};

const totals = (usage: UsageTotals): string =>
  [
    ...accumulated("input", usage.input),
    ...accumulated("output", usage.output),
    ...accumulated("cache read", usage.cacheRead),
    ...accumulated("cache write", usage.cacheWrite),
    ...accumulated("total", usage.total),
  ].join(", ");

const part = (one: ResultPart): string => (one.kind === "text" ? quoted(one.text) : `[${one.mimeType}]`);

const finish = (how: Extract<UpdateOf, { readonly kind: "toolFinished" }>["finish"]): string => {
  switch (how.kind) {
    case "result":
      return `completed${how.isError ? " with an error" : ""} ${how.parts.map(part).join(" ")}`;
    case "rejected":
    case "failed":
    case "timedOut":
    case "refused":
      return `${how.kind} ${quoted(how.message)}`;
    case "cancelled":
      return "cancelled";
  }
  return assertNever(how);
};

const identityOf = ({ identity }: Extract<UpdateOf, { readonly kind: "usageReported" }>["report"]): string =>
  identity.kind === "proven" ? `, billed by ${identity.authority} as ${identity.model}` : "";

const update = (told: UpdateOf): string => {
  switch (told.kind) {
    case "turnStarted":
      return `turn ${told.runId} begins`;
    case "turnEnded":
      return `turn ${told.runId} ends`;
    case "thoughtSaid":
      return `thought ${quoted(told.text)} [${told.messageId}]`;
    case "messageSaid":
      return `says ${quoted(told.text)} [${told.messageId}]`;
    case "toolAnnounced":
      return `${told.key} pending: ${told.name} ${told.argumentsText}`;
    case "toolStarted":
      return `${told.key} in progress`;
    case "toolFinished":
      return `${told.key} ${finish(told.finish)}`;
    case "usageReported":
      return `usage: ${totals(told.report.totals)} (${told.report.model}${identityOf(told.report)})`;
    case "contextMeasured":
      return `context: ${told.usedTokens} of ${told.windowTokens} tokens`;
    case "handoffStarted":
      return `handoff ${told.handoff} begins`;
    case "handoffEnded":
      return `handoff ${told.handoff} ${told.status}: ${quoted(told.text)}`;
    case "historyTruncated":
      return `history truncated: ${told.turnsDropped} turns, ${told.bytesDropped} bytes`;
    case "noticeTold":
      return `notice (${told.severity}) ${told.title}: ${told.detail}`;
  }
  return assertNever(told);
};

const fields = (logged: LogFields): string =>
  Object.entries(logged)
    .filter(([key]) => key !== "session" && key !== "turn")
    .map(([key, value]) => ` ${key}=${value}`)
    .join("");

const outcome = ({ outcome: how }: Extract<Effect, { readonly type: "answerPrompt" }>): string =>
  how.kind === "stopped" ? how.reason : `error ${how.failure.kind} from ${how.model}: ${quoted(how.failure.message)}`;

const steerAnswer = ({ answer }: Extract<Effect, { readonly type: "answerSteer" }>): string =>
  answer.kind === "accepted" ? `accepted into ${answer.runId}` : `refused: ${answer.reason.kind}`;

/** One effect in one line. What is told has no verb of its own, orders begin with a star, answers with an arrow. */
export const line = (effect: Effect): string => {
  switch (effect.type) {
    case "log":
      return `(log ${effect.level}: ${effect.message}${fields(effect.fields)})`;
    case "publish":
      return update(effect.update);
    case "refusePrompt":
      return `<- ${effect.request} refused: ${effect.reason}`;
    case "answerSteer":
      return `<- ${effect.request} ${steerAnswer(effect)}`;
    case "abort":
      return `* abort #${effect.target}`;
    case "stopTimer":
      return `* stop timer #${effect.target}`;
    case "startTimer":
      return `* start timer #${effect.id}: ${effect.ms} ms`;
    case "callModel":
      return `* call model #${effect.id}, round ${effect.round}, ${effect.history.length} items`;
    case "summarise":
      return `* summarise #${effect.id} with ${effect.request.settings.model}, at most ${effect.request.maxOutputTokens} tokens`;
    case "callHooks":
      return `* call ${effect.point} hooks #${effect.id}: ${effect.servers.join(", ")}`;
    case "askPermission":
      return `* ask #${effect.id} for ${effect.name} ${effect.argumentsText}`;
    case "runTool":
      return `* run #${effect.id} ${effect.name} ${effect.argumentsText}`;
    case "answerPrompt":
      return `<- ${effect.request} ${outcome(effect)}`;
  }
  return assertNever(effect);
};

const exchangeLine = ({ call, outcome: result }: ToolExchange): string => {
  const what = `    ${call.key} ${call.name} ${call.argumentsText}`;
  if (result.kind === "open") return `${what} -> open`;
  return `${what} -> ${result.result.isError ? "error " : ""}${result.result.parts.map(part).join(" ")}`;
};

const itemLines = (item: HistoryItem): readonly string[] => {
  switch (item.kind) {
    case "user":
      return [`  user (${item.origin}) ${quoted(item.text)}`];
    case "hookNote":
      return [`  ${item.hook} of ${item.server} ${quoted(item.text)}`];
    case "assistant": {
      const replay = item.replay._tag === "Some" ? " + replay data" : "";
      return [`  assistant ${quoted(item.text)}${replay}`, ...item.exchanges.map(exchangeLine)];
    }
  }
  return assertNever(item);
};

export const historyLines = (session: Session): readonly string[] => historyItems(session.history).flatMap(itemLines);

/** The handoff item, whole and line by line. */
export const handoffLines = (session: Session): readonly string[] =>
  historyItems(session.history)
    .filter((item) => item.kind === "user" && item.origin === "handoff")
    .flatMap((item) => (item.kind === "user" ? item.text.split("\n") : []))
    .map((text) => `  | ${text}`.trimEnd());

export const toolLines = ({ phase }: Session): readonly string[] =>
  phase.kind === "awaitingModel" ? phase.sent.tools.map(({ name }) => `  ${name}`) : [];

const promptLineCharsMax = 120;

/** The whole prompt of a summary request, long lines cut. */
export const summaryLines = ({ prompt }: SummaryRequest): readonly string[] => [
  `  (${Buffer.byteLength(prompt)} bytes)`,
  ...prompt
    .split("\n")
    .map((text) =>
      `  | ${text.length > promptLineCharsMax ? `${text.slice(0, promptLineCharsMax)}...` : text}`.trimEnd(),
    ),
];
