/** `turnfold usage …`: what agents have used, from the wire to a bill. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { type Either, isLeft, left, right } from "fp-ts/lib/Either.js";
import { defaultLedger, deliver, rebuild } from "../ledger/ledger.js";
import type { Output } from "../stdio/guard.js";
import { badArguments } from "./badArguments.js";
import type { CliOutput } from "./replay.js";

const USAGE = `usage: turnfold usage record [--ledger FILE] [--agent NAME] -- AGENT ARGS...
         run an agent, pass everything through unchanged, and record what each turn used
       turnfold usage report [--by agent|model|day|session] [--since DATE|Nd] [--json|--csv|--html]
                             [--prices FILE] [--ledger FILE]
         what was used and what it cost; FILE of prices is laid over the published ones
       turnfold usage rebuild [--ledger FILE]
         make the ledger's index again from the stored records

The ledger is FILE, else $TURNFOLD_LEDGER, else usage.sqlite in turnfold's folder under $XDG_DATA_HOME (~/.local/share).`;

export const BAD_USE = 2;

export interface UsageCall {
  readonly argv: readonly string[];
  readonly cli: CliOutput;
  readonly output: Output;
}

/** Options as they stand on the command line, or what is wrong with them. */
export const readOptions = <T extends NonNullable<ParseArgsConfig["options"]>>(
  argv: readonly string[],
  options: T,
): Either<string, ReturnType<typeof parseArgs<{ options: T; strict: true }>>["values"]> => {
  try {
    return right(parseArgs({ args: [...argv], options, strict: true }).values);
  } catch (fault) {
    return left(badArguments(fault));
  }
};

export const ledgerFile = (given: string | undefined): string => {
  const variable = process.env["TURNFOLD_LEDGER"] ?? "";
  return given ?? (variable.trim() === "" ? defaultLedger(process.env) : variable);
};

export const badUse = ({ err }: CliOutput, what: string): number => {
  err(`turnfold usage: ${what}`);
  err(USAGE);
  return BAD_USE;
};

const LEDGER = { ledger: { type: "string" } } as const;

const runRebuild = ({ argv, cli }: UsageCall): number => {
  const options = readOptions(argv, LEDGER);
  if (isLeft(options)) return badUse(cli, options.left);
  const started = performance.now();
  const rebuilt = rebuild(ledgerFile(options.right.ledger));
  if (isLeft(rebuilt)) {
    cli.err(`turnfold usage: ${rebuilt.left}`);
    return 1;
  }
  cli.out(`${rebuilt.right} records read again in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return 0;
};

/** What `record` runs beside itself; says nothing unless something is wrong. */
const runDeliver = async ({ argv, cli }: UsageCall): Promise<number> => {
  const options = readOptions(argv, LEDGER);
  if (isLeft(options)) return badUse(cli, options.left);
  const delivered = await deliver(ledgerFile(options.right.ledger));
  if (!isLeft(delivered)) return 0;
  cli.err(delivered.left);
  return 1;
};

const VERBS: Readonly<Record<string, (call: UsageCall) => Promise<number> | number>> = {
  record: async (call) => (await import("./usageRecord.js")).runRecord(call),
  report: async (call) => (await import("./usageReport.js")).runReport(call),
  rebuild: runRebuild,
  deliver: runDeliver,
};

export const runUsage = async (argv: readonly string[], cli: CliOutput, output: Output): Promise<number> => {
  const [verb, ...rest] = argv;
  // Behind `record` the option may be the agent's own.
  if ([verb, ...(rest.length === 1 ? rest : [])].some((word) => word === "--help" || word === "-h")) {
    cli.out(USAGE);
    return 0;
  }
  const run = verb !== undefined && Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (run !== undefined) return run({ argv: rest, cli, output });
  return badUse(cli, verb === undefined ? "record, report or rebuild?" : `there is no ${JSON.stringify(verb)}`);
};
