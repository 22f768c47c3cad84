/** The command line of `turnfold simulate`. */
import { left, right, type Either } from "fp-ts/lib/Either.js";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import type { Variation } from "../../simulation/vary.js";
import { badArguments } from "../cli/badArguments.js";

export const USAGE =
  "usage: turnfold simulate SCENARIO.json --out DIR [--sessions N] [--seed S] [--workers W] [--vary PATH=A,B,...] [--from RECORDS] [--resume]";

export interface Options {
  readonly scenario: string;
  readonly out: string;
  readonly sessions: number;
  readonly seed: number;
  readonly workers: number;
  readonly variations: readonly Variation[];
  /** Folder of event logs whose sizes and rates replace those of the scenario. */
  readonly from: string | undefined;
  readonly resume: boolean;
}

const DEFAULT_SESSIONS = 1000;
const WORKERS_MAX = 256;
const VARIANTS_MAX = 64;

const wholeNumber = (name: string, text: string | undefined, otherwise: number, min: number, max: number): number => {
  const value = text === undefined ? otherwise : /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Error(`--${name} takes a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`);
};

/** Numbers, true, false and null are themselves, everything else is text. */
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const variation = (text: string): Variation => {
  const at = text.indexOf("=");
  const path = text.slice(0, Math.max(0, at));
  const values = text.slice(at + 1).split(",");
  if (at < 1 || values.some((value) => value === "")) {
    throw new Error(`--vary takes PATH=A,B,... as in policy.maxHandoffs=0,1,5; not ${JSON.stringify(text)}`);
  }
  return { path, values: values.map(jsonOf) };
};

const parse = (argv: readonly string[]): Options => {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: {
      sessions: { type: "string" },
      seed: { type: "string" },
      workers: { type: "string" },
      out: { type: "string" },
      vary: { type: "string", multiple: true },
      from: { type: "string" },
      resume: { type: "boolean" },
    },
    allowPositionals: true,
  });
  const [scenario, ...more] = positionals;
  if (scenario === undefined || more.length > 0) throw new Error("simulate takes one scenario");
  if (values.out === undefined) throw new Error("--out takes the folder that is written to");
  const variations = (values.vary ?? []).map(variation);
  const variants = variations.reduce((product, { values: each }) => product * each.length, 1);
  if (variants > VARIANTS_MAX) throw new Error(`--vary makes ${variants} variants; at most ${VARIANTS_MAX}`);
  return {
    scenario,
    out: values.out,
    sessions: wholeNumber("sessions", values.sessions, DEFAULT_SESSIONS, 1, Number.MAX_SAFE_INTEGER),
    seed: wholeNumber("seed", values.seed, 1, 0, Number.MAX_SAFE_INTEGER),
    workers: wholeNumber("workers", values.workers, availableParallelism(), 1, WORKERS_MAX),
    variations,
    from: values.from,
    resume: values.resume ?? false,
  };
};

export const readOptions = (argv: readonly string[]): Either<string, Options> => {
  try {
    return right(parse(argv));
  } catch (fault) {
    return left(badArguments(fault));
  }
};
