/** `turnfold usage record -- AGENT ARGS…`: a client's configuration changes one line, and every turn is accounted for. */
import { randomUUID } from "node:crypto";
import { closeSync } from "node:fs";
import { constants } from "node:os";
import { isLeft } from "fp-ts/lib/Either.js";
import { adapterOf, harnessName } from "../../usage/standard.js";
import { createCourier } from "../ledger/courier.js";
import { runProxy, type ProxyEnd } from "../ledger/proxy.js";
import { createTurnLog } from "../ledger/turnLog.js";
import { badUse, ledgerFile, readOptions, type UsageCall } from "./usage.js";

/** Programs that run another one, which is the agent. */
const RUNNERS = new Set(["node", "npx", "bun", "bunx", "deno", "pnpx", "tsx", "uvx", "python", "python3"]);

/** The name of the agent in a command line: `claude-code-acp` in `npx -y @zed-industries/claude-code-acp@0.5`. */
export const agentName = (command: string, args: readonly string[]): string => {
  const name = harnessName(command);
  const run = RUNNERS.has(name) ? args.find((argument) => !argument.startsWith("-")) : undefined;
  return run === undefined ? name : harnessName(run).replace(/(?<=.)@.*$/, "");
};

/** What a shell calls a program that it cannot start. */
const NOT_STARTED = 127;

const exitCode = (end: ProxyEnd, say: (line: string) => void): number => {
  if (end.kind === "exited") return end.code;
  if (end.kind === "killed") return 128 + constants.signals[end.signal];
  say(`the agent could not be started: ${end.reason}`);
  return NOT_STARTED;
};

/** The same line once: a fault that comes with every turn would fill the client's log. */
const sayOnce = (err: (line: string) => void): ((line: string) => void) => {
  const said = new Set<string>();
  return (line) => {
    if (said.has(line)) return;
    said.add(line);
    err(`turnfold usage: ${line}`);
  };
};

/** Node leaves the descriptor open when the stream is destroyed, and the client would go on writing into nothing. */
const closeInput = (): void => {
  process.stdin.once("close", () => {
    closeSync(0);
  });
  process.stdin.destroy();
};

export const runRecord = async ({ argv, cli, output }: UsageCall): Promise<number> => {
  const divider = argv.indexOf("--");
  const own = divider < 0 ? argv : argv.slice(0, divider);
  const [command, ...args] = divider < 0 ? [] : argv.slice(divider + 1);
  const options = readOptions(own, { ledger: { type: "string" }, agent: { type: "string" } });
  if (isLeft(options)) return badUse(cli, options.left);
  if (command === undefined) return badUse(cli, "record needs an agent behind --");
  const ledger = ledgerFile(options.right.ledger);
  const harness = agentName(command, args);
  const say = sayOnce(cli.err);
  const program = process.argv[1] ?? "";
  const courier = createCourier({
    command: [process.execPath, program, "usage", "deliver", "--ledger", ledger],
    say,
  });
  const log = createTurnLog({
    ledger,
    agent: options.right.agent ?? harness,
    harness,
    adapter: adapterOf(harness),
    run: randomUUID(),
    now: Date.now,
    say,
    posted: courier.call,
  });
  const end = await runProxy({ command, args, input: process.stdin, closeInput, output, watch: log });
  await log.end();
  courier.end();
  return exitCode(end, say);
};
