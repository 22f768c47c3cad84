/** What a session of our own has cost so far, by the published prices. */
import type { Option } from "fp-ts/lib/Option.js";
import type { Update } from "../../core/update.js";
import { meterCost, newCostMeter } from "../../usage/costMeter.js";
import type { PriceList } from "../../usage/price.js";
import { publishedPrices } from "./prices.js";

/** Shown every update of one session in order, it answers with US dollars; None where not every request could be priced. */
export type SessionCost = (update: Update) => Option<number>;

/** Made for the first usage of the process: an agent that was asked nothing has no use for it. */
let prices: PriceList | undefined;

export const createSessionCost = (): SessionCost => {
  let meter = newCostMeter;
  return (update) => {
    if (update.kind === "usageReported") meter = meterCost((prices ??= publishedPrices()), meter, update.report);
    return meter.costUsd;
  };
};
