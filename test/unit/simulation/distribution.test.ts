import { describe, expect, test } from "vitest";
import { quantile, wholeQuantile, type Distribution } from "../../../src/simulation/index.js";

const shares = Array.from({ length: 20_000 }, (_, index) => (index + 0.5) / 20_000);
const meanOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const sdOf = (values: readonly number[]): number => {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
};

describe("a distribution has the moments that its parameters say", () => {
  test.each<readonly [Distribution, number, number]>([
    [{ kind: "constant", value: 7 }, 7, 0],
    [{ kind: "uniform", min: 10, max: 22 }, 16, 12 / Math.sqrt(12)],
    [{ kind: "normal", mean: 100, sd: 8 }, 100, 8],
    [
      { kind: "logNormal", median: 100, sigma: 0.5 },
      100 * Math.exp(0.125),
      100 * Math.exp(0.125) * Math.sqrt(Math.exp(0.25) - 1),
    ],
    [{ kind: "empirical", values: [1, 1, 4] }, 2, Math.sqrt(2)],
  ])("%j", (distribution, mean, sd) => {
    const values = shares.map((share) => quantile(distribution, share));
    expect(meanOf(values)).toBeCloseTo(mean, 0);
    expect(Math.abs(sdOf(values) - sd)).toBeLessThan(0.01 * (sd + 1));
    // Monotone: what makes two variants comparable.
    expect(values.every((value, index) => index === 0 || value >= (values[index - 1] ?? 0))).toBe(true);
  });
});

test("a normal distribution is cut at zero, and whole numbers at their limit", () => {
  expect(quantile({ kind: "normal", mean: 1, sd: 10 }, 0.01)).toBe(0);
  expect(wholeQuantile({ kind: "logNormal", median: 1e6, sigma: 9 }, 0.999, 5000)).toBe(5000);
  expect(wholeQuantile({ kind: "uniform", min: 0, max: 1 }, 0.7, 5000)).toBe(1);
});
