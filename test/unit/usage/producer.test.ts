// The producer's side of spec/usage.md 2, cell by cell: the core is its implementation.
import { none, some, type Option } from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import {
  COUNTER_MAX,
  foldIdentity,
  foldUsage,
  isUsageBearing,
  mergeUsage,
  unseenTotals,
  type Accumulator,
  type Identity,
  type ReportedInput,
  type ReportedUsage,
  type UsageTotals,
} from "../../../src/core/usage.js";

const unseen: Accumulator = { kind: "unseen" };
const broken: Accumulator = { kind: "broken" };
const exact = (tokens: number | bigint): Accumulator => ({ kind: "exact", tokens: BigInt(tokens) });
const max = COUNTER_MAX;

const option = (value: number | bigint | undefined): Option<bigint> =>
  value === undefined ? none : some(BigInt(value));
const input = (value: number | bigint | "overflowed" | undefined): ReportedInput => {
  if (value === undefined) return { kind: "absent" };
  return value === "overflowed" ? { kind: "overflowed" } : { kind: "exact", tokens: BigInt(value) };
};

interface Reply {
  readonly in?: number | bigint | "overflowed";
  readonly out?: number | bigint;
  readonly r?: number | bigint;
  readonly w?: number | bigint;
  readonly total?: number | bigint;
}
const reply = (value: Reply): ReportedUsage => ({
  input: input(value.in),
  output: option(value.out),
  cacheRead: option(value.r),
  cacheWrite: option(value.w),
  total: option(value.total),
});

test.each<[Accumulator, number | bigint | undefined, Accumulator]>([
  [unseen, 5, exact(5)],
  [unseen, undefined, unseen],
  [exact(3), 5, exact(8)],
  [exact(3), undefined, exact(3)],
  [exact(max), 1, broken],
  [broken, 5, broken],
  [broken, undefined, broken],
])("input and output: %o and %s is %o", (before, value, after) => {
  const totals = { ...unseenTotals, input: before, output: before };
  // The other of the two is present, so that the reply bears usage.
  expect(foldUsage(totals, reply({ out: 0, ...(value === undefined ? {} : { in: value }) })).input).toEqual(after);
  expect(foldUsage(totals, reply({ in: 0, ...(value === undefined ? {} : { out: value }) })).output).toEqual(after);
});

test.each<[Accumulator, number | bigint | undefined, Accumulator]>([
  [unseen, 0, exact(0)],
  [unseen, 5, exact(5)],
  [unseen, undefined, broken],
  [exact(3), 5, exact(8)],
  [exact(max), 1, broken],
  [exact(3), undefined, broken],
  [broken, 5, broken],
  [broken, undefined, broken],
])("cache figures and total: %o and %s is %o", (before, value, after) => {
  const totals = { ...unseenTotals, cacheRead: before, cacheWrite: before, total: before };
  const given = value === undefined ? {} : { r: value, w: value, total: value };
  const folded = foldUsage(totals, reply({ in: 1, ...given }));
  expect([folded.cacheRead, folded.cacheWrite, folded.total]).toEqual([after, after, after]);
});

test.each<[Accumulator, Accumulator, Accumulator]>([
  [unseen, unseen, unseen],
  [unseen, exact(2), exact(2)],
  [unseen, broken, broken],
  [exact(1), unseen, exact(1)],
  [exact(1), exact(2), exact(3)],
  [exact(max), exact(1), broken],
  [exact(1), broken, broken],
  [broken, unseen, broken],
  [broken, exact(2), broken],
  [broken, broken, broken],
])("session %o and turn %o is %o, for all five", (session, turn, after) => {
  const all = (value: Accumulator): UsageTotals => ({
    input: value,
    output: value,
    cacheRead: value,
    cacheWrite: value,
    total: value,
  });
  expect(mergeUsage(all(session), all(turn))).toEqual(all(after));
});

// The gate of 2.3: what bears usage, and what a reply that bears none leaves alone.
test.each<[Reply, boolean]>([
  [{ in: 1, out: 1 }, true],
  [{ in: 1 }, true],
  [{ out: 1 }, true],
  [{ in: "overflowed" }, true],
  [{ in: "overflowed", out: 1 }, true],
  [{}, false],
  [{ total: 5, r: 1, w: 1 }, false],
])("%o bears usage: %s", (value, bears) => {
  expect(isUsageBearing(reply(value))).toBe(bears);
  expect(foldUsage(unseenTotals, reply(value)).total.kind === "unseen").toBe(!bears);
});

