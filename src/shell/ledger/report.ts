/** What a report shows: rows of one grouping in their order, and their total. */
import { fromNullable } from "fp-ts/lib/Option.js";
import { compareBytes, compareNames, compareScopes } from "../../usage/order.js";
import { emptyScope, mergeScopes, type Scope } from "../../usage/scope.js";
import { groupParts, type Part } from "./query.js";

export const GROUPINGS = ["agent", "model", "day", "session"] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Names of a row, by column; null is unknown. */
export type Names = Readonly<Record<string, string | null>>;

export interface ReportRow {
  readonly names: Names;
  readonly scope: Scope;
}

export interface Report {
  readonly by: Grouping;
  /** As it was asked for, or undefined. */
  readonly since: string | undefined;
  readonly rows: readonly ReportRow[];
  readonly total: Scope;
  /** Stored records that could not be read. */
  readonly invalid: number;
}

const namesOf: Readonly<Record<Grouping, (part: Part) => Names>> = {
  agent: ({ agent }) => ({ agent }),
  model: ({ harness, model }) => ({ harness, model }),
  day: ({ day }) => ({ day }),
  session: ({ agent, session }) => ({ agent, session }),
};

const byNames = (a: Names, b: Names): number => {
  for (const key of Object.keys(a)) {
    const order = compareNames(fromNullable(a[key]), fromNullable(b[key]));
    if (order !== 0) return order;
  }
  return 0;
};

/** Days in their own order, everything else with the largest use first. */
const orderOf = (by: Grouping): ((a: ReportRow, b: ReportRow) => number) =>
  by === "day"
    ? (a, b) => compareBytes(a.names["day"] ?? "", b.names["day"] ?? "")
    : (a, b) => compareScopes(a.scope, b.scope) || byNames(a.names, b.names);

/** Sums a grouping up. Parts that differ in nothing that is shown become one row. */
export const reportRows = (parts: readonly Part[], by: Grouping): readonly ReportRow[] => {
  const names = new Map<string, Names>();
  const groups = groupParts(parts, (part) => {
    const own = namesOf[by](part);
    const key = JSON.stringify(own);
    names.set(key, own);
    return key;
  });
  return [...groups].map(([key, scope]) => ({ names: names.get(key) ?? {}, scope })).toSorted(orderOf(by));
};

export const totalOf = (rows: readonly ReportRow[]): Scope =>
  rows.reduce((sum, { scope }) => mergeScopes(sum, scope), emptyScope);
