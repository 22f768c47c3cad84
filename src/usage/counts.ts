/**
 * The six figures that are accounted for, each known or not (`spec/usage.md`). None is unknown and never 0; Some(0) is a zero that
 * somebody has reported. Tokens are unsigned 64-bit integers in `bigint`, cost is US dollars.
 */
import { isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import { COUNTER_MAX } from "../core/usage.js";

export interface Counts {
  /** Inclusive: cache reads and writes are part of it. */
  readonly input: Option<bigint>;
  readonly output: Option<bigint>;
  /** The provider's own total, never a sum of ours. */
  readonly total: Option<bigint>;
  readonly cacheRead: Option<bigint>;
  readonly cacheWrite: Option<bigint>;
  /** As the agent reported it; what a price list says is another figure (`price.ts`). */
  readonly costUsd: Option<number>;
}

export type TokenField = Exclude<keyof Counts, "costUsd">;

export const TOKEN_FIELDS = ["input", "output", "total", "cacheRead", "cacheWrite"] as const satisfies TokenField[];

export const unknownCounts: Counts = {
  input: none,
  output: none,
  total: none,
  cacheRead: none,
  cacheWrite: none,
  costUsd: none,
};

export const zeroCounts: Counts = {
  input: some(0n),
  output: some(0n),
  total: some(0n),
  cacheRead: some(0n),
  cacheWrite: some(0n),
  costUsd: some(0),
};

/** One figure of each kind from two of it. */
export const zipCounts = (
  a: Counts,
  b: Counts,
  tokens: (a: Option<bigint>, b: Option<bigint>) => Option<bigint>,
  cost: (a: Option<number>, b: Option<number>) => Option<number>,
): Counts => ({
  input: tokens(a.input, b.input),
  output: tokens(a.output, b.output),
  total: tokens(a.total, b.total),
  cacheRead: tokens(a.cacheRead, b.cacheRead),
  cacheWrite: tokens(a.cacheWrite, b.cacheWrite),
  costUsd: cost(a.costUsd, b.costUsd),
});

/** What was added between two cumulative figures; None if either is unknown or it went down. */
export const tokensSince = (before: Option<bigint>, now: Option<bigint>): Option<bigint> =>
  isSome(before) && isSome(now) && now.value >= before.value ? some(now.value - before.value) : none;

export const costSince = (before: Option<number>, now: Option<number>): Option<number> =>
  isSome(before) && isSome(now) && now.value >= before.value ? some(now.value - before.value) : none;

const sameTokens = (a: Option<bigint>, b: Option<bigint>): boolean =>
  isSome(a) ? isSome(b) && a.value === b.value : !isSome(b);

export const sameTokenCounts = (a: Counts, b: Counts): boolean =>
  TOKEN_FIELDS.every((field) => sameTokens(a[field], b[field]));

export const nothingKnown = (counts: Counts): boolean =>
  !isSome(counts.costUsd) && TOKEN_FIELDS.every((field) => !isSome(counts[field]));

/** The sum, or None where it does not fit a counter. */
export const addTokens = (a: bigint, b: bigint): Option<bigint> => (a + b > COUNTER_MAX ? none : some(a + b));

/** Cache reads and writes are parts of the input; together they cannot exceed it. An unknown part counts as none of it. */
export const cacheExceedsInput = (counts: Counts): boolean => {
  const part = (tokens: Option<bigint>): bigint => (isSome(tokens) ? tokens.value : 0n);
  return isSome(counts.input) && part(counts.cacheRead) + part(counts.cacheWrite) > counts.input.value;
};
