/**
 * The main agent as it is configured. Loaded after `initialize` has been answered. What not every session needs is read by the
 * first that does: the MCP client, the provider's code, the recorder.
 */
import { isSome } from "fp-ts/lib/Option.js";
import { left, right } from "fp-ts/lib/Either.js";
import type { Agent } from "../acp/agent.js";
import type { Config } from "../config/config.js";
import type { Environment } from "../config/read.js";
import { readHints } from "../hints/index.js";
import type { Log } from "../log.js";
import { openModels } from "../model/models.js";
import type { Recorder } from "../record/recorder.js";
import type { Secrets } from "../secrets.js";
import { createAgent, type AgentDeps } from "./agent.js";
import { builtInTools } from "./builtInTools.js";

export interface MainAgentDeps {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly environment: Environment;
  readonly version: string;
}

export const createMainAgent = async (deps: MainAgentDeps): Promise<Agent> => {
  const { config, secrets, log, environment } = deps;
  const { policy, limits, systemPrompt } = config;
  return createAgent({
    models: openModels(config, secrets, log),
    policy,
    limits,
    systemPrompt,
    readHints: (cwd) =>
      config.hints ? readHints(cwd, environment["HOME"], limits) : Promise.resolve({ text: "", builtIns: [] }),
    openTools: toolsOf(deps),
    redact: secrets.redactEvent,
    record: await recorderOf(deps),
    log,
  });
};

const toolsOf =
  ({ config, environment, log }: MainAgentDeps): AgentDeps["openTools"] =>
  async ({ mcpServers: entries, cwd, signal }, builtIns, mcpGraceMs) => {
    const { hookServers, mcpServers: ownEntries } = config;
    if (signal.aborted) return left({ kind: "aborted" });
    if (entries.length + ownEntries.length === 0) return right(builtInTools(builtIns));
    const limits = { ...config.limits, mcpGraceMs };
    const { openTools } = await import("../mcp/index.js");
    return openTools({ entries, ownEntries, cwd, environment, limits, hookServers, builtIns, log, signal });
  };

const noRecord: Recorder = { record: () => undefined, close: () => Promise.resolve() };

const recorderOf = async ({ config, version, log }: MainAgentDeps): Promise<AgentDeps["record"]> => {
  const { recordDirectory } = config;
  if (!isSome(recordDirectory)) return () => noRecord;
  const { startRecorder } = await import("../record/recorder.js");
  const warn = (message: string): void => {
    log("warn", message);
  };
  return (session) =>
    startRecorder({ directory: recordDirectory.value, version, config: session, now: new Date(), warn });
};
