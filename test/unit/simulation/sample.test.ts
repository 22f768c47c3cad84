import { expect, test } from "vitest";
import {
  addValue,
  binOf,
  binStart,
  mergeSample,
  newSample,
  quantileOf,
  summaryOf,
  type Sample,
} from "../../../src/simulation/index.js";

const sampleOf = (values: readonly number[]): Sample => {
  const sample = newSample();
  for (const value of values) addValue(sample, value);
  return sample;
};

test("every value lies in its bin, and bins follow each other without a gap", () => {
  for (let bin = 0; bin < 3000; bin++) expect(binOf(binStart(bin))).toBe(bin);
  for (const value of [0, 1, 63, 64, 65, 127, 128, 129, 1000, 123_456, 2 ** 40 + 17, Number.MAX_SAFE_INTEGER]) {
    const bin = binOf(value);
    expect(binStart(bin)).toBeLessThanOrEqual(value);
    expect(binStart(bin + 1)).toBeGreaterThan(value);
    expect(binStart(bin + 1) - binStart(bin)).toBeLessThanOrEqual(Math.max(1, value / 64));
  }
});

test("a summary says what arithmetic says", () => {
  const summary = summaryOf(sampleOf([2, 4, 4, 4, 5, 5, 7, 9]));
  expect(summary).toMatchObject({ count: 8, mean: 5, min: 2, max: 9, p50: 4, p25: 4, p95: 9 });
  expect(summary.sd).toBeCloseTo(Math.sqrt(32 / 7), 12);
  expect(summary.halfWidth95).toBeCloseTo((1.96 * Math.sqrt(32 / 7)) / Math.sqrt(8), 12);
});

test("samples merge in any order to the same sample", () => {
  const values = Array.from({ length: 3000 }, (_, index) => (index * 7919) % 100_003);
  const whole = sampleOf(values);
  const parts = [values.slice(0, 10), values.slice(10, 2000), values.slice(2000)].map(sampleOf);
  for (const order of [
    [0, 1, 2],
    [2, 0, 1],
    [1, 2, 0],
  ]) {
    const merged = newSample();
    for (const index of order) mergeSample(merged, parts[index] ?? newSample());
    expect(summaryOf(merged)).toEqual(summaryOf(whole));
  }
});

test("an empty sample is all zero, and differences may be negative", () => {
  expect(summaryOf(newSample())).toMatchObject({ count: 0, mean: 0, sd: 0, halfWidth95: 0, max: 0 });
  expect(summaryOf(sampleOf([-4, 2]))).toMatchObject({ mean: -1, min: -4, max: 2 });
  expect(quantileOf(sampleOf([-4, -4]), 0.5)).toBe(-4);
});
