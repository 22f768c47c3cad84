/** Sums out of the ledger: SQLite adds up groups of resolved records, the rest is `src/usage`. */
import { isSome, none, type Option } from "fp-ts/lib/Option.js";
import { billedTokens, estimateCost, type PriceList } from "../../usage/price.js";
import { emptyScope, mergeScopes, scopeOf, type Scope, type Sum } from "../../usage/scope.js";
import type { SqlRow } from "../sqlite.js";
import { identityOf } from "./columns.js";
import type { Database } from "./database.js";
import { countsOf, NOT_BILLED } from "./resolvedRow.js";

export interface Question {
  /** Seconds since 1970, inclusive. */
  readonly since: number | undefined;
  /** Whether days are told apart; they are those of this machine's time zone. */
  readonly byDay: boolean;
}

/** One part of the ledger, with everything that a report may group by. */
export interface Part {
  readonly agent: string;
  readonly harness: string;
  readonly model: string | null;
  readonly session: string | null;
  /** `2026-08-01`, or "" where days are not told apart. */
  readonly day: string;
  readonly scope: Scope;
}

const DAY = "date(reported_at, 'unixepoch', 'localtime')";
const FIGURES = ["input", "output", "total", "cache_read", "cache_write", "cost_usd"] as const;
const SUMS = FIGURES.map((column) => `SUM(${column}) AS ${column}, COUNT(${column}) AS ${column}_known`).join(", ");
const SCOPES = `SELECT * FROM usage_scopes`;

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** The price of a group of rows that share identity and mask, or of a single row. */
const estimate = (prices: PriceList, scope: SqlRow, row: SqlRow): Option<number> => {
  const identity = identityOf(scope);
  const tokens = billedTokens(countsOf(row));
  return Number(row["bill"]) !== NOT_BILLED && isSome(identity) && isSome(tokens)
    ? estimateCost(prices, identity.value, tokens.value)
    : none;
};

/** A group whose rows are not all known is a lower bound. */
const groupScope = (prices: PriceList, scope: SqlRow, row: SqlRow): Scope => {
  const reports = Number(row["reports"]);
  const sums = scopeOf(countsOf(row), estimate(prices, scope, row), false);
  const part = <A>(sum: Sum<A>, column: (typeof FIGURES)[number]): Sum<A> => ({
    value: sum.value,
    incomplete: Number(row[`${column}_known`]) < reports,
  });
  return {
    input: part(sums.input, "input"),
    output: part(sums.output, "output"),
    total: part(sums.total, "total"),
    cacheRead: part(sums.cacheRead, "cache_read"),
    cacheWrite: part(sums.cacheWrite, "cache_write"),
    reportedCost: part(sums.reportedCost, "cost_usd"),
    estimatedCost: sums.estimatedCost,
    reports,
    gaps: Number(row["gaps"]),
  };
};

/** Parts of the ledger in no particular order; a group may come in several of them. */
export const readParts = (database: Database, prices: PriceList, question: Question): readonly Part[] => {
  const { since, byDay } = question;
  const day = byDay ? `${DAY} AS day` : "'' AS day";
  const after = since === undefined ? "" : "AND reported_at >= ?";
  const bound = since === undefined ? [] : [since];
  const scopes = new Map(database.all(SCOPES).map((row) => [row["scope"], row]));
  const narrow = database.all(
    `SELECT scope, bill, ${day}, COUNT(*) AS reports, SUM(gap) AS gaps, ${SUMS}
      FROM resolved_usage WHERE wide = 0 ${after} GROUP BY scope, bill${byDay ? ", day" : ""}`,
    ...bound,
  );
  const wide = database.all(
    `SELECT *, ${day} FROM resolved_usage WHERE wide = 1 ${after} ORDER BY reported_at, event`,
    ...bound,
  );
  const part = (row: SqlRow, sum: (scope: SqlRow) => Scope): Part => {
    const scope = scopes.get(row["scope"]) ?? {};
    return {
      agent: text(scope["agent"]) ?? "",
      harness: text(scope["harness"]) ?? "",
      model: text(scope["model"]),
      session: text(scope["session"]),
      day: text(row["day"]) ?? "",
      scope: sum(scope),
    };
  };
  return [
    ...narrow.map((row) => part(row, (scope) => groupScope(prices, scope, row))),
    ...wide.map((row) =>
      part(row, (scope) => scopeOf(countsOf(row), estimate(prices, scope, row), Number(row["gap"]) === 1)),
    ),
  ];
};

/** How many stored records could not be read. */
export const countInvalid = (database: Database, since: number | undefined): number =>
  Number(
    database.all(
      "SELECT COUNT(*) AS n FROM agent_metric_index WHERE parse_status = 'invalid' AND event_created_at >= ?",
      since ?? Number.MIN_SAFE_INTEGER,
    )[0]?.["n"] ?? 0,
  );

/** Adds parts up by a key, in the order in which the keys come. */
export const groupParts = <K extends string>(parts: readonly Part[], key: (part: Part) => K): ReadonlyMap<K, Scope> => {
  const groups = new Map<K, Scope>();
  for (const part of parts) groups.set(key(part), mergeScopes(groups.get(key(part)) ?? emptyScope, part.scope));
  return groups;
};
