/** Usage over time, by agent and by model: the roll-up of a client's window (`spec/usage.md` 4.4, 4.10). */
import { left, right, type Either } from "fp-ts/lib/Either.js";
import { isSome, none, some, toNullable, type Option } from "fp-ts/lib/Option.js";
import { compareBytes, compareNames, compareScopes } from "./order.js";
import { estimateCost, type PriceList } from "./price.js";
import { estimateOf, resolveRows, type ResolvedRow } from "./resolved.js";
import type { MetricRow } from "./row.js";
import { costField, emptyScope, hasUnknownUsage, mergeScopes, scopeOf, usageFields } from "./scope.js";
import type { CostField, Scope, UsageFields } from "./scope.js";

export interface SeriesRequest {
  /** Seconds since 1970, n + 1 of them for n buckets: local midnights, as the asking side has them. */
  readonly boundaries: readonly number[];
  readonly agent: Option<string>;
}

const BOUNDARIES_MAX = 367;
/** A day with a changed clock, or one that a calendar skipped, still fits. */
const BUCKET_SECONDS_MAX = 48 * 3600;
/** The last instant that ECMAScript has a date for. */
const SECONDS_MAX = 8_640_000_000_000;

/** Left: what is wrong with the boundaries, in one line. */
export const checkBoundaries = (boundaries: readonly number[]): Either<string, readonly number[]> => {
  if (boundaries.length < 2 || boundaries.length > BOUNDARIES_MAX)
    return left(`2 to ${BOUNDARIES_MAX} boundaries, please`);
  if (!boundaries.every((at) => Number.isSafeInteger(at) && Math.abs(at) <= SECONDS_MAX))
    return left("a boundary is no whole second of a calendar");
  const lengths = boundaries.slice(1).map((at, index) => at - (boundaries[index] ?? at));
  if (lengths.some((seconds) => seconds <= 0)) return left("boundaries must rise");
  return lengths.some((seconds) => seconds > BUCKET_SECONDS_MAX)
    ? left("a bucket is longer than 48 hours")
    : right(boundaries);
};

export interface Figures {
  readonly usage: UsageFields;
  readonly manifestEstimatedCostUsd: CostField;
  readonly reportCount: number;
  readonly gaps: number;
  readonly hasUnknownUsage: boolean;
}

export interface Bucket extends Figures {
  /** Inclusive. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export interface ModelUsage extends Figures {
  readonly harness: string;
  readonly model: string | null;
}

export interface AgentUsage extends Figures {
  readonly agent: string;
  readonly buckets: readonly Bucket[];
  readonly models: readonly ModelUsage[];
}

export interface Coverage {
  readonly firstReportedAt: number | null;
  readonly lastReportedAt: number | null;
  readonly reportCount: number;
  readonly invalidReportCount: number;
  readonly hasUnknownUsage: boolean;
}

export interface UsageSeries {
  readonly buckets: readonly Bucket[];
  readonly agents: readonly AgentUsage[];
  readonly coverage: Coverage;
  /** Null where no agent was asked for. */
  readonly hasArchivedEvidence: boolean | null;
}

/** All that an archive holds. Rows outside the window matter too: the record before one may be one of them. */
export interface Archive {
  readonly rows: readonly MetricRow[];
  /** Rows that could not be read, by agent and the time at which they came, in seconds. */
  readonly invalid: readonly { readonly agent: string; readonly receivedAt: number }[];
}

export const figuresOf = (scope: Scope): Figures => ({
  usage: usageFields(scope),
  manifestEstimatedCostUsd: costField(scope.estimatedCost),
  reportCount: scope.reports,
  gaps: scope.gaps,
  hasUnknownUsage: hasUnknownUsage(scope),
});

interface Entry {
  readonly row: MetricRow;
  readonly scope: Scope;
}

const sumOf = (entries: readonly Entry[]): Scope =>
  entries.reduce((sum, { scope }) => mergeScopes(sum, scope), emptyScope);

