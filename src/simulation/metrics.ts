/** What one simulated session amounts to: plain JSON data, whole numbers only, so that sums do not depend on their order. */
import { isLeft, left, right, type Either } from "fp-ts/lib/Either.js";
import { integer, list, option, struct, table, text, flag, counter, type Codec } from "../core/codec/basics.js";
import { explain } from "../core/codec.js";
import { isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import type { Accumulator, UsageTotals } from "../core/usage.js";
import type { Category } from "./ledger.js";
import type { Tally } from "./tally.js";
import type { World } from "./world.js";

/** What a turn can go on after. */
export type Recovery = "cutOff" | "contextExceeded" | "imageUnsupported";

/** Tokens of a session; absent where a reply did not say, or said what no counter holds. */
export type SessionTokens = Readonly<Record<Category, Option<bigint>>>;

export interface SessionMetrics {
  /** Number of the session, from 0. */
  readonly session: number;
  /** Events that were fed to `step`. */
  readonly events: number;
  /** Answered turns: by stop reason, and those that failed by kind. */
  readonly stops: Readonly<Record<string, number>>;
  readonly failures: Readonly<Record<string, number>>;
  readonly promptsRefused: number;
  /** The user left because it went on failing. */
  readonly gaveUp: boolean;
  /** Ordinary model requests. */
  readonly rounds: number;
  /** Tool calls by how they finished; `error` are results that say they failed. */
  readonly calls: Readonly<Record<string, number>>;
  readonly handoffs: Readonly<Record<string, number>>;
  readonly recoveries: Readonly<Record<string, number>>;
  readonly truncations: number;
  readonly steersAccepted: number;
  readonly steersRefused: number;
  /** HTTP attempts beyond the first, and the waits between them. */
  readonly retries: number;
  readonly waitedMs: number;
  readonly tokens: SessionTokens;
  /** Millionths of a US dollar, by the scenario's prices; absent where it is unknown. */
  readonly microUsd: Option<number>;
  /** Virtual time of each turn, from prompt to answer. */
  readonly turnMs: readonly number[];
  /** Virtual time of the session. */
  readonly durationMs: number;
  /** How full the window was, in thousandths: at most, and on average over the replies. */
  readonly peakPermille: number;
  readonly meanPermille: number;
  /** What is not conserved; empty in a sound run. */
  readonly differences: readonly string[];
}

const counts = table(integer);
const tokens = option(counter);

export const metricsCodec: Codec<SessionMetrics> = struct<SessionMetrics>("session metrics", {
  session: integer,
  events: integer,
  stops: counts,
  failures: counts,
  promptsRefused: integer,
  gaveUp: flag,
  rounds: integer,
  calls: counts,
  handoffs: counts,
  recoveries: counts,
  truncations: integer,
  steersAccepted: integer,
  steersRefused: integer,
  retries: integer,
  waitedMs: integer,
  tokens: struct<SessionTokens>("tokens", {
    input: tokens,
    output: tokens,
    cacheRead: tokens,
    cacheWrite: tokens,
    total: tokens,
  }),
  microUsd: option(integer),
  turnMs: list(integer),
  durationMs: integer,
  peakPermille: integer,
  meanPermille: integer,
  differences: list(text),
});

/** One line of JSON, the same for the same metrics. */
export const metricsLine = (metrics: SessionMetrics): string => JSON.stringify(metricsCodec.encode(metrics));

/** The other way, or what is wrong with the line. */
export const readMetricsLine = (line: string): Either<string, SessionMetrics> => {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return left("not JSON");
  }
  const read = metricsCodec.decode(value);
  return isLeft(read) ? left(explain(read.left)) : right(read.right);
};

/** Nothing seen is nothing used; broken is unknown. */
const known = (accumulator: Accumulator): Option<bigint> =>
  accumulator.kind === "broken" ? none : some(accumulator.kind === "exact" ? accumulator.tokens : 0n);

const tokensOf = ({ input, output, cacheRead, cacheWrite, total }: UsageTotals): SessionTokens => ({
  input: known(input),
  output: known(output),
  cacheRead: known(cacheRead),
  cacheWrite: known(cacheWrite),
  total: known(total),
});

/** Counts with their keys in order, so that equal counts are written equally. */
const ordered = (from: Readonly<Partial<Record<string, number>>>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(from)
      .flatMap(([key, n]) => (n === undefined ? [] : [[key, n] as const]))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

export const metricsOf = (
  session: number,
  tally: Tally,
  world: World,
  differences: readonly string[],
): SessionMetrics => ({
  session,
  events: tally.events,
  stops: ordered(tally.stops),
  failures: ordered(tally.failures),
  promptsRefused: tally.promptsRefused,
  gaveUp: world.gaveUp,
  rounds: tally.rounds,
  calls: ordered(tally.calls),
  handoffs: ordered(tally.handoffs),
  recoveries: ordered(tally.recoveries),
  truncations: tally.truncations,
  steersAccepted: tally.steersAccepted,
  steersRefused: tally.steersRefused,
  retries: tally.retries,
  waitedMs: tally.waitedMs,
  tokens: tokensOf(tally.reported),
  microUsd: isSome(tally.cost) ? some(Math.round(1e6 * tally.cost.value)) : none,
  turnMs: tally.turnMs,
  durationMs: tally.endedMs,
  peakPermille: tally.peakPermille,
  meanPermille: tally.readings === 0 ? 0 : Math.round(tally.sumPermille / tally.readings),
  differences,
});
