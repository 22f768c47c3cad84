// Aggregation against spec/usage.md 4: the ladder L1 to L11, accumulators, fresh input, order D1 to D5, and the example 4.12.
import { isRight } from "fp-ts/lib/Either.js";
import { isSome, none, some } from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import { COUNTER_MAX } from "../../../src/core/usage.js";
import { compareBytes } from "../../../src/usage/order.js";
import { priceList } from "../../../src/usage/price.js";
import { resolveRows } from "../../../src/usage/resolved.js";
import type { MetricRow } from "../../../src/usage/row.js";
import { emptyScope, freshInput, mergeScopes, scopeOf, usageFields, type Scope } from "../../../src/usage/scope.js";
import { checkBoundaries, usageSeries } from "../../../src/usage/series.js";
import { counts, figures, row, type Figures } from "./build.js";

const resolved = (rows: readonly MetricRow[]): readonly (Figures | null)[] =>
  resolveRows(rows).map((one) => figures(some(one.counts)));

const inputs = (rows: readonly MetricRow[]): readonly (number | bigint | undefined)[] =>
  resolved(rows).map((one) => one?.in);

const a = "agent";
const max = COUNTER_MAX;
const cum = (value: number | bigint) => ({ in: value });

const ladder: readonly (readonly [string, readonly MetricRow[], readonly (number | bigint | undefined)[]])[] = [
  [
    "L1 the difference wins",
    [row(a, 1, { cum: cum(1000) }), row(a, 2, { cum: cum(1300), turn: { in: 999 } })],
    [undefined, 300],
  ],
  [
    "L2 a fall is the end",
    [row(a, 1, { cum: cum(1000) }), row(a, 2, { cum: cum(600), turn: { in: 77 } })],
    [undefined, undefined],
  ],
  ["L3 a gap", [row(a, 1, { cum: cum(100) }), row(a, 3, { cum: cum(400), turn: { in: 50 } })], [undefined, 50]],
  [
    "L4 a gap before an unreliable turn",
    [row(a, 1, { cum: cum(100) }), row(a, 3, { cum: cum(400), turn: { in: 50 }, reliable: false })],
    [undefined, undefined],
  ],
  ["L5 sequence 0", [row(a, 0, { cum: cum(100), turn: { in: 100 } })], [100]],
  [
    "L6 two at one place",
    [
      row(a, 1, { cum: cum(10), turn: { in: 10 } }),
      row(a, 1, { cum: cum(20), turn: { in: 20 } }),
      row(a, 2, { cum: cum(60), turn: { in: 40 } }),
    ],
    [10, 20, 40],
  ],
  [
    "L7 a double far away in time",
    [
      row(a, 1, { cum: cum(10), turn: { in: 10 } }),
      row(a, 2, { cum: cum(60), turn: { in: 3 } }),
      row(a, 2, { cum: cum(60), turn: { in: 4 }, at: 9_000_000 }),
    ],
    [10, 3, 4],
  ],
  [
    "L8 the last two counters",
    [row(a, max - 1n, { cum: cum(5), turn: { in: 5 } }), row(a, max, { cum: cum(9), turn: { in: 1 } })],
    [5, 4],
  ],
  [
    "L11 the aggregator recovers an unreliable turn",
    [row(a, 1, { cum: cum(7000), reliable: false }), row(a, 2, { cum: cum(7600), reliable: false })],
    [undefined, 600],
  ],
  [
    "L10 attached",
    [row(a, 1, { cum: cum(7000), reliable: false }), row(a, 2, { cum: cum(7600), turn: { in: 600 } })],
    [undefined, 600],
  ],
  [
    "no difference across sessions",
    [row(a, 1, { cum: cum(10), session: "x" }), row(a, 2, { cum: cum(60), turn: { in: 7 }, session: "y" })],
    [undefined, 7],
  ],
  [
    "no difference across agents",
    [row("b", 1, { cum: cum(10) }), row(a, 2, { cum: cum(60), turn: { in: 7 } })],
    [undefined, 7],
  ],
  ["a row without a place", [row(a, undefined, { turn: { in: 7 } })], [7]],
];

