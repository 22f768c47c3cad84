/** A session as a person reads it: what was asked, said and done, one thing a line. For `turnfold replay`. */
import { isSome } from "fp-ts/lib/Option.js";
import type { Effect, TurnOutcome } from "../../core/effect.js";
import type { Event } from "../../core/event.js";
import { assertNever } from "../../core/never.js";
import { clampText, oneLine } from "../../core/text.js";
import type { Finish, Update, UsageReport } from "../../core/update.js";
import type { Accumulator } from "../../core/usage.js";

const LINE_BYTES = 300;
const MESSAGE_BYTES = 64 * 1024;

const short = (text: string): string => oneLine(text, LINE_BYTES);

/** Text of several lines with nothing in it that could move a cursor or colour a terminal. */
const block = (text: string): string =>
  clampText(text, MESSAGE_BYTES, " […]")
    .split(/\r?\n/u)
    .map((line) => `    ${line.replace(/\p{Cc}/gu, " ")}`)
    .join("\n");

const finishText = (finish: Finish): string => {
  switch (finish.kind) {
    case "result": {
      const texts = finish.parts.map((part) => (part.kind === "text" ? part.text : `[image ${part.mimeType}]`));
      return `${finish.isError ? "error" : "ok"}: ${short(texts.join(" "))}`;
    }
    case "rejected":
    case "failed":
    case "timedOut":
    case "refused":
      return `${finish.kind}: ${short(finish.message)}`;
    case "cancelled":
      return "cancelled";
  }
  return assertNever(finish);
};

const count = (accumulator: Accumulator): string =>
  accumulator.kind === "exact" ? String(accumulator.tokens) : "unknown";

const usageText = ({ totals, model, identity }: UsageReport): string => {
  const priced = identity.kind === "proven" ? `, billed by ${identity.authority}` : "";
  return `usage ${count(totals.input)} in, ${count(totals.output)} out (session, ${short(model)}${priced})`;
};

const updateLine = (update: Update): string => {
  switch (update.kind) {
    case "turnStarted":
      return `  run ${short(update.runId)}`;
    case "turnEnded":
      return `  end of ${short(update.runId)}`;
    case "thoughtSaid":
      return `  thought:\n${block(update.text)}`;
    case "messageSaid":
      return `  answer:\n${block(update.text)}`;
    case "toolAnnounced":
      return `  call ${update.key} ${short(update.name)} ${short(update.argumentsText)}`;
    case "toolStarted":
      return `  start ${update.key}`;
    case "toolFinished":
      return `  done ${update.key} ${finishText(update.finish)}`;
    case "usageReported":
      return `  ${usageText(update.report)}`;
    case "contextMeasured":
      return `  context ${update.usedTokens} of ${update.windowTokens} tokens`;
    case "handoffStarted":
      return `  handoff #${update.handoff} begins`;
    case "handoffEnded":
      return `  handoff #${update.handoff} ${update.status}\n${block(update.text)}`;
    case "historyTruncated":
      return `  history truncated: ${update.turnsDropped} turns, ${update.bytesDropped} bytes`;
    case "noticeTold":
      return `  ${update.severity}: ${short(update.title)}. ${short(update.detail)}`;
  }
  return assertNever(update);
};

const outcomeText = (outcome: TurnOutcome): string =>
  outcome.kind === "stopped"
    ? outcome.reason
    : `failed: (${short(outcome.model)}) ${outcome.failure.kind}${isSome(outcome.failure.status) ? ` ${outcome.failure.status.value}` : ""}: ${short(outcome.failure.message)}`;

/** Lines for an effect that a person cares about; orders to the world are seen by what comes back. */
const effectLines = (effect: Effect): readonly string[] => {
  switch (effect.type) {
    case "publish":
      return [updateLine(effect.update)];
    case "log":
      return effect.level === "debug" ? [] : [`  ${effect.level}: ${short(effect.message)}`];
    case "refusePrompt":
      return [`  prompt refused: ${effect.reason}`];
    case "answerSteer":
      return [`  steer ${effect.answer.kind}`];
    case "askPermission":
      return [`  asked for ${effect.key} ${short(effect.name)}`];
    case "callModel":
      return [`  round ${effect.round}`];
    case "answerPrompt":
      return [`  ${outcomeText(effect.outcome)}`];
    case "abort":
    case "stopTimer":
    case "startTimer":
    case "summarise":
    case "callHooks":
    case "runTool":
      return [];
  }
  return assertNever(effect);
};

const eventLines = (event: Event, turn: number): readonly string[] => {
  switch (event.type) {
    case "promptReceived":
      return [`turn ${turn}`, `  prompt:\n${block(event.text)}`];
    case "steerReceived":
      return [`  steer:\n${block(event.text)}`];
    case "cancelRequested":
      return ["  cancel"];
    case "closeRequested":
      return ["  close"];
    case "catalogChanged":
      return [`tools: ${event.tools.length}${event.complete ? "" : " so far"}`];
    case "settingsChanged":
      return [`model: ${short(event.settings.model)}`];
    case "permissionAnswered":
      return [`  permission: ${event.answer}`];
    case "modelReplied":
    case "modelFailed":
    case "summaryReplied":
    case "summaryFailed":
    case "hooksAnswered":
    case "toolFinished":
    case "drainExpired":
      return [];
  }
  return assertNever(event);
};

/** What an event and the effects that it caused add to the transcript. `turn`: the session's turn count after it. */
export const transcriptLines = (event: Event, effects: readonly Effect[], turn: number): readonly string[] => [
  ...eventLines(event, turn),
  ...effects.flatMap(effectLines),
];
