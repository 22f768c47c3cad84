/**
 * Usage accounting of the producer (`spec/turn-loop.md` 6, `spec/usage.md` 2). Unknown is never turned into a number and a
 * clamped number is never published. Counters are unsigned 64-bit integers in `bigint`.
 */
import type { Option } from "fp-ts/lib/Option.js";

/** Largest value of a counter: 2^64 − 1. */
export const COUNTER_MAX = 18446744073709551615n;

/** What one reply said about input tokens (inclusive of cache reads and writes). `overflowed`: its parts do not fit a counter. */
export type ReportedInput =
  { readonly kind: "absent" } | { readonly kind: "exact"; readonly tokens: bigint } | { readonly kind: "overflowed" };

export interface ReportedUsage {
  readonly input: ReportedInput;
  readonly output: Option<bigint>;
  /** Cache reads, a subset of input. */
  readonly cacheRead: Option<bigint>;
  /** Cache writes, a subset of input. */
  readonly cacheWrite: Option<bigint>;
  /** The provider's own total; never derived. */
  readonly total: Option<bigint>;
}

/** Broken is for ever: poisoned for input and output, unknown for the other three. */
export type Accumulator =
  { readonly kind: "unseen" } | { readonly kind: "exact"; readonly tokens: bigint } | { readonly kind: "broken" };

export interface UsageTotals {
  readonly input: Accumulator;
  readonly output: Accumulator;
  readonly cacheRead: Accumulator;
  readonly cacheWrite: Accumulator;
  readonly total: Accumulator;
}

/** Who bills the turn. Broken: two replies differ, or one was unproven. */
export type Identity =
  | { readonly kind: "unseen" }
  | { readonly kind: "proven"; readonly authority: string; readonly model: string }
  | { readonly kind: "broken" };

export const unseenTotals: UsageTotals = {
  input: { kind: "unseen" },
  output: { kind: "unseen" },
  cacheRead: { kind: "unseen" },
  cacheWrite: { kind: "unseen" },
  total: { kind: "unseen" },
};
