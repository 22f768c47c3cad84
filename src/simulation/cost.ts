/** What a reply costs, by the price list's own arithmetic: fail-closed, an unknown part makes the whole unknown. */
import { isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import type { ReportedUsage } from "../core/usage.js";
import { unknownCounts } from "../usage/counts.js";
import { billedTokens, estimateCost, priceList, type PriceList } from "../usage/price.js";
import type { ModelScenario } from "./scenario.js";

/** The scenario's own price. Without an authority nobody bills, so there the empty name stands for it. */
export const pricesOf = ({ id, authority, usdPerMillionTokens }: ModelScenario): PriceList =>
  priceList(
    isSome(usdPerMillionTokens)
      ? [{ authority: authority ?? "", model: id, usdPerMillionTokens: usdPerMillionTokens.value }]
      : [],
  );

/** US dollars for one reply of `model`. */
export const costOf = (
  prices: PriceList,
  authority: string | null,
  model: string,
  { input, output, cacheRead, cacheWrite, total }: ReportedUsage,
): Option<number> => {
  const exactInput = input.kind === "exact" ? some(input.tokens) : none;
  const tokens = billedTokens({ ...unknownCounts, input: exactInput, output, cacheRead, cacheWrite, total });
  return isSome(tokens)
    ? estimateCost(prices, { authority: authority ?? "", model, cacheClass: none }, tokens.value)
    : none;
};
