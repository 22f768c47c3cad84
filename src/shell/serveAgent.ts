/** One agent over stdin and stdout, as a process: its log, its signals, and the exit code in the end. */
import type { LogLevel } from "../core/effect.js";
import type { ShellLimits } from "../core/policy.js";
import type { Agent, AgentIdentity } from "./acp/agent.js";
import { serve } from "./acp/connection.js";
import type { Environment } from "./config/read.js";
import { secretValues } from "./config/secretValues.js";
import { createLog, type Log } from "./log.js";
import { createSecrets, type Secrets } from "./secrets.js";
import type { Output } from "./stdio/guard.js";
import { isTerminal, openInput } from "./stdio/input.js";
import { createWriter } from "./stdio/writer.js";

export interface AgentProcess {
  readonly identity: AgentIdentity;
  readonly limits: ShellLimits;
  readonly logLevel: LogLevel;
  /** Reads the agent's code; called when `initialize` has been answered. */
  readonly load: (world: { readonly secrets: Secrets; readonly log: Log }) => Promise<Agent>;
}

/** Wrong use, or an environment that is no good. */
export const BAD_USE = 2;

/** An agent talks to programs; a person who started it should hear so. */
export const refuseTerminal = (hint: string): boolean => {
  const refused = isTerminal();
  if (refused) process.stderr.write(`turnfold: this is an agent that a client talks to over stdin; ${hint}\n`);
  return refused;
};

/** Resolves with the exit code. */
export const serveAgent = async (
  { identity, limits, logLevel, load }: AgentProcess,
  output: Output,
): Promise<number> => {
  const secrets = secretsOf(process.env);
  const log = createLog({ level: logLevel, stream: () => process.stderr, redact: secrets.redact, now: Date.now });
  outliveFaults(log);
  const writer = createWriter(output);
  process.once("exit", writer.flush);
  // Before anybody listens for signals: who waits for bytes hears none.
  const input = openInput();
  return serve(
    {
      identity,
      input,
      writer,
      limits,
      log,
      load: async (traits) => {
        const [{ createServer }, agent] = await Promise.all([import("./acp/server.js"), load({ secrets, log })]);
        return createServer({ identity, agent, writer, traits, limits, log });
      },
    },
    interruption(),
  );
};

/** All forms of all secrets take longer to find than `initialize` to answer, so they are found for the first text to clean. */
const secretsOf = (environment: Environment): Secrets => {
  let made: Secrets | undefined;
  const secrets = (): Secrets => (made ??= createSecrets(secretValues(environment)));
  return {
    add: (value) => {
      secrets().add(value);
    },
    redact: (text) => secrets().redact(text),
    redactEvent: (event) => secrets().redactEvent(event),
  };
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
