/**
 * What the runtime needs of the world to execute effects: a model and a set of tools. Each promise settles exactly once and
 * never rejects: whatever goes wrong is a value.
 */
import type { HookOutput, ToolOutcome } from "../core/event.js";
import type {
  Attempts,
  Hook,
  HookPoint,
  ModelFailure,
  ModelReply,
  ModelRequest,
  SummaryRequest,
  Tool,
} from "../core/model.js";

export type ModelAnswer =
  | { readonly kind: "replied"; readonly reply: ModelReply; readonly attempts: Attempts }
  | { readonly kind: "failed"; readonly failure: ModelFailure; readonly attempts: Attempts };

/** Told while a request waits, for waits that a person would wonder about. */
export type OnWait = (wait: { readonly ms: number; readonly reason: string }) => void;

export interface ModelPort {
  readonly call: (request: ModelRequest, signal: AbortSignal, onWait: OnWait) => Promise<ModelAnswer>;
  readonly summarise: (request: SummaryRequest, signal: AbortSignal, onWait: OnWait) => Promise<ModelAnswer>;
}

export interface Offered {
  readonly tools: readonly Tool[];
  readonly hooks: readonly Hook[];
  /** Every server has come up or been given up. */
  readonly complete: boolean;
}

/** Something the person should know: a server that failed, a tool that was left out. */
export interface Notice {
  readonly severity: "info" | "warning" | "error";
  readonly title: string;
  readonly detail: string;
}

export interface ToolsPort {
  readonly offered: () => Offered;
  /** Called whenever `offered` would answer differently. */
  readonly onChange: (listener: (offered: Offered) => void) => void;
  readonly onNotice: (listener: (notice: Notice) => void) => void;
  /** Resolves `cancelled` at once when the signal fires; the server is told. */
  readonly run: (name: string, argumentsText: string, signal: AbortSignal) => Promise<ToolOutcome>;
  readonly callHooks: (
    point: HookPoint,
    servers: readonly string[],
    signal: AbortSignal,
  ) => Promise<readonly HookOutput[]>;
  /** Ends every server and its process group: stdin closed, `graceMs`, TERM, `graceMs`, KILL. Resolves when nothing is left. */
  readonly close: (graceMs: number) => Promise<void>;
}
