/** `usage_update` of `_goose/unstable/session/update` (`spec/usage.md` 1.1 to 1.4): cumulative counters of a session. */
import { isLeft, left, right, type Either } from "fp-ts/lib/Either.js";
import { isSome, none, type Option } from "fp-ts/lib/Option.js";
import type { Json } from "../core/json.js";
import { unknownCounts, type Counts, type TokenField } from "./counts.js";
import { readIdentity, type PricingIdentity } from "./identity.js";
import { isCost, readNumber, readText, readTokens } from "./read.js";

/** One notification: where the session's counters stand. */
export interface Snapshot {
  readonly counts: Counts;
  readonly model: Option<string>;
  readonly identity: Option<PricingIdentity>;
}

const KEYS: Readonly<Record<TokenField, string>> = {
  input: "accumulatedInputTokens",
  output: "accumulatedOutputTokens",
  total: "accumulatedTotalTokens",
  cacheRead: "accumulatedCachedInputTokens",
  cacheWrite: "accumulatedCacheWriteTokens",
};

const FIELDS: readonly TokenField[] = ["input", "output", "total", "cacheRead", "cacheWrite"];

/**
 * Reads the `update` of a notification. One counter that cannot be one costs the whole notification, since nobody knows what its
 * sender meant. Of a cost only a negative or infinite one is taken for unknown; it stands apart from the counters.
 */
export const readSnapshot = (update: Json | undefined): Either<string, Snapshot> => {
  let counts: Counts = unknownCounts;
  for (const field of FIELDS) {
    const tokens = readTokens(update, KEYS[field]);
    if (isLeft(tokens)) return tokens;
    counts = { ...counts, [field]: tokens.right };
  }
  const cost = readNumber(update, "accumulatedCost");
  if (isLeft(cost)) return left(cost.left);
  const costUsd = isSome(cost.right) && isCost(cost.right.value) ? cost.right : none;
  return right({
    counts: { ...counts, costUsd },
    model: readText(update, "model"),
    identity: readIdentity(update, "pricingIdentity"),
  });
};
