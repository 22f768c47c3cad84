/** What the program can be asked to do by a person. Anything else on the command line is agent mode. */
import type { Output } from "../stdio/guard.js";
import { version } from "../version.js";
import type { CliOutput } from "./replay.js";

/** Resolves with the exit code, when everything has been written. */
export type Command = (argv: readonly string[], output: Output) => Promise<number>;

/** `output` is for a command that serves an agent; the others print lines. */
type Run = (argv: readonly string[], cli: CliOutput, output: Output) => Promise<number>;

interface Offer {
  /** How to call it, without the program's name. */
  readonly usage: string;
  readonly summary: string;
  /** Its own answer to `--help` says more than these two lines. */
  readonly ownHelp?: true;
  readonly load: () => Promise<Run>;
}

// The code of a command is read when it is called.
const COMMANDS: Readonly<Record<string, Offer>> = {
  ask: {
    usage: "ask [--mcp FILE] [--cwd DIR] [--json] PROMPT",
    summary: "run one prompt and show what happens; PROMPT from stdin when it is -",
    load: async () => (await import("./ask.js")).runAsk,
  },
  auth: {
    usage: "auth databricks",
    summary: "sign in at DATABRICKS_HOST through the browser",
    load: async () => (await import("./auth.js")).runAuth,
  },
  check: {
    usage: "check",
    summary: "try the environment, the model and the servers of TURNFOLD_MCP_SERVERS",
    load: async () => (await import("./check.js")).runCheck,
  },
  memory: {
    usage: "memory --store PATH [--top-k N] [--table NAME]",
    summary: "serve ACP as an agent that answers from a store of notes",
    ownHelp: true,
    load: async () => (await import("../memory/command.js")).runMemory,
  },
  replay: {
    usage: "replay FILE [--state N]",
    summary: "print a recorded session and check that it comes out the same",
    load: async () => (await import("./replay.js")).runReplay,
  },
  simulate: {
    usage: "simulate SCENARIO.json --out DIR [--sessions N]",
    summary: "run many sessions of a scenario and report on them",
    ownHelp: true,
    load: async () => (await import("./simulate.js")).runSimulate,
  },
  usage: {
    usage: "usage record -- AGENT ARGS... | report | rebuild",
    summary: "account for what an agent uses; see turnfold usage",
    ownHelp: true,
    load: async () => (await import("./usage.js")).runUsage,
  },
};

const WIDTH = 62;

const help = (): string =>
  [
    "turnfold - an agent for the Agent Client Protocol",
    "",
    "Started without a command it serves ACP on stdin and stdout, for an editor or another client.",
    "It is configured by environment variables: BUZZ_AGENT_PROVIDER, the provider's key, BUZZ_AGENT_MODEL and more; see the README.",
    "",
    "  turnfold".padEnd(WIDTH) + "serve ACP (also: acp, --acp, --experimental-acp)",
    ...Object.values(COMMANDS).map(({ usage, summary }) => `  turnfold ${usage}`.padEnd(WIDTH) + summary),
    "  turnfold --help | --version",
  ].join("\n");

const printing =
  (text: () => Promise<string>): Run =>
  async (_argv, { out }) => {
    out(await text());
    return 0;
  };

const printHelp = printing(() => Promise.resolve(help()));
const printVersion = printing(async () => Promise.resolve(version));

const offered = ({ usage, summary, ownHelp, load: loadRun }: Offer): (() => Promise<Run>) => {
  if (ownHelp === true) return loadRun;
  const printUsage = printing(() => Promise.resolve(`usage: turnfold ${usage}\n  ${summary}`));
  return async () => {
    const run = await loadRun();
    return (argv, cli, output) =>
      (argv.length === 1 && (argv[0] === "--help" || argv[0] === "-h") ? printUsage : run)(argv, cli, output);
  };
};

const load = (name: string): (() => Promise<Run>) | undefined => {
  switch (name) {
    case "--help":
    case "-h":
    case "help":
      return () => Promise.resolve(printHelp);
    case "--version":
    case "-V":
      return () => Promise.resolve(printVersion);
    // Not for people: under these names the threads of `memory` and `simulate` find their work.
    case "recall-worker":
      return async () => (await import("../memory/recallWorker.js")).runRecallWorker;
    case "simulate-worker":
      return async () => (await import("../simulate/worker.js")).runWorker;
    default: {
      const offer = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
      return offer === undefined ? undefined : offered(offer);
    }
  }
};

/** The command of that name; undefined means agent mode. */
export const findCommand = (name: string): Command | undefined => {
  const loading = load(name);
  if (loading === undefined) return undefined;
  return async (argv, output) => {
    const written: Promise<void>[] = [];
    const out = (line: string): void => {
      written.push(
        new Promise((resolve) => {
          output.write(`${line}\n`, () => {
            resolve();
          });
        }),
      );
    };
    const err = (line: string): void => {
      process.stderr.write(`${line}\n`);
    };
    const run = await loading();
    const code = await run(argv, { out, err }, output);
    await Promise.all(written);
    return code;
  };
};
