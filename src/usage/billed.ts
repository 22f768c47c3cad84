/** Which tokens of a resolved record its identity is proven to cover. */
import { isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import { sameTokenCounts, type Counts } from "./counts.js";
import type { PricingIdentity } from "./identity.js";
import type { TurnMetric } from "./metric.js";
import { billedTokens, type BilledTokens } from "./price.js";

export interface Bill {
  readonly identity: PricingIdentity;
  readonly tokens: BilledTokens;
}

/**
 * The identity is that of the turn. So the counts must be the turn's own, as its writer knew them: a difference that holds
 * anything else (late tokens, an unreliable turn) was perhaps billed by somebody else (`spec/usage.md` 5.2, decision 7).
 */
export const billOf = (metric: TurnMetric, resolved: Counts): Option<Bill> => {
  const { pricingIdentity, turn, deltaReliable } = metric;
  if (!isSome(pricingIdentity) || !isSome(turn) || !deltaReliable) return none;
  const own = { ...turn.value, total: resolved.total };
  const tokens = sameTokenCounts(own, resolved) ? billedTokens(resolved) : none;
  return isSome(tokens) ? some({ identity: pricingIdentity.value, tokens: tokens.value }) : none;
};
