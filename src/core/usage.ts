/**
 * Usage accounting of the producer (`spec/turn-loop.md` 6, `spec/usage.md` 2). Unknown is never turned into a number and a
 * clamped number is never published. Counters are unsigned 64-bit integers in `bigint`.
 */
import { isNone, isSome, type Option } from "fp-ts/lib/Option.js";
import { assertNever } from "./never.js";

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

const UNSEEN: Accumulator = { kind: "unseen" };
const BROKEN: Accumulator = { kind: "broken" };

export const unseenTotals: UsageTotals = {
  input: UNSEEN,
  output: UNSEEN,
  cacheRead: UNSEEN,
  cacheWrite: UNSEEN,
  total: UNSEEN,
};

const add = (accumulator: Accumulator, tokens: bigint): Accumulator => {
  if (accumulator.kind === "broken") return accumulator;
  const sum = (accumulator.kind === "exact" ? accumulator.tokens : 0n) + tokens;
  return tokens < 0n || sum > COUNTER_MAX ? BROKEN : { kind: "exact", tokens: sum };
};

/** Input and output: a reply without the value changes nothing. */
const addIfKnown = (accumulator: Accumulator, tokens: Option<bigint>): Accumulator =>
  isSome(tokens) ? add(accumulator, tokens.value) : accumulator;

/** Cache read, cache write and total: a reply without the value breaks the accumulator, since the sum would be a lower bound. */
const addOrBreak = (accumulator: Accumulator, tokens: Option<bigint>): Accumulator =>
  isSome(tokens) ? add(accumulator, tokens.value) : BROKEN;

const addInput = (accumulator: Accumulator, input: ReportedInput): Accumulator => {
  switch (input.kind) {
    case "absent":
      return accumulator;
    case "exact":
      return add(accumulator, input.tokens);
    case "overflowed":
      return BROKEN;
  }
  return assertNever(input);
};

/** Whether a reply says anything that counts; one that bears only a total does not. */
export const isUsageBearing = (usage: ReportedUsage): boolean => usage.input.kind !== "absent" || isSome(usage.output);

/** Folds one usage-bearing reply in. A reply that bears none changes nothing. */
export const foldUsage = (totals: UsageTotals, usage: ReportedUsage): UsageTotals =>
  isUsageBearing(usage)
    ? {
        input: addInput(totals.input, usage.input),
        output: addIfKnown(totals.output, usage.output),
        cacheRead: addOrBreak(totals.cacheRead, usage.cacheRead),
        cacheWrite: addOrBreak(totals.cacheWrite, usage.cacheWrite),
        total: addOrBreak(totals.total, usage.total),
      }
    : totals;

const mergeAccumulators = (session: Accumulator, turn: Accumulator): Accumulator => {
  switch (turn.kind) {
    case "unseen":
      return session;
    case "exact":
      return add(session, turn.tokens);
    case "broken":
      return BROKEN;
  }
  return assertNever(turn);
};

/** The session's totals with those of a turn on top. */
export const mergeUsage = (session: UsageTotals, turn: UsageTotals): UsageTotals => ({
  input: mergeAccumulators(session.input, turn.input),
  output: mergeAccumulators(session.output, turn.output),
  cacheRead: mergeAccumulators(session.cacheRead, turn.cacheRead),
  cacheWrite: mergeAccumulators(session.cacheWrite, turn.cacheWrite),
  total: mergeAccumulators(session.total, turn.total),
});

/** Folds the identity of one usage-bearing reply in: the first sets it, a different or unproven one breaks it for the turn. */
export const foldIdentity = (identity: Identity, authority: Option<string>, model: string): Identity => {
  if (identity.kind === "broken" || isNone(authority)) return { kind: "broken" };
  if (identity.kind === "unseen") return { kind: "proven", authority: authority.value, model };
  return identity.authority === authority.value && identity.model === model ? identity : { kind: "broken" };
};
