/**
 * Resolved records as rows that can be added up by SQLite: a report over a million of them is one pass over a narrow table.
 *
 * Two things make its sums exact. A row with a figure so large that sums of such could leave 64 bits is marked wide and added up
 * by us. And rows are grouped by which of their billed parts are not zero, so that the price of a group's sum is the sum of its
 * prices: a part whose rate is unknown then concerns all rows of a group or none.
 */
import { isSome, none, some, toNullable, type Option } from "fp-ts/lib/Option.js";
import { TOKEN_FIELDS, type Counts } from "../../usage/counts.js";
import type { BilledTokens } from "../../usage/price.js";
import type { Resolved } from "../../usage/resolved.js";
import type { SqlRow, SqlValue } from "../sqlite.js";
import { fromText, toText } from "./columns.js";

/** 2^31 of these still fit a signed 64-bit sum. */
const NARROW_TOKENS_MAX = 2n ** 32n;
const NARROW_COST_MAX = 1e15;

export const NOT_BILLED = 0;

/** NOT_BILLED where no price list may be applied, else odd, with a bit for each part that is not zero. */
export const billMask = (tokens: Option<BilledTokens>): number => {
  if (!isSome(tokens)) return NOT_BILLED;
  const { fresh, cacheRead, cacheWrite, output } = tokens.value;
  return (
    1 + [fresh, cacheRead, cacheWrite, output].reduce((mask, part, at) => mask + (part > 0n ? 2 ** (at + 1) : 0), 0)
  );
};

const isWide = (counts: Counts): boolean =>
  (isSome(counts.costUsd) && counts.costUsd.value >= NARROW_COST_MAX) ||
  TOKEN_FIELDS.some((field) => {
    const tokens = counts[field];
    return isSome(tokens) && tokens.value >= NARROW_TOKENS_MAX;
  });

export const RESOLVED_COLUMNS = [
  "bill",
  "gap",
  "wide",
  "input",
  "output",
  "total",
  "cache_read",
  "cache_write",
  "cost_usd",
] as const;

/** Values in the order of the columns. */
export const resolvedValues = ({ counts, bill, gap }: Resolved): readonly SqlValue[] => {
  const wide = isWide(counts);
  const tokens = (value: Option<bigint>): SqlValue => {
    if (!isSome(value)) return null;
    return wide ? toText(value.value) : value.value;
  };
  return [
    billMask(isSome(bill) ? some(bill.value.tokens) : none),
    gap ? 1 : 0,
    wide ? 1 : 0,
    tokens(counts.input),
    tokens(counts.output),
    tokens(counts.total),
    tokens(counts.cacheRead),
    tokens(counts.cacheWrite),
    toNullable(counts.costUsd),
  ];
};

const tokensOf = (value: unknown): Option<bigint> => (typeof value === "bigint" ? some(value) : fromText(value));

/** The counts of a wide row, or the sums of a group of narrow ones. */
export const countsOf = (row: SqlRow): Counts => ({
  input: tokensOf(row["input"]),
  output: tokensOf(row["output"]),
  total: tokensOf(row["total"]),
  cacheRead: tokensOf(row["cache_read"]),
  cacheWrite: tokensOf(row["cache_write"]),
  costUsd: typeof row["cost_usd"] === "number" ? some(row["cost_usd"]) : none,
});
