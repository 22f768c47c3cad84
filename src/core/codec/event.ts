/** Codec of `event.ts`: what a record of a session is made of. */
import type { AnswerTo, Event, HookOutput, PermissionAnswer, ToolOutcome } from "../event.js";
import { finite, flag, integer, list, struct, tagged, text, words, type Fields, type Variants } from "./basics.js";
import { resultPart } from "./history.js";
import { attempts, hook, modelFailure, modelReply, settings, tool } from "./model.js";

/** Also the first four of the five ways in which a call can end for the client (`update.ts`). */
export const toolOutcomeVariants: Variants<ToolOutcome, "kind"> = {
  result: { parts: list(resultPart), isError: flag },
  rejected: { message: text },
  failed: { message: text },
  timedOut: { message: text },
  cancelled: {},
};

const toolOutcome = tagged<ToolOutcome, "kind">("tool outcome", "kind", toolOutcomeVariants);

const permissionAnswer = words<PermissionAnswer>({
  allowOnce: true,
  allowAlways: true,
  rejectOnce: true,
  cancelled: true,
  failed: true,
});

const hookOutput = struct<HookOutput>("hook output", { server: text, text });

const answerTo: Fields<AnswerTo> = { effect: integer, turn: integer };

export const event = tagged<Event, "type">("event", "type", {
  promptReceived: { request: text, runId: text, text },
  steerReceived: { request: text, messageId: text, expectedRunId: text, text },
  cancelRequested: { drainMs: finite },
  closeRequested: { drainMs: finite },
  catalogChanged: { tools: list(tool), hooks: list(hook), complete: flag },
  settingsChanged: { settings },
  modelReplied: { reply: modelReply, attempts, ...answerTo },
  modelFailed: { failure: modelFailure, attempts, ...answerTo },
  summaryReplied: { reply: modelReply, attempts, ...answerTo },
  summaryFailed: { failure: modelFailure, attempts, ...answerTo },
  hooksAnswered: { outputs: list(hookOutput), ...answerTo },
  permissionAnswered: { answer: permissionAnswer, ...answerTo },
  toolFinished: { outcome: toolOutcome, ...answerTo },
  drainExpired: answerTo,
});
