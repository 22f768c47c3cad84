/** The main agent as it is configured. Loaded after `initialize` has been answered: it brings the providers and the MCP client. */
import { isSome } from "fp-ts/lib/Option.js";
import type { SessionConfig } from "../../core/session.js";
import type { Agent } from "../acp/agent.js";
import type { Config } from "../config/config.js";
import type { Environment } from "../config/read.js";
import { readHints } from "../hints/index.js";
import type { Log } from "../log.js";
import { openTools } from "../mcp/index.js";
import { openModels } from "../model/models.js";
import { startRecorder, type Recorder } from "../record/recorder.js";
import type { Secrets } from "../secrets.js";
import { createAgent } from "./agent.js";

export interface MainAgentDeps {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly environment: Environment;
  readonly version: string;
}

export const createMainAgent = ({ config, secrets, log, environment, version }: MainAgentDeps): Agent => {
  const { policy, limits, systemPrompt, hookServers, mcpServers: ownEntries } = config;
  return createAgent({
    models: openModels(config, secrets, log),
    policy,
    limits,
    systemPrompt,
    readHints: (cwd) =>
      config.hints ? readHints(cwd, environment["HOME"], limits) : Promise.resolve({ text: "", builtIns: [] }),
    openTools: async ({ mcpServers: entries, cwd, signal }, builtIns, mcpGraceMs) => {
      const within = { ...limits, mcpGraceMs };
      return openTools({ entries, ownEntries, cwd, environment, limits: within, hookServers, builtIns, log, signal });
    },
    redact: secrets.redactEvent,
    record: (session) => recorderOf(config, session, version, log),
    log,
  });
};

const noRecord: Recorder = { record: () => undefined, close: () => Promise.resolve() };

const recorderOf = ({ recordDirectory }: Config, config: SessionConfig, version: string, log: Log): Recorder =>
  isSome(recordDirectory)
    ? startRecorder({
        directory: recordDirectory.value,
        version,
        config,
        now: new Date(),
        warn: (message) => {
          log("warn", message);
        },
      })
    : noRecord;