const proven = (authority: string, model: string): Identity => ({ kind: "proven", authority, model });
const unseenIdentity: Identity = { kind: "unseen" };
const brokenIdentity: Identity = { kind: "broken" };
test.each<[Identity, readonly [string | null, string], Identity]>([
  [unseenIdentity, ["a", "m"], proven("a", "m")],
  [unseenIdentity, [null, "m"], brokenIdentity],
  [proven("a", "m"), ["a", "m"], proven("a", "m")],
  [proven("a", "m"), ["a", "m2"], brokenIdentity],
  [proven("a", "m"), ["b", "m"], brokenIdentity],
  [proven("a", "m"), [null, "m"], brokenIdentity],
  [brokenIdentity, ["a", "m"], brokenIdentity],
  [brokenIdentity, [null, "m"], brokenIdentity],
])("identity %o and %o is %o", (before, [authority, model], after) => {
  expect(foldIdentity(before, authority === null ? none : some(authority), model)).toEqual(after);
});

describe("worked examples of the agent", () => {
  /** What is published after each reply of a turn: exact figures, null for the others. */
  const publish = (session: UsageTotals, replies: readonly Reply[]) => {
    let turn = unseenTotals;
    const told = replies.map((value) => {
      turn = foldUsage(turn, reply(value));
      const totals = mergeUsage(session, turn);
      const shown = (accumulator: Accumulator): number | null =>
        accumulator.kind === "exact" ? Number(accumulator.tokens) : null;
      return {
        in: shown(totals.input),
        out: shown(totals.output),
        r: shown(totals.cacheRead),
        total: shown(totals.total),
      };
    });
    return { told, session: mergeUsage(session, turn) };
  };

  test("A1 two turns", () => {
    const first = publish(unseenTotals, [{ in: 10, out: 5 }]);
    expect(first.told).toMatchObject([{ in: 10, out: 5 }]);
    expect(publish(first.session, [{ in: 20, out: 8 }]).told).toMatchObject([{ in: 30, out: 13 }]);
  });

  test("A2 one turn of two rounds", () => {
    const { told, session } = publish(unseenTotals, [
      { in: 15, out: 6 },
      { in: 20, out: 8 },
    ]);
    expect(told).toMatchObject([
      { in: 15, out: 6 },
      { in: 35, out: 14 },
    ]);
    expect(session).toMatchObject({ input: exact(35), output: exact(14) });
  });

  test("A3 a total that is missing once is missing for good", () => {
    const first = publish(unseenTotals, [{ in: 10, out: 5, total: 15 }]);
    const second = publish(first.session, [{ in: 1, out: 1 }]);
    const third = publish(second.session, [{ in: 1, out: 1, total: 2 }]);
    expect([first, second, third].map(({ told }) => told[0]?.total)).toEqual([15, null, null]);
  });

  test("A4 an input that does not fit", () => {
    const first = publish(unseenTotals, [{ in: "overflowed", out: 7 }]);
    expect(first.told).toMatchObject([{ in: null, out: 7 }]);
    expect(publish(first.session, [{ in: 1, out: 1 }]).told).toMatchObject([{ in: null, out: 8 }]);
  });

  test("A5 cache reads: zero is a number, missing is not", () => {
    const { told } = publish(unseenTotals, [
      { in: 1, out: 1, r: 0 },
      { in: 1, out: 1, r: 5 },
      { in: 1, out: 1 },
    ]);
    expect(told.map(({ r }) => r)).toEqual([0, 5, null]);
    expect(told.at(-1)).toMatchObject({ in: 3, out: 3 });
  });

  test("A6 two models in one turn", () => {
    const first = foldIdentity(unseenIdentity, some("api.anthropic.com"), "m1");
    expect(first).toEqual(proven("api.anthropic.com", "m1"));
    expect(foldIdentity(first, some("api.anthropic.com"), "m2")).toEqual(brokenIdentity);
  });
});
