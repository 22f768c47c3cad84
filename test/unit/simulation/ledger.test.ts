import { none, some } from "fp-ts/lib/Option.js";
import { expect, test } from "vitest";
import { foldUsage, unseenTotals, type ReportedUsage } from "../../../src/core/index.js";
import { differences, enterUsage, newLedger } from "../../../src/simulation/ledger.js";

const full = (input: bigint, output: bigint): ReportedUsage => ({
  input: { kind: "exact", tokens: input },
  output: some(output),
  cacheRead: some(1n),
  cacheWrite: some(0n),
  total: some(input + output),
});
const absent: ReportedUsage = {
  input: { kind: "absent" },
  output: none,
  cacheRead: none,
  cacheWrite: none,
  total: none,
};

const booked = (...usages: readonly ReportedUsage[]): ReturnType<typeof newLedger> => {
  const ledger = newLedger();
  for (const usage of usages) enterUsage(ledger, usage);
  return ledger;
};

test("what was reported agrees with what was used, however much of it is unknown", () => {
  const overflowed: ReportedUsage = { ...full(3n, 4n), input: { kind: "overflowed" } };
  const partial: ReportedUsage = { ...full(5n, 6n), cacheRead: none, total: none };
  for (const usages of [
    [],
    [absent],
    [full(10n, 2n), full(1n, 1n)],
    [full(1n, 1n), overflowed],
    [partial, full(2n, 2n)],
  ]) {
    expect(differences(booked(...usages), usages.reduce(foldUsage, unseenTotals))).toEqual([]);
  }
});

test("a token too much or too little, a lost break and a break without a cause are told by category", () => {
  const ledger = booked(full(10n, 2n));
  const reported = foldUsage(unseenTotals, full(11n, 2n));
  expect(differences(ledger, reported)).toEqual([
    "input: the session reported 11 tokens, the model used 10 tokens",
    "total: the session reported 13 tokens, the model used 12 tokens",
  ]);
  expect(differences(booked({ ...full(1n, 1n), cacheRead: none }), foldUsage(unseenTotals, full(1n, 1n)))).toEqual([
    "cacheRead: the session reported 1 tokens, the model used broken",
  ]);
  expect(differences(newLedger(), { ...unseenTotals, output: { kind: "broken" } })).toEqual([
    "output: the session reported broken, the model used unseen",
  ]);
});
