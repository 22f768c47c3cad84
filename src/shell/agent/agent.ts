/** The main agent: a session is the reducer, a model and a set of tools. */
import { type Either, isLeft, left, right } from "fp-ts/lib/Either.js";
import type { Event } from "../../core/event.js";
import { assertNever } from "../../core/never.js";
import type { Policy, ShellLimits } from "../../core/policy.js";
import type { SessionConfig } from "../../core/session.js";
import { isBlank, utf8Bytes } from "../../core/text.js";
import type { Agent, OpenFailure, OpenRequest } from "../acp/agent.js";
import type { Log } from "../log.js";
import type { BuiltInTool, OpenToolsFailure } from "../mcp/port.js";
import type { ToolsPort } from "../ports.js";
import type { Recorder } from "../record/recorder.js";
import { createChoices, type Models } from "./choices.js";
import { createRuntimeCode } from "./runtimeCode.js";
import { createSession } from "./session.js";

/** What project files add to a session. */
export interface Hints {
  /** Text that follows the system prompt, or "". */
  readonly text: string;
  readonly builtIns: readonly BuiltInTool[];
}

export interface AgentDeps {
  readonly models: Models;
  readonly policy: Policy;
  readonly limits: ShellLimits;
  /** Used when the client brings none. */
  readonly systemPrompt: string;
  readonly readHints: (cwd: string) => Promise<Hints>;
  /** `graceMs`: how long it may wait for the servers. */
  readonly openTools: (
    request: OpenRequest,
    builtIns: readonly BuiltInTool[],
    graceMs: number,
  ) => Promise<Either<OpenToolsFailure, ToolsPort>>;
  readonly redact: (event: Event) => Event;
  readonly record: (config: SessionConfig) => Recorder;
  readonly log: Log;
}

export const createAgent = (deps: AgentDeps): Agent => {
  const runtimeCode = createRuntimeCode(deps.log);
  return {
    open: async (request, client) => {
      const startedMs = monotonicMs();
      const hints = await deps.readHints(request.cwd);
      const system = systemText(request.systemPrompt, deps.systemPrompt, hints.text);
      const { systemPromptBytesMax } = deps.limits;
      if (utf8Bytes(system) > systemPromptBytesMax) {
        const message = `the system prompt with project hints is larger than ${systemPromptBytesMax / 1024} KiB`;
        return left({ kind: "invalid", message });
      }
      // Before any server is started: a provider that refuses us ends it here (spec/providers.md 13.5).
      const listed = await deps.models.list(request.signal);
      if (isLeft(listed)) return left({ kind: "model", failure: listed.left, model: deps.models.configured });
      const choices = createChoices(deps.models, listed.right);
      const tools = await deps.openTools(request, hints.builtIns, graceLeft(deps.limits, monotonicMs() - startedMs));
      if (isLeft(tools)) return left(openFailure(tools.left));
      const { models, policy, redact, record, log } = deps;
      const { sessionId: id } = request;
      const session = {
        id,
        system,
        policy,
        model: models.port,
        tools: tools.right,
        choices,
        client,
        redact,
        record,
        log,
        runtimeCode,
      };
      return right(createSession(session));
    },
  };
};

/** Like `performance.now()`, whose module Node would load for the first session. */
const monotonicMs = (): number => process.uptime() * 1000;

/** Servers that are still starting cost no session, however long the operator would wait for them: the answer has its own time. */
const graceLeft = ({ mcpGraceMs, sessionNewMs, sessionNewReserveMs }: ShellLimits, elapsedMs: number): number =>
  Math.max(0, Math.min(mcpGraceMs, sessionNewMs - sessionNewReserveMs - elapsedMs));

/** The client's prompt replaces ours; hints follow either. */
const systemText = (asked: string, own: string, hints: string): string => {
  const base = isBlank(asked) ? own : asked;
  return hints === "" ? base : `${base}\n\n${hints}`;
};

const openFailure = (failure: OpenToolsFailure): OpenFailure => {
  switch (failure.kind) {
    case "invalidServers":
      return { kind: "invalid", message: failure.message };
    case "noServer":
      return { kind: "mcp", message: failure.message };
    case "aborted":
      return failure;
    default:
      return assertNever(failure);
  }
};
