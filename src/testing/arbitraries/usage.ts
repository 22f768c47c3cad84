/** What replies say about tokens: mostly small, sometimes absent, now and then at the edge of 64 bits. */
import * as fc from "fast-check";
import { COUNTER_MAX, type ReportedInput, type ReportedUsage } from "../../core/index.js";
import { none, some } from "../option.js";

export const tokens: fc.Arbitrary<bigint> = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 0, max: 4000 }).map(BigInt) },
  { weight: 2, arbitrary: fc.constant(0n) },
  { weight: 1, arbitrary: fc.constantFrom(COUNTER_MAX, COUNTER_MAX - 1n, COUNTER_MAX / 2n, 9007199254740993n) },
);

const maybeTokens = fc.oneof({ weight: 6, arbitrary: tokens.map(some) }, { weight: 1, arbitrary: fc.constant(none) });

const input: fc.Arbitrary<ReportedInput> = fc.oneof(
  { weight: 16, arbitrary: tokens.map((exact) => ({ kind: "exact" as const, tokens: exact })) },
  { weight: 2, arbitrary: fc.constant({ kind: "absent" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "overflowed" as const }) },
);

export const unusedTokens: ReportedUsage = {
  input: { kind: "absent" },
  output: none,
  cacheRead: none,
  cacheWrite: none,
  total: none,
};

export const usage: fc.Arbitrary<ReportedUsage> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      input,
      output: maybeTokens,
      cacheRead: maybeTokens,
      cacheWrite: maybeTokens,
      total: maybeTokens,
    }),
  },
  { weight: 1, arbitrary: fc.constant(unusedTokens) },
  // Bears a total and nothing that counts.
  { weight: 1, arbitrary: tokens.map((total) => ({ ...unusedTokens, total: some(total) })) },
);
