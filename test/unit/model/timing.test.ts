import { describe, expect, test } from "vitest";
import { defaultShellLimits } from "../../../src/core/policy.js";
import { backoffMs, seconds, tryDeadlineMs } from "../../../src/shell/model/timing.js";

describe("the time of a try", () => {
  test.each([
    [240, [240, 480, 960, 1200, 1200]],
    [900, [900, 1200, 1200, 1200, 1200]],
    // An operator who is more patient than the cap is not made less so.
    [1500, [1500, 1500, 1500, 1500, 1500]],
    [1, [1, 2, 4, 8, 16]],
  ])("of %i s doubles with each timeout up to the cap", (llmTimeoutSeconds, expected) => {
    const limits = { ...defaultShellLimits, llmTimeoutSeconds };
    expect([0, 1, 2, 3, 4].map((timeouts) => tryDeadlineMs(limits, timeouts) / 1000)).toEqual(expected);
  });
});

describe("the wait before a try", () => {
  test.each([
    [1, 250, 500],
    [2, 500, 1000],
    [5, 4000, 8000],
    [50, 4000, 8000],
  ])("number %i is between %i and %i ms", (index, least, most) => {
    expect(backoffMs(defaultShellLimits, index, 0)).toBe(least);
    expect(backoffMs(defaultShellLimits, index, 0.999_999)).toBeCloseTo(most, -1);
  });
});

test("durations read like durations", () => {
  expect([0, 420, 1234, 9_949, 12_345, 301_000].map(seconds)).toEqual(["0s", "0.4s", "1.2s", "9.9s", "12s", "301s"]);
});
