/**
 * What a turn used, from its own record and the one before it (`spec/usage.md` 4.5). The difference of two cumulative figures
 * wins over what the turn says of itself; across a gap, a double or another session there is no difference.
 */
import { isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import { cacheExceedsInput, costSince, tokensSince, unknownCounts, type Counts } from "./counts.js";
import type { TurnMetric } from "./metric.js";
import { placeOf } from "./row.js";

/**
 * The record to take the difference from. `own` counts the valid records at the metric's own place, itself included;
 * `predecessors` are those at the place before it, wherever in time they are. All of one agent and session.
 */
export const baselineOf = (
  metric: TurnMetric,
  own: number,
  predecessors: readonly TurnMetric[],
): Option<TurnMetric> => {
  const place = placeOf(metric);
  const [only, ...more] = predecessors;
  return isSome(place) && place.value.seq > 0n && own === 1 && only !== undefined && more.length === 0
    ? some(only)
    : none;
};

const resolveField = <A>(
  since: (before: Option<A>, now: Option<A>) => Option<A>,
  before: Option<A>,
  now: Option<A>,
  direct: Option<A>,
): Option<A> => (isSome(before) && isSome(now) ? since(before, now) : direct);

/** The resolved counts of one record, each known or not on its own. */
export const resolve = (metric: TurnMetric, baseline: Option<TurnMetric>): Counts => {
  const before = orUnknown(isSome(baseline) ? baseline.value.cumulative : none);
  const now = orUnknown(metric.cumulative);
  const direct = metric.deltaReliable ? orUnknown(metric.turn) : unknownCounts;
  const counts: Counts = {
    input: resolveField(tokensSince, before.input, now.input, direct.input),
    output: resolveField(tokensSince, before.output, now.output, direct.output),
    total: resolveField(tokensSince, before.total, now.total, direct.total),
    cacheRead: resolveField(tokensSince, before.cacheRead, now.cacheRead, direct.cacheRead),
    cacheWrite: resolveField(tokensSince, before.cacheWrite, now.cacheWrite, direct.cacheWrite),
    costUsd: resolveField(costSince, before.costUsd, now.costUsd, direct.costUsd),
  };
  // A sum over the scope could hide it: one turn's surplus would pass for another's room (decision 12).
  return cacheExceedsInput(counts) ? { ...counts, cacheRead: none, cacheWrite: none } : counts;
};

const orUnknown = (counts: Option<Counts>): Counts => (isSome(counts) ? counts.value : unknownCounts);
