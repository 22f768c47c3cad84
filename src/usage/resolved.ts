/** All records of an archive, each resolved by the ladder among its neighbours. */
import { isSome, none, type Option } from "fp-ts/lib/Option.js";
import { billOf, type Bill } from "./billed.js";
import type { Counts } from "./counts.js";
import { baselineOf, resolve } from "./ladder.js";
import { placeOf, type MetricRow } from "./row.js";

export interface Resolved {
  readonly counts: Counts;
  /** What a price list may be applied to. */
  readonly bill: Option<Bill>;
  /** The record before this one is missing although the series had begun by then. */
  readonly gap: boolean;
}

export interface ResolvedRow extends Resolved {
  readonly row: MetricRow;
}

/** The records that decide how one is resolved, all valid and of its own agent and series. */
export interface Neighbours {
  /** At its own place, itself included. */
  readonly own: number;
  /** At the place before it. */
  readonly before: readonly MetricRow[];
  /** Whether there is any at a lower place. */
  readonly began: boolean;
}

export const alone: Neighbours = { own: 1, before: [], began: false };

export const resolveRow = (row: MetricRow, { own, before, began }: Neighbours): Resolved => {
  const counts = resolve(
    row.metric,
    baselineOf(
      row.metric,
      own,
      before.map(({ metric }) => metric),
    ),
  );
  return { counts, bill: billOf(row.metric, counts), gap: began && before.length === 0 };
};

const neighboursIn = (series: ReadonlyMap<bigint, readonly MetricRow[]>, lowest: bigint, seq: bigint): Neighbours => ({
  own: series.get(seq)?.length ?? 0,
  before: series.get(seq - 1n) ?? [],
  began: lowest < seq,
});

/** Copies of a record count once; their order does not matter. */
export const resolveRows = (rows: readonly MetricRow[]): readonly ResolvedRow[] => {
  const unique = [...new Map(rows.map((row) => [row.id, row])).values()];
  const all = new Map<string, Map<bigint, MetricRow[]>>();
  const lowest = new Map<string, bigint>();
  for (const row of unique) {
    const place = placeOf(row.metric);
    if (!isSome(place)) continue;
    const { seq, sessionId } = place.value;
    const key = JSON.stringify([row.agent, sessionId]);
    const series = all.get(key) ?? new Map<bigint, MetricRow[]>();
    all.set(key, series.set(seq, [...(series.get(seq) ?? []), row]));
    const low = lowest.get(key);
    if (low === undefined || seq < low) lowest.set(key, seq);
  }
  return unique.map((row) => {
    const place = placeOf(row.metric);
    if (!isSome(place)) return { row, ...resolveRow(row, alone) };
    const { seq, sessionId } = place.value;
    const key = JSON.stringify([row.agent, sessionId]);
    return { row, ...resolveRow(row, neighboursIn(all.get(key) ?? new Map(), lowest.get(key) ?? seq, seq)) };
  });
};

export const estimateOf = ({ bill }: Resolved, estimate: (bill: Bill) => Option<number>): Option<number> =>
  isSome(bill) ? estimate(bill.value) : none;
