/** A record as a row of the index and back (`spec/usage.md` 4.2). */
import { getOrElse, isSome, none, some, toNullable, type Option } from "fp-ts/lib/Option.js";
import { COUNTER_MAX } from "../../core/usage.js";
import { unknownCounts, type Counts } from "../../usage/counts.js";
import type { PricingIdentity } from "../../usage/identity.js";
import type { MetricRow } from "../../usage/row.js";
import type { SqlRow, SqlValue } from "../sqlite.js";

const DIGITS = 20;

/** Decimal, as wide as the largest counter: text order is numeric order, and no integer type of SQLite's would hold it. */
export const toText = (tokens: bigint): string => tokens.toString().padStart(DIGITS, "0");

/** Text of another width, or beyond a counter, is unknown. */
export const fromText = (value: unknown): Option<bigint> => {
  if (typeof value !== "string" || !/^\d{20}$/.test(value)) return none;
  const tokens = BigInt(value);
  return tokens <= COUNTER_MAX ? some(tokens) : none;
};

const COUNT_COLUMNS = {
  input: "input_tokens",
  output: "output_tokens",
  total: "total_tokens",
  cacheRead: "cache_read_tokens",
  cacheWrite: "cache_write_tokens",
} as const;

const columnsOf = (prefix: "turn" | "cumulative", counts: Option<Counts>): Readonly<Record<string, SqlValue>> => {
  const { costUsd, ...tokens } = getOrElse(() => unknownCounts)(counts);
  const text = (value: Option<bigint>): SqlValue => (isSome(value) ? toText(value.value) : null);
  return {
    [`${prefix}_${COUNT_COLUMNS.input}`]: text(tokens.input),
    [`${prefix}_${COUNT_COLUMNS.output}`]: text(tokens.output),
    [`${prefix}_${COUNT_COLUMNS.total}`]: text(tokens.total),
    [`${prefix}_${COUNT_COLUMNS.cacheRead}`]: text(tokens.cacheRead),
    [`${prefix}_${COUNT_COLUMNS.cacheWrite}`]: text(tokens.cacheWrite),
    [`${prefix}_cost_usd`]: toNullable(costUsd),
  };
};

/** Column and value of everything that a valid record says. */
export const indexColumns = (row: MetricRow, scope: number): Readonly<Record<string, SqlValue>> => {
  const { metric } = row;
  const identity = toNullable(metric.pricingIdentity);
  return {
    reported_at: row.reportedAt,
    session_id: toNullable(metric.sessionId),
    turn_seq: isSome(metric.turnSeq) ? toText(metric.turnSeq.value) : null,
    harness: metric.harness,
    model: toNullable(metric.model),
    delta_reliable: metric.deltaReliable ? 1 : 0,
    ...columnsOf("turn", metric.turn),
    ...columnsOf("cumulative", metric.cumulative),
    pricing_authority: identity?.authority ?? null,
    pricing_model: identity?.model ?? null,
    pricing_cache_class: identity === null ? null : toNullable(identity.cacheClass),
    scope,
  };
};

const text = (value: unknown): Option<string> => (typeof value === "string" ? some(value) : none);
const number = (value: unknown): Option<number> => (typeof value === "number" ? some(value) : none);

const countsOf = (prefix: "turn" | "cumulative", row: SqlRow): Option<Counts> =>
  some({
    input: fromText(row[`${prefix}_${COUNT_COLUMNS.input}`]),
    output: fromText(row[`${prefix}_${COUNT_COLUMNS.output}`]),
    total: fromText(row[`${prefix}_${COUNT_COLUMNS.total}`]),
    cacheRead: fromText(row[`${prefix}_${COUNT_COLUMNS.cacheRead}`]),
    cacheWrite: fromText(row[`${prefix}_${COUNT_COLUMNS.cacheWrite}`]),
    costUsd: number(row[`${prefix}_cost_usd`]),
  });

export const identityOf = (row: SqlRow): Option<PricingIdentity> => {
  const authority = text(row["pricing_authority"]);
  const model = text(row["pricing_model"]);
  return isSome(authority) && isSome(model)
    ? some({ authority: authority.value, model: model.value, cacheClass: text(row["pricing_cache_class"]) })
    : none;
};

const empty = getOrElse(() => "");

/** The columns that `rowOf` reads, with the group beside them. */
export const LADDER_COLUMNS: readonly string[] = [
  "event",
  "agent",
  "reported_at",
  "session_id",
  "turn_seq",
  "harness",
  "model",
  "delta_reliable",
  ...["turn", "cumulative"].flatMap((prefix) =>
    [...Object.values(COUNT_COLUMNS), "cost_usd"].map((column) => `${prefix}_${column}`),
  ),
  "pricing_authority",
  "pricing_model",
  "pricing_cache_class",
  "scope",
];

/** What the ladder needs of a row of the index; the rest is in the stored JSON. */
export const rowOf = (row: SqlRow): MetricRow => ({
  id: String(row["event"]),
  agent: empty(text(row["agent"])),
  reportedAt: Number(row["reported_at"]),
  metric: {
    harness: empty(text(row["harness"])),
    timestamp: "",
    model: text(row["model"]),
    channelId: none,
    sessionId: text(row["session_id"]),
    turnSeq: fromText(row["turn_seq"]),
    turnId: none,
    acpSessionId: none,
    turn: countsOf("turn", row),
    cumulative: countsOf("cumulative", row),
    deltaReliable: row["delta_reliable"] === 1n,
    stopReason: none,
    pricingIdentity: identityOf(row),
  },
});
