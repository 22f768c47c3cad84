// Pricing against spec/usage.md 5, fail-closed row by row.
import { isSome, none, some, toNullable, type Option } from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import type { UsageReport } from "../../../src/core/update.js";
import { foldUsage, unseenTotals, type UsageTotals } from "../../../src/core/usage.js";
import { meterCost, newCostMeter, type CostMeter } from "../../../src/usage/costMeter.js";
import { estimateCost, priceList, type Rates } from "../../../src/usage/price.js";
import { estimateOf, resolveRows } from "../../../src/usage/resolved.js";
import type { MetricRow } from "../../../src/usage/row.js";
import { row, type Figures } from "./build.js";

const rates: Rates = { input: some(3), output: some(15), cacheRead: some(0.3), cacheWrite: some(3.75) };
const withRates = (changed: Partial<Rates>) =>
  priceList([{ authority: "api.anthropic.com", model: "m", usdPerMillionTokens: { ...rates, ...changed } }]);

const costs = (rows: readonly MetricRow[], changed: Partial<Rates> = {}): readonly (number | null)[] =>
  resolveRows(rows).map((one) =>
    toNullable(estimateOf(one, ({ identity, tokens }) => estimateCost(withRates(changed), identity, tokens))),
  );

const C1: Figures = { in: 25500, out: 1900, r: 20000, w: 2500 };

test("the example 5.2 costs 0.052875", () => {
  expect(costs([row("a", 1, { turn: C1, id: "m" })])[0]).toBeCloseTo(0.052875, 12);
});

test.each<[string, Parameters<typeof row>[2], Partial<Rates>]>([
  ["no identity", { turn: C1 }, {}],
  ["no exact record: another model", { turn: C1, id: "m-2026" }, {}],
  ["no exact record: another case", { turn: C1, id: "M" }, {}],
  ["input unknown", { turn: { out: 1, r: 0, w: 0 }, id: "m" }, {}],
  ["output unknown", { turn: { in: 1, r: 0, w: 0 }, id: "m" }, {}],
  ["cache read unknown", { turn: { in: 1, out: 1, w: 0 }, id: "m" }, {}],
  ["cache write unknown", { turn: { in: 1, out: 1, r: 0 }, id: "m" }, {}],
  ["cache over input", { turn: { in: 10, out: 1, r: 6, w: 6 }, id: "m" }, {}],
  ["null rate and tokens", { turn: C1, id: "m" }, { cacheWrite: none }],
  ["an unreliable turn", { turn: C1, id: "m", reliable: false }, {}],
])("unknown, not 0: %s", (_name, fields, changed) => {
  expect(costs([row("a", 1, fields)], changed)).toEqual([null]);
});

test("a null rate does not matter where there are no tokens", () => {
  expect(costs([row("a", 1, { turn: { in: 10, out: 0, r: 0, w: 0 }, id: "m" })], { cacheWrite: none })[0]).toBeCloseTo(
    0.00003,
    12,
  );
});

test("a cache class other than the default leaves written tokens unknown and nothing else", () => {
  const identity = { authority: "api.anthropic.com", model: "m", cacheClass: some("1h") };
  const cost = (cacheWrite: bigint) =>
    estimateCost(withRates({}), identity, { fresh: 1n, cacheRead: 1n, cacheWrite, output: 1n });
  expect(isSome(cost(1n))).toBe(false);
  expect(isSome(cost(0n))).toBe(true);
  expect(
    isSome(
      estimateCost(
        withRates({}),
        { ...identity, cacheClass: some("ephemeral") },
        { fresh: 1n, cacheRead: 1n, cacheWrite: 1n, output: 1n },
      ),
    ),
  ).toBe(true);
});

test("a difference that holds more than the turn itself is not priced by the turn's identity (decision 7)", () => {
  const first = row("a", 1, { turn: C1, cum: C1, id: "m" });
  const grown = { in: 26500, out: 2000, r: 20000, w: 2500 };
  const own = { in: 1000, out: 100, r: 0, w: 0 };
  expect(costs([first, row("a", 2, { turn: own, cum: grown, id: "m" })])[1]).toBeCloseTo(0.0045, 12);
  const late = { ...own, in: 400 };
  expect(costs([first, row("a", 2, { turn: late, cum: grown, id: "m" })])[1]).toBeNull();
  expect(costs([first, row("a", 2, { cum: grown, id: "m", reliable: false })])[1]).toBeNull();
});

describe("the agent's own bill", () => {
  interface Reply {
    readonly in?: number;
    readonly out?: number;
    readonly r?: number;
    readonly w?: number;
    readonly model?: string;
    readonly authority?: string | null;
  }
  const option = (value: number | undefined): Option<bigint> => (value === undefined ? none : some(BigInt(value)));
  const fold = (totals: UsageTotals, reply: Reply): UsageTotals =>
    foldUsage(totals, {
      input: reply.in === undefined ? { kind: "absent" } : { kind: "exact", tokens: BigInt(reply.in) },
      output: option(reply.out),
      cacheRead: option(reply.r),
      cacheWrite: option(reply.w),
      total: none,
    });
  const bill = (...replies: readonly Reply[]): number | null => {
    let meter: CostMeter = newCostMeter;
    let totals = unseenTotals;
    for (const reply of replies) {
      totals = fold(totals, reply);
      const authority = reply.authority === undefined ? "api.anthropic.com" : reply.authority;
      const report: UsageReport = {
        totals,
        identity: { kind: "unseen" },
        model: reply.model ?? "m",
        authority: authority === null ? none : some(authority),
        windowTokens: 1,
      };
      meter = meterCost(withRates({}), meter, report);
      // The report that ends a turn repeats the last one.
      meter = meterCost(withRates({}), meter, report);
    }
    return toNullable(meter.costUsd);
  };
  const reply: Reply = { in: 1000, out: 100, r: 0, w: 0 };

  test("each reply is billed once, by the model that was asked for it", () => {
    expect(bill(reply, reply)).toBeCloseTo(0.009, 12);
    expect(bill(reply, { ...reply, model: "free" })).toBeNull();
  });

  test.each<[string, Reply]>([
    ["an authority that is not proven", { ...reply, authority: null }],
    ["no cache figures", { in: 1, out: 1 }],
    ["no input", { out: 5, r: 0, w: 0 }],
    ["no output", { in: 5, r: 0, w: 0 }],
  ])("%s leaves the session without a cost for good", (_name, bad) => {
    expect(bill(reply, bad)).toBeNull();
    expect(bill(bad, reply, reply)).toBeNull();
  });
});
