/** `turnfold ask`: one prompt, run by the agent in this process, for a person or a script to read. */
import { statSync } from "node:fs";
import path from "node:path";
import { text as readAll } from "node:stream/consumers";
import { isatty } from "node:tty";
import { chain, type Either, isLeft, left, mapLeft, right } from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import { stringifyJson, type JsonObject } from "../../core/json.js";
import { assertNever } from "../../core/never.js";
import type { StopReason } from "../../core/effect.js";
import type { AgentSession, OpenFailure, PromptAnswer, SessionClient } from "../acp/agent.js";
import { encodeUpdate } from "../acp/encode.js";
import { createSessionCost } from "../ledger/sessionCost.js";
import { createMainAgent } from "../agent/main.js";
import { readConfig, type Config } from "../config/config.js";
import { parseMcpServersFile } from "../config/mcpServersFile.js";
import { describeConfigError } from "../config/read.js";
import { secretValues } from "../config/secretValues.js";
import { readFile, utf8 } from "../config/files.js";
import { createLog } from "../log.js";
import { createSecrets } from "../secrets.js";
import { version } from "../version.js";
import { readAskOptions, type AskOptions } from "./askOptions.js";
import { askPerson } from "./askPerson.js";
import { createAskView } from "./askView.js";
import type { CliOutput } from "./replay.js";

const USAGE = "usage: turnfold ask [--mcp FILE] [--cwd DIR] [--json] PROMPT";

/** `process.stdout` is not what its name says (stdio/guard.ts). */
const STDOUT = 1;

const EXIT_FAILED = 1;
const EXIT_BAD_USE = 2;

interface Asked {
  readonly options: AskOptions;
  readonly config: Config;
  readonly cwd: string;
  readonly servers: readonly unknown[];
}

export const runAsk = async (argv: readonly string[], cli: CliOutput): Promise<number> => {
  const asked = judge(argv);
  if (isLeft(asked)) {
    cli.err(asked.left);
    return EXIT_BAD_USE;
  }
  const { options, config, cwd, servers } = asked.right;
  const secrets = createSecrets(secretValues(process.env));
  // A person wants the conversation; how it was had is in the log for whoever asks for that.
  const level = process.env["TURNFOLD_LOG"] === undefined ? "warn" : config.logLevel;
  const log = createLog({ level, stream: () => process.stderr, redact: secrets.redact, now: Date.now });
  const agent = await createMainAgent({ config, secrets, log, environment: process.env, version });
  const show = options.json ? jsonView(cli) : personView(cli);
  const prompt = options.prompt === "-" ? await readAll(process.stdin) : options.prompt;

  const request = {
    sessionId: "ask",
    cwd,
    mcpServers: servers,
    systemPrompt: "",
    signal: new AbortController().signal,
  };
  const opened = await agent.open(request, show.client);
  if (isLeft(opened)) {
    cli.err(`turnfold: ${openFault(opened.left)}`);
    return EXIT_FAILED;
  }
  const session = opened.right;
  const stopListening = cancelOnInterrupt(session, config.limits.cancelDrainMs);
  const answer = await new Promise<PromptAnswer>((resolve) => {
    session.prompt("run", prompt, resolve, [prompt]);
  });
  stopListening();
  await session.end(config.limits.shutdownServerEndMs);
  return show.finish(answer);
};

/** Everything that can be said without starting anything. Left: one line for stderr. */
const judge = (argv: readonly string[]): Either<string, Asked> => {
  const options = readAskOptions(argv);
  if (isLeft(options)) return left(`turnfold: ${options.left}; ${USAGE}`);
  const cwd = path.resolve(options.right.cwd);
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) return left(`turnfold: ${cwd} is no directory`);
  const config = readConfig(process.env, readFile);
  if (isLeft(config)) return left(describeConfigError(config.left));
  const servers = readServers(options.right.mcp);
  if (isLeft(servers)) return left(`turnfold: --mcp: ${servers.left}`);
  return right({ options: options.right, config: config.right, cwd, servers: servers.right });
};

const readServers = (file: string): Either<string, readonly unknown[]> =>
  file === ""
    ? right([])
    : pipe(
        readFile(file),
        mapLeft((code) => `cannot be read: ${code}`),
        chain(utf8),
        chain(parseMcpServersFile),
        mapLeft((fault) => `${file} ${fault}`),
      );

const openFault = (failure: OpenFailure): string => {
  switch (failure.kind) {
    case "invalid":
    case "mcp":
      return failure.message;
    case "model":
      return failure.failure.message;
    case "aborted":
      return "interrupted";
    default:
      return assertNever(failure);
  }
};

/** The first interrupt cancels the turn, a second one ends the process. */
const cancelOnInterrupt = (session: AgentSession, drainMs: number): (() => void) => {
  let interrupted = false;
  const onInterrupt = (): void => {
    if (interrupted) process.exit(exitCode("cancelled"));
    interrupted = true;
    session.cancel(drainMs);
  };
  process.on("SIGINT", onInterrupt);
  return () => process.off("SIGINT", onInterrupt);
};

const exitCode = (reason: StopReason): number => {
  switch (reason) {
    case "end_turn":
      return 0;
    case "cancelled":
      return 130;
    case "max_tokens":
    case "max_turn_requests":
    case "refusal":
      return 3;
    default:
      return assertNever(reason);
  }
};

interface View {
  readonly client: SessionClient;
  /** Shows how it ended and gives the exit code. */
  readonly finish: (answer: PromptAnswer) => number;
}

const personView = ({ out, err }: CliOutput): View => {
  const colours = process.stderr.isTTY && process.env["NO_COLOR"] === undefined;
  const view = createAskView({ out, aside: err, colours, terminal: isatty(STDOUT) });
  return {
    client: { publish: view.show, askPermission: askPerson, whenDrained: () => Promise.resolve() },
    finish: (answer) => {
      view.showUsage();
      const fault = faultOf(answer);
      if (fault !== "") err(`turnfold: ${fault}`);
      return answer.kind === "stopped" ? exitCode(answer.reason) : EXIT_FAILED;
    },
  };
};

/** One JSON object a line: the updates as an ACP client would get them, and last how it ended. */
const jsonView = ({ out }: CliOutput): View => {
  const traits = { version: 2, notices: true, compaction: true, goose: true, terminalAuth: false } as const;
  const cost = createSessionCost();
  const print = (line: JsonObject): void => {
    out(stringifyJson(line));
  };
  return {
    client: {
      publish: (update) => {
        for (const encoded of encodeUpdate(update, traits, cost(update)))
          if (encoded.kind !== "told") print(encoded.update);
      },
      askPermission: askPerson,
      whenDrained: () => Promise.resolve(),
    },
    finish: (answer) => {
      print(answer.kind === "stopped" ? { stopReason: answer.reason } : { error: faultOf(answer) });
      return answer.kind === "stopped" ? exitCode(answer.reason) : EXIT_FAILED;
    },
  };
};

const faultOf = (answer: PromptAnswer): string => {
  switch (answer.kind) {
    case "stopped":
      return answer.reason === "end_turn" ? "" : `stopped: ${answer.reason}`;
    case "failed":
      return answer.failure.message;
    case "refused":
      return answer.reason === "empty" ? "the prompt is empty" : `the prompt was refused: ${answer.reason}`;
    default:
      return assertNever(answer);
  }
};
