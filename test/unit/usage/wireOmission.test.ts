// What our agent sends of its counters (spec/usage.md 1.1): a key for an exact figure, zero included, and no key for any other.
import { none, some } from "fp-ts/lib/Option.js";
import { expect, test } from "vitest";
import { COUNTER_MAX, unseenTotals, type Accumulator, type UsageTotals } from "../../../src/core/usage.js";
import { accumulatedUsage } from "../../../src/shell/acp/usageUpdate.js";

const keys = {
  input: "accumulatedInputTokens",
  output: "accumulatedOutputTokens",
  cacheRead: "accumulatedCachedInputTokens",
  cacheWrite: "accumulatedCacheWriteTokens",
  total: "accumulatedTotalTokens",
} as const satisfies Record<keyof UsageTotals, string>;

const sent = (totals: UsageTotals) =>
  accumulatedUsage({ totals, identity: { kind: "broken" }, model: "m", authority: none, windowTokens: 7 });

test.each<[Accumulator, bigint | undefined]>([
  [{ kind: "unseen" }, undefined],
  [{ kind: "broken" }, undefined],
  [{ kind: "exact", tokens: 0n }, 0n],
  [{ kind: "exact", tokens: COUNTER_MAX }, COUNTER_MAX],
])("%o is sent as %s", (accumulator, value) => {
  for (const [field, key] of Object.entries(keys)) {
    const update = sent({ ...unseenTotals, [field]: accumulator });
    expect(Object.hasOwn(update, key)).toBe(value !== undefined);
    expect(update[key]).toBe(value);
    expect(Object.keys(update).filter((each) => each.startsWith("accumulated"))).toHaveLength(
      value === undefined ? 0 : 1,
    );
  }
});

test("only a proven identity is sent, and what is displayed may be clamped", () => {
  const full: Accumulator = { kind: "exact", tokens: COUNTER_MAX };
  const update = sent({ ...unseenTotals, input: full, output: full });
  expect(Object.hasOwn(update, "pricingIdentity")).toBe(false);
  expect(update["used"]).toBe(COUNTER_MAX);
  const proven = accumulatedUsage({
    totals: unseenTotals,
    identity: { kind: "proven", authority: "api.openai.com", model: "r" },
    model: "m",
    authority: some("api.openai.com"),
    windowTokens: 7,
  });
  expect(proven).toMatchObject({ model: "m", pricingIdentity: { authority: "api.openai.com", model: "r" } });
});
