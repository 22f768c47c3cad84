/**
 * The agent's own bill: what a session has cost so far, from the usage that it reports itself. Each report holds one reply more
 * than the one before, and names who was asked for it, so every difference is billed by itself. One that cannot be leaves the
 * session without a cost for good: a sum that lacks something would be a lower bound that looks like a bill.
 */
import { isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import type { UsageReport } from "../core/update.js";
import { unseenTotals, type Accumulator, type UsageTotals } from "../core/usage.js";
import { tokensSince, unknownCounts, type Counts } from "./counts.js";
import { billedTokens, estimateCost, type BilledTokens, type PriceList } from "./price.js";

export interface CostMeter {
  readonly totals: UsageTotals;
  /** US dollars of the whole session; None once something in it could not be priced. */
  readonly costUsd: Option<number>;
}

export const newCostMeter: CostMeter = { totals: unseenTotals, costUsd: some(0) };

/** Nothing seen yet is a zero here: it is the session's own counter. */
const counter = (accumulator: Accumulator): Option<bigint> => {
  if (accumulator.kind === "broken") return none;
  return some(accumulator.kind === "exact" ? accumulator.tokens : 0n);
};

const between = (before: UsageTotals, now: UsageTotals): Counts => ({
  ...unknownCounts,
  input: tokensSince(counter(before.input), counter(now.input)),
  output: tokensSince(counter(before.output), counter(now.output)),
  cacheRead: tokensSince(counter(before.cacheRead), counter(now.cacheRead)),
  cacheWrite: tokensSince(counter(before.cacheWrite), counter(now.cacheWrite)),
});

/**
 * A reply that says nothing of its input (or output) leaves that counter where it was, and looks like one that used none. No
 * reply is without either, so the difference must show both, or nothing at all: the report that ends a turn repeats the last.
 */
const repliesWhole = (counts: Counts): Option<BilledTokens> => {
  const moved = (tokens: Option<bigint>): boolean => isSome(tokens) && tokens.value > 0n;
  return moved(counts.input) === moved(counts.output) ? billedTokens(counts) : none;
};

/** The meter after one report. `costUsd` is what may be told to the client as the session's cumulative cost. */
export const meterCost = (prices: PriceList, meter: CostMeter, report: UsageReport): CostMeter => {
  const { totals, authority, model } = report;
  const tokens = repliesWhole(between(meter.totals, totals));
  const cost =
    isSome(meter.costUsd) && isSome(tokens) && isSome(authority)
      ? estimateCost(prices, { authority: authority.value, model, cacheClass: none }, tokens.value)
      : none;
  return { totals, costUsd: isSome(cost) && isSome(meter.costUsd) ? some(meter.costUsd.value + cost.value) : none };
};
