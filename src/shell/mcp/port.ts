/**
 * What `session/new` asks for and gets. Nothing here loads anything: the SDK is read when the first server is started.
 */
import type { Either } from "fp-ts/lib/Either.js";
import type { ToolOutcome } from "../../core/event.js";
import type { Tool } from "../../core/model.js";
import type { ShellLimits } from "../../core/policy.js";
import type { Log } from "../log.js";
import type { HookServers } from "../config/hookServers.js";
import type { ToolsPort } from "../ports.js";

/** How to start one stdio server. */
export interface ServerSpec {
  /** 1 to 128 of `[A-Za-z0-9_-]`, without `__`: everything before the first `__` of a tool's qualified name. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** On top of the allowlist (`environment.ts`). */
  readonly env: Readonly<Record<string, string>>;
}

/** A tool that the agent itself runs. Its name holds no `__`, so that no server's tool can have it. */
export interface BuiltInTool {
  readonly tool: Tool;
  readonly run: (argumentsText: string, signal: AbortSignal) => Promise<ToolOutcome>;
}

export interface OpenToolsOptions {
  /** `mcpServers` of the request, each entry as it came; it is judged here. */
  readonly entries: readonly unknown[];
  /** The operator's own (`TURNFOLD_MCP_SERVERS`), in the same form. An entry of the request with the same name replaces one. */
  readonly ownEntries: readonly unknown[];
  /** Where the servers run; an existing absolute directory. */
  readonly cwd: string;
  /** The agent's environment; servers get its allowlisted part. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly limits: ShellLimits;
  readonly hookServers: HookServers;
  readonly builtIns: readonly BuiltInTool[];
  readonly log: Log;
  /** Gives up: whatever has been started is ended, and the answer is `aborted`. */
  readonly signal: AbortSignal;
}

export type OpenToolsFailure =
  /** Too many servers, a bad or a double name: -32602. Nothing was started. */
  | { readonly kind: "invalidServers"; readonly message: string }
  /** Servers were tried and none came up: -32603 with `data.kind` "mcp". All of them have been ended. */
  | { readonly kind: "noServer"; readonly message: string }
  | { readonly kind: "aborted" };

/**
 * Starts the servers side by side. Resolves when all are up or given up, at the latest after `limits.mcpGraceMs`; the rest go on
 * starting, and `offered().complete` turns true when they are done. Never rejects.
 */
export type OpenTools = (options: OpenToolsOptions) => Promise<Either<OpenToolsFailure, ToolsPort>>;