describe("the ladder", () => {
  test.each(ladder)("%s", (_name, rows, expected) => {
    expect(inputs(rows)).toEqual(expected);
    expect(inputs([...rows].toReversed())).toEqual([...expected].toReversed());
  });

  test("L9 each figure on its own", () => {
    expect(
      resolved([row(a, 1, { cum: { in: 100 } }), row(a, 2, { cum: { in: 150, r: 40 }, turn: { in: 1, r: 10 } })])[1],
    ).toEqual({ in: 50, r: 10 });
  });

  test.each(["in", "out", "total", "cost"] as const)("L1 and L2 hold for %s", (field) => {
    const pair = (before: number, now: number) =>
      resolved([
        row(a, 1, { cum: { [field]: before } }),
        row(a, 2, { cum: { [field]: now }, turn: { [field]: 77 } }),
      ])[1];
    expect(pair(1000, 1300)).toEqual({ [field]: 300 });
    expect(pair(1000, 600)).toEqual({});
  });

  test("cache figures that exceed the turn's input are unknown, both of them (decision 12)", () => {
    expect(resolved([row(a, 1, { turn: { in: 10, out: 1, r: 6, w: 5 } })])).toEqual([{ in: 10, out: 1 }]);
    expect(resolved([row(a, 1, { turn: { in: 10, r: 20 } })])).toEqual([{ in: 10 }]);
  });

  test("a gap is seen from the record behind it, and only where the series had begun (decision 4)", () => {
    const gaps = (seqs: readonly number[]) =>
      resolveRows(seqs.map((seq) => row(a, seq, { turn: { in: 1 } }))).map((one) => one.gap);
    expect(gaps([1, 2, 3])).toEqual([false, false, false]);
    expect(gaps([1, 3, 4, 9])).toEqual([false, true, false, true]);
    expect(gaps([5])).toEqual([false]);
  });
});

const of = (value: Figures): Scope => scopeOf(counts(value), none, false);
const sum = (...values: readonly Figures[]): Scope =>
  values.map(of).reduce((total, one) => mergeScopes(total, one), emptyScope);

describe("accumulators", () => {
  test.each<[string, Scope, { value: string | null; incomplete: boolean }]>([
    ["empty", emptyScope, { value: null, incomplete: false }],
    ["none known", sum({}, {}), { value: null, incomplete: true }],
    ["all known", sum({ in: 1 }, { in: 2 }), { value: "3", incomplete: false }],
    ["some known", sum({ in: 1 }, {}, { in: 4 }), { value: "5", incomplete: true }],
    ["at the edge", sum({ in: max - 1n }, { in: 1 }), { value: max.toString(), incomplete: false }],
    ["overflow freezes", sum({ in: max - 1n }, { in: 2 }), { value: (max - 1n).toString(), incomplete: true }],
  ])("%s", (_name, scope, expected) => {
    expect(usageFields(scope).inputTokens).toEqual(expected);
  });

  test("a cost that is not finite any more freezes", () => {
    const scope = sum({ cost: 1.5e308 }, { cost: 1.5e308 });
    expect(usageFields(scope).estimatedCostUsd).toEqual({ value: 1.5e308, incomplete: true });
  });

  test("usage has exactly seven keys", () => {
    expect(Object.keys(usageFields(emptyScope)).toSorted()).toEqual([
      "cacheReadTokens",
      "cacheWriteTokens",
      "estimatedCostUsd",
      "freshInputTokens",
      "inputTokens",
      "outputTokens",
      "totalTokens",
    ]);
  });
});

test.each<[string, Scope, number | null, boolean]>([
  ["100/30/20", sum({ in: 100, r: 30, w: 20 }), 50, false],
  ["100 with write absent", sum({ in: 100, r: 30 }), null, true],
  ["60 + 60 > 100", sum({ in: 100, r: 60, w: 60 }), null, true],
  ["read u64 max + write 1", sum({ in: 100, r: max, w: 1 }), null, true],
  ["input unknown", sum({ r: 1, w: 1 }), null, true],
  ["read 0 and write 0", sum({ in: 100, r: 0, w: 0 }), 100, false],
  ["empty scope", emptyScope, null, false],
])("fresh input: %s", (_name, scope, value, incomplete) => {
  const fresh = freshInput(scope);
  expect(isSome(fresh.value) ? Number(fresh.value.value) : null).toBe(value);
  expect(fresh.incomplete).toBe(incomplete);
});

const window = { boundaries: [0, 86_400], agent: none };
const series = (rows: readonly MetricRow[]) => usageSeries({ rows, invalid: [] }, priceList([]), window);

