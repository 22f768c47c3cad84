/** Sums over records, for any grouping of them (`spec/usage.md` 4.7 to 4.9). */
import { isNone, isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import { addTokens, type Counts } from "./counts.js";

/**
 * A sum and whether it is all. None and complete: nothing was added. None and incomplete: nothing of what was added is known. A
 * value that is incomplete is a lower bound.
 */
export interface Sum<A> {
  readonly value: Option<A>;
  readonly incomplete: boolean;
}

export interface Scope {
  readonly input: Sum<bigint>;
  readonly output: Sum<bigint>;
  readonly total: Sum<bigint>;
  readonly cacheRead: Sum<bigint>;
  readonly cacheWrite: Sum<bigint>;
  /** US dollars as the agents reported them. */
  readonly reportedCost: Sum<number>;
  /** US dollars by the price list. Never mixed with the reported ones. */
  readonly estimatedCost: Sum<number>;
  readonly reports: number;
  /** Holes in the sequences of sessions, seen from the record behind each. They flag nothing; the sums lack what is missing. */
  readonly gaps: number;
}

const nothing = { value: none, incomplete: false };

export const emptyScope: Scope = {
  input: nothing,
  output: nothing,
  total: nothing,
  cacheRead: nothing,
  cacheWrite: nothing,
  reportedCost: nothing,
  estimatedCost: nothing,
  reports: 0,
  gaps: 0,
};

const addCost = (a: number, b: number): Option<number> => (Number.isFinite(a + b) ? some(a + b) : none);

/** The sum with another beside it. What does not fit any more is left out, and the sum is a lower bound from there on. */
const addSum = <A>(sum: Sum<A>, other: Sum<A>, add: (a: A, b: A) => Option<A>): Sum<A> => {
  const incomplete = sum.incomplete || other.incomplete;
  if (isNone(other.value)) return { value: sum.value, incomplete };
  if (isNone(sum.value)) return { value: other.value, incomplete };
  const value = add(sum.value.value, other.value.value);
  return isSome(value) ? { value, incomplete } : { value: sum.value, incomplete: true };
};

export const mergeScopes = (a: Scope, b: Scope): Scope => ({
  input: addSum(a.input, b.input, addTokens),
  output: addSum(a.output, b.output, addTokens),
  total: addSum(a.total, b.total, addTokens),
  cacheRead: addSum(a.cacheRead, b.cacheRead, addTokens),
  cacheWrite: addSum(a.cacheWrite, b.cacheWrite, addTokens),
  reportedCost: addSum(a.reportedCost, b.reportedCost, addCost),
  estimatedCost: addSum(a.estimatedCost, b.estimatedCost, addCost),
  reports: a.reports + b.reports,
  gaps: a.gaps + b.gaps,
});

const one = <A>(value: Option<A>): Sum<A> => ({ value, incomplete: isNone(value) });

/** The scope of a single record. */
export const scopeOf = (counts: Counts, estimatedCost: Option<number>, gap: boolean): Scope => ({
  input: one(counts.input),
  output: one(counts.output),
  total: one(counts.total),
  cacheRead: one(counts.cacheRead),
  cacheWrite: one(counts.cacheWrite),
  reportedCost: one(counts.costUsd),
  estimatedCost: one(estimatedCost),
  reports: 1,
  gaps: gap ? 1 : 0,
});

/** Input that was neither read from a cache nor written to one, all or nothing: never a lower bound. */
export const freshInput = ({ input, cacheRead, cacheWrite }: Scope): Sum<bigint> => {
  const unknown = { value: none, incomplete: true };
  if (input.incomplete) return unknown;
  if (isNone(input.value)) return nothing;
  if (cacheRead.incomplete || cacheWrite.incomplete) return unknown;
  if (isNone(cacheRead.value) || isNone(cacheWrite.value)) return unknown;
  const cached = addTokens(cacheRead.value.value, cacheWrite.value.value);
  return isSome(cached) && cached.value <= input.value.value
    ? { value: some(input.value.value - cached.value), incomplete: false }
    : unknown;
};

/** Whether any of the reported figures, or the fresh input, is less than all. The estimate has its own flag. */
export const hasUnknownUsage = (scope: Scope): boolean =>
  [scope.input, scope.output, scope.total, scope.cacheRead, scope.cacheWrite, scope.reportedCost].some(
    (sum) => sum.incomplete,
  ) || freshInput(scope).incomplete;

export interface UsageField {
  /** Decimal digits: the full range survives JSON. */
  readonly value: string | null;
  readonly incomplete: boolean;
}

export interface CostField {
  readonly value: number | null;
  readonly incomplete: boolean;
}

/** The seven figures of a scope in the wire's words. Despite its name `estimatedCostUsd` is what the agents reported. */
export interface UsageFields {
  readonly inputTokens: UsageField;
  readonly outputTokens: UsageField;
  readonly totalTokens: UsageField;
  readonly estimatedCostUsd: CostField;
  readonly cacheReadTokens: UsageField;
  readonly cacheWriteTokens: UsageField;
  readonly freshInputTokens: UsageField;
}

export const usageField = ({ value, incomplete }: Sum<bigint>): UsageField => ({
  value: isSome(value) ? value.value.toString() : null,
  incomplete,
});

export const costField = ({ value, incomplete }: Sum<number>): CostField => ({
  value: isSome(value) ? value.value : null,
  incomplete,
});

export const usageFields = (scope: Scope): UsageFields => ({
  inputTokens: usageField(scope.input),
  outputTokens: usageField(scope.output),
  totalTokens: usageField(scope.total),
  estimatedCostUsd: costField(scope.reportedCost),
  cacheReadTokens: usageField(scope.cacheRead),
  cacheWriteTokens: usageField(scope.cacheWrite),
  freshInputTokens: usageField(freshInput(scope)),
});
