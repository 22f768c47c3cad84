/** The session's counters for buzz-acp and goose (`spec/usage.md` 1.1). Unknown is an absent key: never null, never clamped. */
import type { JsonObject } from "../../core/json.js";
import type { UsageReport } from "../../core/update.js";
import { COUNTER_MAX, type Accumulator } from "../../core/usage.js";

export const accumulatedUsage = ({ totals, identity, model, windowTokens }: UsageReport): JsonObject => ({
  sessionUpdate: "usage_update",
  used: saturatedSum(known(totals.input), known(totals.output)),
  contextLimit: windowTokens,
  model,
  ...counter("accumulatedInputTokens", totals.input),
  ...counter("accumulatedOutputTokens", totals.output),
  ...counter("accumulatedCachedInputTokens", totals.cacheRead),
  ...counter("accumulatedCacheWriteTokens", totals.cacheWrite),
  ...counter("accumulatedTotalTokens", totals.total),
  ...(identity.kind === "proven" ? { pricingIdentity: { authority: identity.authority, model: identity.model } } : {}),
});

const counter = (key: string, accumulator: Accumulator): JsonObject =>
  accumulator.kind === "exact" ? { [key]: accumulator.tokens } : {};

const known = (accumulator: Accumulator): bigint => (accumulator.kind === "exact" ? accumulator.tokens : 0n);

/** For display only: the one figure that may be clamped. */
const saturatedSum = (a: bigint, b: bigint): bigint => (a + b > COUNTER_MAX ? COUNTER_MAX : a + b);
