/** `turnfold` as an ACP agent: the environment is judged, then stdin is served until its end. */
import { isLeft } from "fp-ts/lib/Either.js";
import { serve } from "./acp/connection.js";
import type { AgentIdentity } from "./acp/agent.js";
import { readConfig } from "./config/config.js";
import { describeConfigError } from "./config/read.js";
import { secretValues } from "./config/secretValues.js";
import { readFile } from "./config/files.js";
import { createLog, type Log } from "./log.js";
import { createSecrets } from "./secrets.js";
import type { Output } from "./stdio/guard.js";
import { createWriter } from "./stdio/writer.js";
import { version } from "./version.js";

export const identity: AgentIdentity = { name: "turnfold", title: "Turnfold", version, authMethods: [] };

/** Ways in which clients start an agent (`spec/acp.md` 3.3 #2). */
const AGENT_ARGUMENTS = new Set(["acp", "--acp", "--experimental-acp"]);

const BAD_USE = 2;

const say = (line: string): void => {
  process.stderr.write(`turnfold: ${line}\n`);
};

export const runAgent = async (argv: readonly string[], output: Output): Promise<number> => {
  for (const argument of argv.filter((each) => !AGENT_ARGUMENTS.has(each))) {
    say(`ignoring unknown argument ${JSON.stringify(argument)}; serving ACP on stdin (see turnfold --help)`);
  }
  if (process.stdin.isTTY) {
    say('this is an agent that a client talks to over stdin; try: turnfold ask "what is in this folder?"');
    return BAD_USE;
  }
  const config = readConfig(process.env, readFile);
  if (isLeft(config)) {
    process.stderr.write(`${describeConfigError(config.left)}\n`);
    return BAD_USE;
  }
  const { limits, logLevel } = config.right;
  const secrets = createSecrets(secretValues(process.env));
  const log = createLog({ level: logLevel, stream: process.stderr, redact: secrets.redact, now: Date.now });
  outliveFaults(log);
  const writer = createWriter(output);
  return serve(
    {
      identity,
      input: process.stdin,
      writer,
      limits,
      log,
      load: async (traits) => {
        const [{ createServer }, { createMainAgent }] = await Promise.all([
          import("./acp/server.js"),
          import("./agent/main.js"),
        ]);
        const agent = createMainAgent({ config: config.right, secrets, log, environment: process.env, version });
        return createServer({ identity, agent, writer, traits, limits, log });
      },
    },
    interruption(),
  );
};

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** The exit code that the first signal asks for. A second one ends the process on the spot. */
const interruption = async (): Promise<number> =>
  new Promise((resolve) => {
    for (const [signal, number] of Object.entries(SIGNALS)) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(128 + number));
        resolve(128 + number);
      });
    }
  });

/** A promise that a dependency forgot must cost a log line, not every session of the process. */
const outliveFaults = (log: Log): void => {
  const tell = (fault: unknown): void => {
    log("error", "a fault that nobody handled", {
      fault: fault instanceof Error ? (fault.stack ?? "") : String(fault),
    });
  };
  process.on("uncaughtException", tell);
  process.on("unhandledRejection", tell);
};