const groupBy = (entries: readonly Entry[], key: (row: MetricRow) => string): readonly (readonly Entry[])[] => {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(key(entry.row));
    if (group === undefined) groups.set(key(entry.row), [entry]);
    else group.push(entry);
  }
  return [...groups.values()];
};

const bucketsOf = (entries: readonly Entry[], boundaries: readonly number[]): readonly Bucket[] =>
  boundaries.slice(1).map((end, index) => {
    const start = boundaries[index] ?? end;
    const inside = entries.filter(({ row }) => row.reportedAt >= start && row.reportedAt < end);
    return { start, end, ...figuresOf(sumOf(inside)) };
  });

interface Group {
  readonly first: MetricRow;
  readonly entries: readonly Entry[];
  readonly sum: Scope;
}

const ranked = (
  entries: readonly Entry[],
  key: (row: MetricRow) => string,
  ties: (a: MetricRow, b: MetricRow) => number,
): readonly Group[] =>
  groupBy(entries, key)
    .flatMap((group) => (group[0] === undefined ? [] : [{ first: group[0].row, entries: group, sum: sumOf(group) }]))
    .toSorted((a, b) => compareScopes(a.sum, b.sum) || ties(a.first, b.first));

const modelsOf = (entries: readonly Entry[]): readonly ModelUsage[] =>
  ranked(
    entries,
    ({ metric }) => JSON.stringify([metric.harness, toNullable(metric.model)]),
    (a, b) => compareBytes(a.metric.harness, b.metric.harness) || compareNames(a.metric.model, b.metric.model),
  ).map(({ first, sum }) => ({
    harness: first.metric.harness,
    model: toNullable(first.metric.model),
    ...figuresOf(sum),
  }));

/** A fixed order of adding, so that the last bit of a cost does not depend on the order of the rows. */
const byTime = (a: ResolvedRow, b: ResolvedRow): number =>
  a.row.reportedAt - b.row.reportedAt || compareBytes(a.row.id, b.row.id);

export const usageSeries = (archive: Archive, prices: PriceList, request: SeriesRequest): UsageSeries => {
  const { boundaries, agent } = request;
  const [from, until] = [boundaries[0] ?? 0, boundaries.at(-1) ?? 0];
  const asked = (name: string): boolean => !isSome(agent) || agent.value === name;
  const entries = resolveRows(archive.rows)
    .filter(({ row }) => asked(row.agent) && row.reportedAt >= from && row.reportedAt < until)
    .toSorted(byTime)
    .map((resolved) => ({
      row: resolved.row,
      scope: scopeOf(
        resolved.counts,
        estimateOf(resolved, ({ identity, tokens }) => estimateCost(prices, identity, tokens)),
        resolved.gap,
      ),
    }));
  const agents = ranked(
    entries,
    (row) => row.agent,
    (a, b) => compareBytes(a.agent, b.agent),
  ).map((group) => ({
    agent: group.first.agent,
    ...figuresOf(group.sum),
    buckets: bucketsOf(group.entries, boundaries),
    models: modelsOf(group.entries),
  }));
  const buckets = bucketsOf(entries, boundaries);
  const invalid = archive.invalid.filter(
    (row) => asked(row.agent) && row.receivedAt >= from && row.receivedAt < until,
  ).length;
  return {
    buckets,
    agents,
    coverage: {
      firstReportedAt: toNullable(reportedAt(entries[0])),
      lastReportedAt: toNullable(reportedAt(entries.at(-1))),
      reportCount: entries.length,
      invalidReportCount: invalid,
      hasUnknownUsage: invalid > 0 || [...buckets, ...agents].some((figures) => figures.hasUnknownUsage),
    },
    hasArchivedEvidence: isSome(agent)
      ? archive.rows.some((row) => asked(row.agent)) || archive.invalid.some((row) => asked(row.agent))
      : null,
  };
};

const reportedAt = (entry: Entry | undefined): Option<number> =>
  entry === undefined ? none : some(entry.row.reportedAt);
