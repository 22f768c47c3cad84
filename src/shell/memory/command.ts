/** `turnfold memory`: an ACP agent whose answers are what a store remembers. The store is opened by the first question. */
import * as E from "fp-ts/lib/Either.js";
import type { ShellLimits } from "../../core/policy.js";
import type { AgentIdentity } from "../acp/agent.js";
import type { ReplySink } from "./buzz/sink.js";
import type { Log } from "../log.js";
import { readShellLimits } from "../config/limits.js";
import { describeConfigError, readAll, readOr, type Environment } from "../config/read.js";
import { SETTINGS } from "../config/variables.js";
import { BAD_USE, refuseTerminal, serveAgent, type AgentProcess } from "../serveAgent.js";
import type { CliOutput } from "../cli/replay.js";
import type { Output } from "../stdio/guard.js";
import { version } from "../version.js";
import { MEMORY_USAGE, readMemoryOptions, type MemoryOptions } from "./options.js";

const identity: AgentIdentity = { name: "turnfold-memory", title: "Turnfold Memory", version, authMethods: [] };

const readEnvironment = (env: Environment) =>
  readAll({
    limits: readShellLimits(env),
    logLevel: readOr(env, SETTINGS.logLevel, "info" as const),
    store: readOr(env, SETTINGS.memoryStore, ""),
    buzz: readOr(env, SETTINGS.buzzCli, "buzz"),
  });

export const runMemory = async (argv: readonly string[], { out, err }: CliOutput, output: Output): Promise<number> => {
  const settings = readEnvironment(process.env);
  if (E.isLeft(settings)) {
    err(describeConfigError(settings.left));
    return BAD_USE;
  }
  const { limits, logLevel, store, buzz } = settings.right;
  const options = readMemoryOptions(argv, store);
  if (E.isLeft(options)) {
    err(`turnfold: ${options.left}; ${MEMORY_USAGE}`);
    return BAD_USE;
  }
  if (options.right.kind === "help") {
    out(MEMORY_USAGE);
    return 0;
  }
  if (refuseTerminal("a harness or an editor starts it")) return BAD_USE;
  return serveAgent({ identity, limits, logLevel, load: loadAgent(options.right, limits, buzz) }, output);
};

const loadAgent =
  ({ store, table, topK }: Extract<MemoryOptions, { kind: "serve" }>, limits: ShellLimits, buzz: string) =>
  async ({ secrets, log }: Parameters<AgentProcess["load"]>[0]) => {
    const [{ createMemoryAgent }, { createWorkerSource }, { createBuzzSink }] = await Promise.all([
      import("./agent.js"),
      import("./workerSource.js"),
      import("./buzz/sink.js"),
    ]);
    const source = createWorkerSource({
      store,
      table,
      limits: {
        textBytesMax: limits.memoryTextBytesMax,
        noteBytesMax: limits.memoryNoteBytesMax,
        queryWordsMax: limits.memoryQueryWordsMax,
        freshMs: limits.memoryFreshMs,
        busyMs: limits.memoryBusyMs,
      },
      heapMebibytesMax: limits.memoryHeapMebibytesMax,
      recallMs: limits.memoryRecallMs,
      log,
    });
    const { buzzProbeMs: probeMs, buzzPostMs: postMs, buzzPostBytesMax: postBytesMax } = limits;
    const sink = createBuzzSink({ program: buzz, probeMs, postMs, env: process.env, redact: secrets.redact });
    void tellSink(sink, log);
    return createMemoryAgent({ source, sink, topK, postBytesMax, log });
  };

/** Found out while the client is still setting up its session. */
const tellSink = async (sink: ReplySink, log: Log): Promise<void> => {
  const available = await sink.available();
  log("info", available ? "replies are posted by the buzz CLI" : "there is no buzz CLI: replies are only streamed");
};
