import { expect, test } from "vitest";
import { drawsOf, purpose, uniform } from "../../../src/simulation/random.js";
import { normalQuantile, normalShare } from "../../../src/simulation/normal.js";

const N = 200_000;
const BINS = 100;
const draws = drawsOf(7, 0);

/** Chi-square of counts that should be equal. */
const chiSquare = (values: readonly number[], bins: number): number => {
  const counts = Array.from({ length: bins }, () => 0);
  for (const value of values) counts[Math.floor(value * bins)] = (counts[Math.floor(value * bins)] ?? 0) + 1;
  const expected = values.length / bins;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
};

/** Above this a chi-square of 99 degrees of freedom comes once in a hundred thousand. */
const LIMIT_99 = 170;

const indices = Array.from({ length: N }, (_, index) => index);
const along: readonly (readonly [string, (index: number) => number])[] = [
  ["indices", (index) => uniform(draws, 1, 1, index)],
  ["turns", (index) => uniform(draws, 1, index, 0)],
  ["sessions", (index) => uniform(drawsOf(7, index), purpose("model.textBytes"), 1, 1)],
  ["seeds", (index) => uniform(drawsOf(index, 3), purpose("model.textBytes"), 1, 1)],
];

test.each(along)("draws along %s are uniform, and so are pairs of neighbours", (_, at) => {
  const values = indices.map(at);
  expect(Math.min(...values.slice(0, 1000))).toBeGreaterThan(0);
  expect(chiSquare(values, BINS)).toBeLessThan(LIMIT_99);
  // Pairs in a ten by ten square: kills a mixer that leaves neighbours alike.
  const pairs = values
    .slice(1)
    .map((value, index) => (Math.floor(10 * value) + 10 * Math.floor(10 * (values[index] ?? 0))) / 100 + 0.001);
  expect(chiSquare(pairs, BINS)).toBeLessThan(LIMIT_99);
});

test("different purposes of one moment have nothing to do with each other", () => {
  const a = indices.map((index) => uniform(draws, purpose("tools.latencyMs"), 1, index) - 0.5);
  const b = indices.map((index) => uniform(draws, purpose("tools.resultBytes"), 1, index) - 0.5);
  const correlation = a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0) / N / (1 / 12);
  expect(Math.abs(correlation)).toBeLessThan(5 / Math.sqrt(N));
});

test("a draw depends on nothing but its name", () => {
  const before = uniform(drawsOf(1, 2), purpose("x"), 3, 4);
  indices.slice(0, 100).forEach((index) => uniform(drawsOf(1, 2), purpose("y"), 3, index));
  expect(uniform(drawsOf(1, 2), purpose("x"), 3, 4)).toBe(before);
  expect(uniform(drawsOf(1 + 2 ** 40, 2), purpose("x"), 3, 4)).not.toBe(before);
  expect(uniform(drawsOf(1, 2 + 2 ** 40), purpose("x"), 3, 4)).not.toBe(before);
});

test.each([
  [0.5, 0],
  [0.841344746, 1],
  [0.975, 1.959964],
  [0.0013498980316, -3],
  [1e-9, -5.997807],
  [1e-13, -7.348796],
])("the normal quantile of %d is %d", (share, x) => {
  expect(normalQuantile(share)).toBeCloseTo(x, 5);
  expect(normalShare(x)).toBeCloseTo(share, 6);
});
