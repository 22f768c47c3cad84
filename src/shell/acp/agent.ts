/**
 * What an agent is to the ACP server. The server owns the wire (ids, frames, registry, heartbeat); an agent owns what happens in
 * a session and speaks in the core's words. Answers are given through callbacks, not promises: a callback writes its frame at
 * the moment of the call, so that nothing published later can overtake it.
 */
import type { Either } from "fp-ts/lib/Either.js";
import type { PromptRefusal, SteerAnswer, StopReason } from "../../core/effect.js";
import type { PermissionAnswer } from "../../core/event.js";
import type { ModelFailure } from "../../core/model.js";
import type { Update } from "../../core/update.js";

export interface OpenRequest {
  readonly sessionId: string;
  /** An absolute path of a directory that exists. */
  readonly cwd: string;
  /** As they came; judged one by one by the agent. */
  readonly mcpServers: readonly unknown[];
  /** What the client wants in place of our own system prompt, or "". */
  readonly systemPrompt: string;
  /** Fires when nobody waits for the session any more: whatever was started must be ended. */
  readonly signal: AbortSignal;
}

/** Why there is no session. */
export type OpenFailure =
  /** The client's request is at fault. */
  | { readonly kind: "invalid"; readonly message: string }
  /** None of the session's MCP servers came up. */
  | { readonly kind: "mcp"; readonly message: string }
  | { readonly kind: "model"; readonly failure: ModelFailure; readonly model: string }
  | { readonly kind: "aborted" };

export interface PermissionQuestion {
  /** The call's `toolCallId`; it has been announced. */
  readonly key: string;
  readonly name: string;
  readonly argumentsText: string;
}

/** The client, as one session sees it. */
export interface SessionClient {
  readonly publish: (update: Update) => void;
  /** As long as the person takes; `cancelled` at once when the signal fires. Never rejects. */
  readonly askPermission: (question: PermissionQuestion, signal: AbortSignal) => Promise<PermissionAnswer>;
  /** Resolves when the client has taken enough of what was sent for another call to be started. */
  readonly whenDrained: (signal: AbortSignal) => Promise<void>;
}

export type PromptAnswer =
  | { readonly kind: "stopped"; readonly reason: StopReason }
  | { readonly kind: "failed"; readonly failure: ModelFailure; readonly model: string }
  | { readonly kind: "refused"; readonly reason: PromptRefusal };

export interface SteerRequest {
  readonly messageId: string;
  readonly expectedRunId: string;
  readonly text: string;
}

/** One thing that the client may choose. All lists are complete and hold the current value. */
export interface SelectOption {
  readonly id: string;
  readonly name: string;
  readonly category: "model" | "thought_level";
  readonly current: string;
  readonly choices: readonly { readonly value: string; readonly name: string }[];
}

export interface AgentSession {
  readonly options: () => readonly SelectOption[];
  /** Holds from the next model request on. A model may be any non-empty id; other values are of the option's choices. */
  readonly choose: (optionId: string, value: string) => void;
  /**
   * `answer` is called exactly once, behind everything that is published for the turn. `blocks` are what `text` was joined
   * from, for an agent that must know where one content block ends: text inside a block cannot forge another.
   */
  readonly prompt: (
    runId: string,
    text: string,
    answer: (answer: PromptAnswer) => void,
    blocks: readonly string[],
  ) => void;
  /** `answer` is called exactly once. */
  readonly steer: (steer: SteerRequest, answer: (answer: SteerAnswer) => void) => void;
  readonly cancel: (drainMs: number) => void;
  /** Cancels, takes no more prompts, and resolves when the running turn has been answered. */
  readonly settle: (drainMs: number) => Promise<void>;
  /** Ends whatever the session has started; `graceMs` before TERM and again before KILL. */
  readonly end: (graceMs: number) => Promise<void>;
}

export interface Agent {
  /** Never rejects. */
  readonly open: (request: OpenRequest, client: SessionClient) => Promise<Either<OpenFailure, AgentSession>>;
}

/** What the agent says of itself before any of its code has been loaded. */
export interface AgentIdentity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** Empty unless there is an interactive login. */
  readonly authMethods: readonly TerminalLogin[];
}

/** A login that a person does in a terminal: the client starts this program again, with these arguments behind its own. */
export interface TerminalLogin {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly args: readonly string[];
}
