/**
 * Events: what has happened. They are the only input of `step`, and they carry everything that the core may not make itself:
 * ids, clock-derived durations, answers. All plain data.
 */
import type { Attempts, Hook, ModelFailure, ModelReply, Settings, Tool } from "./model.js";
import type { ResultPart } from "./history.js";

/** Number of an effect, minted by the core from a counter; never reused in a session. */
export type EffectId = number;

/** Which effect an event answers. An answer to what is not awaited is ignored with a log line. */
export interface AnswerTo {
  readonly effect: EffectId;
  /** The turn that ordered it. */
  readonly turn: number;
}

/** How a tool run ended. Exactly one for every `runTool`. */
export type ToolOutcome =
  /** The tool answered, possibly that it failed. */
  | { readonly kind: "result"; readonly parts: readonly ResultPart[]; readonly isError: boolean }
  /** Its server refused the call (a JSON-RPC error); the server is healthy. */
  | { readonly kind: "rejected"; readonly message: string }
  /** No answer will come: transport, crash, registry. */
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "timedOut"; readonly message: string }
  | { readonly kind: "cancelled" };

export type PermissionAnswer = "allowOnce" | "allowAlways" | "rejectOnce" | "cancelled" | "failed";

export interface HookOutput {
  readonly server: string;
  readonly text: string;
}

export type Event =
  /** `request` is the shell's own name for whoever waits for the answer; it comes back in `answerPrompt` or `refusePrompt`. */
  | { readonly type: "promptReceived"; readonly request: string; readonly runId: string; readonly text: string }
  | {
      readonly type: "steerReceived";
      readonly request: string;
      readonly messageId: string;
      readonly expectedRunId: string;
      readonly text: string;
    }
  /** `drainMs`: how long running tools may take to end. */
  | { readonly type: "cancelRequested"; readonly drainMs: number }
  /** Like a cancel; from then on prompts are refused. */
  | { readonly type: "closeRequested"; readonly drainMs: number }
  /** `complete`: every server has come up or been given up. `hooks` in server order. */
  | {
      readonly type: "catalogChanged";
      readonly tools: readonly Tool[];
      readonly hooks: readonly Hook[];
      readonly complete: boolean;
    }
  | { readonly type: "settingsChanged"; readonly settings: Settings }
  | ({ readonly type: "modelReplied"; readonly reply: ModelReply; readonly attempts: Attempts } & AnswerTo)
  | ({ readonly type: "modelFailed"; readonly failure: ModelFailure; readonly attempts: Attempts } & AnswerTo)
  | ({ readonly type: "summaryReplied"; readonly reply: ModelReply; readonly attempts: Attempts } & AnswerTo)
  | ({ readonly type: "summaryFailed"; readonly failure: ModelFailure; readonly attempts: Attempts } & AnswerTo)
  /** In server order; a hook that failed, timed out or said nothing is left out (hooks fail open). */
  | ({ readonly type: "hooksAnswered"; readonly outputs: readonly HookOutput[] } & AnswerTo)
  | ({ readonly type: "permissionAnswered"; readonly answer: PermissionAnswer } & AnswerTo)
  | ({ readonly type: "toolFinished"; readonly outcome: ToolOutcome } & AnswerTo)
  | ({ readonly type: "drainExpired" } & AnswerTo);

export type EventType = Event["type"];