describe("order", () => {
  const agents = (rows: readonly MetricRow[]) => series(rows).agents.map(({ agent }) => agent);
  test.each<[string, readonly MetricRow[], readonly string[]]>([
    [
      "D1",
      [row("agent_a", 1, { turn: { total: 200 } }), row("agent_b", 1, { turn: { in: 150, out: 100 } })],
      ["agent_b", "agent_a"],
    ],
    [
      "D2",
      [row("agent_a", 1, { turn: { in: 100 } }), row("agent_b", 1, { turn: { in: 80, out: 40 } })],
      ["agent_b", "agent_a"],
    ],
    [
      "D4",
      [
        row("agent_c", 1, { turn: { total: 100 } }),
        row("agent_b", 1, { turn: { in: 50, out: 60 } }),
        row("agent_a", 1, { turn: { in: 200 } }),
      ],
      ["agent_b", "agent_c", "agent_a"],
    ],
    [
      "D5",
      [row("agent_zzz", 1, { turn: { total: 100 } }), row("agent_aaa", 1, { turn: { total: 100 } })],
      ["agent_aaa", "agent_zzz"],
    ],
    ["two unknown by name", [row("z", 1, {}), row("y", 1, {})], ["y", "z"]],
    [
      "input + output that overflow",
      [row("b", 1, { turn: { in: max, out: 1 } }), row("c", 1, { turn: { total: 1 } })],
      ["c", "b"],
    ],
  ])("%s", (_name, rows, expected) => {
    expect(agents(rows)).toEqual(expected);
  });

  test("D3 models of one agent", () => {
    const rows = [
      row(a, 1, { turn: { total: 300 }, model: "model-a", session: "x" }),
      row(a, 1, { turn: { in: 200, out: 150 }, model: "model-b", session: "y" }),
      row(a, 1, { turn: { total: 300 }, session: "z" }),
    ];
    expect(series(rows).agents[0]?.models.map(({ model }) => model)).toEqual(["model-b", "model-a", null]);
  });

  test("strings are compared by their bytes", () => {
    // UTF-16 puts the emoji (a surrogate pair) before the full-width letter; UTF-8 behind it.
    expect(["\u{1f600}", "\uff21", "Z", "a"].toSorted(compareBytes)).toEqual(["Z", "a", "\uff21", "\u{1f600}"]);
  });
});

test("the example 4.12, figure by figure", () => {
  const rows = [
    row("a1", 1, {
      model: "m",
      turn: { in: 25500, out: 1900, r: 20000, w: 2500 },
      cum: { in: 25500, out: 1900, r: 20000, w: 2500 },
    }),
    row("a1", 2, {
      model: "m2",
      turn: { in: 30500, out: 1200, r: 29000, w: 100 },
      cum: { in: 56000, out: 3100, r: 49000, w: 2600 },
    }),
    row("a1", 4, {
      model: "m",
      turn: { in: 2000, out: 100, r: 1500, w: 0 },
      cum: { in: 62000, out: 3400, r: 53500, w: 2600 },
    }),
  ];
  const agent = series(rows).agents[0];
  const known = (value: string) => ({ value, incomplete: false });
  expect(agent?.usage).toEqual({
    inputTokens: known("58000"),
    outputTokens: known("3200"),
    totalTokens: { value: null, incomplete: true },
    estimatedCostUsd: { value: null, incomplete: true },
    cacheReadTokens: known("50500"),
    cacheWriteTokens: known("2600"),
    freshInputTokens: known("4900"),
  });
  expect(agent?.hasUnknownUsage).toBe(true);
  expect(agent?.gaps).toBe(1);
  expect(agent?.models.map(({ model, usage }) => [model, usage.inputTokens.value, usage.outputTokens.value])).toEqual([
    ["m2", "30500", "1200"],
    ["m", "27500", "2000"],
  ]);
});

test("one record that came twice counts once, and the order of rows does not matter", () => {
  const rows = [1, 2, 3].map((seq) => row(a, seq, { turn: { in: seq }, cum: { in: seq * 10 } }));
  const [first] = rows;
  const doubled = first === undefined ? [] : [...rows, first].toReversed();
  expect(series(doubled)).toEqual(series(rows));
});

test("a row counts for the bucket of its own time, and its predecessor may lie outside the window", () => {
  const rows = [row(a, 1, { cum: cum(100), at: 50 }), row(a, 2, { cum: cum(130), at: 100 })];
  const request = { boundaries: [100, 200, 300], agent: some(a) };
  const result = usageSeries({ rows, invalid: [{ agent: a, receivedAt: 100 }] }, priceList([]), request);
  expect(result.buckets.map(({ usage }) => usage.inputTokens.value)).toEqual(["30", null]);
  expect(result.coverage).toMatchObject({ reportCount: 1, invalidReportCount: 1, hasUnknownUsage: true });
  expect(result.hasArchivedEvidence).toBe(true);
  const nobody = usageSeries({ rows, invalid: [] }, priceList([]), { ...request, agent: some("b") });
  expect(nobody.hasArchivedEvidence).toBe(false);
  expect(series(rows).hasArchivedEvidence).toBeNull();
});

const days = (count: number) => Array.from({ length: count }, (_, index) => index * 86_400);
test.each<[string, readonly number[], boolean]>([
  ["1 boundary", days(1), false],
  ["2 boundaries", days(2), true],
  ["367 boundaries", days(367), true],
  ["368 boundaries", days(368), false],
  ["48 hours", [0, 172_800], true],
  ["48 hours and a second", [0, 172_801], false],
  ["equal ones", [0, 0], false],
  ["falling ones", [5, 4], false],
  ["no whole second", [0, 1.5], false],
  ["no date", [8_640_000_000_000, 8_640_000_000_001], false],
])("boundaries: %s", (_name, boundaries, accepted) => {
  expect(isRight(checkBoundaries(boundaries))).toBe(accepted);
});
