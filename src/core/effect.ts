/**
 * Effects: orders to the shell, plain data. In one list the order is a promise: what has happened is published (and logged)
 * first, then steers and refusals are answered, then come the orders, the prompt's own answer last.
 */
import type { EffectId } from "./event.js";
import type { HookPoint, ModelFailure, SummaryRequest } from "./model.js";
import type { Update } from "./update.js";

/** Names the history that a request must show, exactly: nothing is appended or rewritten while the request is out. */
export interface HistoryRef {
  readonly revision: number;
  readonly length: number;
}

/** An effect that is answered by exactly one event, whatever happens. */
export interface Answerable {
  readonly id: EffectId;
  readonly turn: number;
}

export type StopReason = "end_turn" | "max_tokens" | "max_turn_requests" | "refusal" | "cancelled";

export type TurnOutcome =
  | { readonly kind: "stopped"; readonly reason: StopReason }
  /** `model` is the model that was asked. */
  | { readonly kind: "failed"; readonly failure: ModelFailure; readonly model: string };

export type PromptRefusal = "busy" | "empty" | "tooLarge" | "closed";

export type SteerAnswer =
  | { readonly kind: "accepted"; readonly runId: string; readonly messageId: string }
  | { readonly kind: "refused"; readonly reason: SteerRefusal };

export type SteerRefusal =
  | { readonly kind: "noTurn" }
  | { readonly kind: "ending" }
  | { readonly kind: "otherRun"; readonly activeRunId: string }
  | { readonly kind: "empty" }
  | { readonly kind: "tooMany" }
  | { readonly kind: "tooLarge" };

export type LogLevel = "debug" | "info" | "warn" | "error";

export type Effect =
  | { readonly type: "log"; readonly level: LogLevel; readonly message: string; readonly fields: LogFields }
  | { readonly type: "publish"; readonly update: Update }
  | { readonly type: "refusePrompt"; readonly request: string; readonly reason: PromptRefusal }
  | { readonly type: "answerSteer"; readonly request: string; readonly answer: SteerAnswer }
  /** Stop working on an effect; it is still answered, as aborted or cancelled, and that answer is ignored or closes the call. */
  | { readonly type: "abort"; readonly target: EffectId; readonly turn: number }
  | { readonly type: "stopTimer"; readonly target: EffectId; readonly turn: number }
  /** Answered by `drainExpired`. */
  | ({ readonly type: "startTimer"; readonly ms: number } & Answerable)
  /** `modelRequest(session, effect)` gives what to encode. Answered by `modelReplied` or `modelFailed`. */
  | ({ readonly type: "callModel"; readonly round: number; readonly history: HistoryRef } & Answerable)
  /** Answered by `summaryReplied` or `summaryFailed`. */
  | ({ readonly type: "summarise"; readonly request: SummaryRequest } & Answerable)
  /** Answered by `hooksAnswered`. `servers` in server order. */
  | ({ readonly type: "callHooks"; readonly point: HookPoint; readonly servers: readonly string[] } & Answerable)
  /** Answered by `permissionAnswered`. */
  | ({
      readonly type: "askPermission";
      readonly key: string;
      readonly name: string;
      readonly argumentsText: string;
    } & Answerable)
  /** Answered by `toolFinished`. */
  | ({
      readonly type: "runTool";
      readonly key: string;
      readonly name: string;
      readonly argumentsText: string;
    } & Answerable)
  | { readonly type: "answerPrompt"; readonly request: string; readonly turn: number; readonly outcome: TurnOutcome };

export type LogFields = Readonly<Record<string, string | number>>;
export type EffectType = Effect["type"];
