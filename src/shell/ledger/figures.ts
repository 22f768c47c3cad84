/** The figures of a report as columns, for every form of it. */
import { isSome } from "fp-ts/lib/Option.js";
import {
  costField,
  freshInput,
  usageField,
  type CostField,
  type Scope,
  type Sum,
  type UsageField,
} from "../../usage/scope.js";

export interface Column {
  /** In JSON and, with underscores, in CSV. */
  readonly key: string;
  readonly title: string;
  readonly field: (scope: Scope) => UsageField | CostField;
}

const tokens = (key: string, title: string, sum: (scope: Scope) => Sum<bigint>): Column => ({
  key,
  title,
  field: (scope) => usageField(sum(scope)),
});

/** Reported by the agents and estimated from the price list stand apart: they are never added up. */
export const COLUMNS: readonly Column[] = [
  tokens("inputTokens", "input", ({ input }) => input),
  tokens("cacheReadTokens", "cache read", ({ cacheRead }) => cacheRead),
  tokens("cacheWriteTokens", "cache write", ({ cacheWrite }) => cacheWrite),
  tokens("freshInputTokens", "fresh", freshInput),
  tokens("outputTokens", "output", ({ output }) => output),
  tokens("totalTokens", "total", ({ total }) => total),
  { key: "wireReportedCostUsd", title: "reported $", field: ({ reportedCost }) => costField(reportedCost) },
  { key: "manifestEstimatedCostUsd", title: "estimated $", field: ({ estimatedCost }) => costField(estimatedCost) },
];

const grouped = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+(?!\d))/g, ",");

/** `?` where nothing is known, `≥` before a lower bound, `-` where there is nothing. */
export const shown = ({ value, incomplete }: UsageField | CostField): string => {
  if (value === null) return incomplete ? "?" : "-";
  return `${incomplete ? "≥ " : ""}${typeof value === "string" ? grouped(value) : value.toFixed(4)}`;
};

/** For the length of a bar alone: what is known of input and output, lower bounds included. */
export const extent = (scope: Scope): number =>
  [scope.input, scope.output].reduce((sum, { value }) => sum + (isSome(value) ? Number(value.value) : 0), 0);

/** The cost that a plot shows: the reported one where there is one. */
export const shownCost = ({ reportedCost, estimatedCost }: Scope): { usd: number; incomplete: boolean } | null => {
  const sum = isSome(reportedCost.value) ? reportedCost : estimatedCost;
  return isSome(sum.value) ? { usd: sum.value.value, incomplete: sum.incomplete } : null;
};

/** Names come from agents: nothing in them may move a cursor or end a line. */
export const plainName = (name: string | null): string =>
  name === null ? "(unknown)" : name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd");
