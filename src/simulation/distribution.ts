/**
 * Distributions as plain values that a file can hold. Each is sampled by its quantile function from one uniform number: the
 * same number gives nearly the same value under nearly the same distribution, so variants of a scenario stay comparable.
 */
import { assertNever } from "../core/never.js";
import { normalQuantile } from "./normal.js";

export type Distribution =
  | { readonly kind: "constant"; readonly value: number }
  | { readonly kind: "uniform"; readonly min: number; readonly max: number }
  /** Cut at zero: nothing that is simulated can be negative. */
  | { readonly kind: "normal"; readonly mean: number; readonly sd: number }
  /** `sigma` is the standard deviation of the logarithm. */
  | { readonly kind: "logNormal"; readonly median: number; readonly sigma: number }
  /** Every value equally likely. */
  | { readonly kind: "empirical"; readonly values: readonly number[] };

/** The value at probability `u` in (0, 1); never negative. */
export const quantile = (distribution: Distribution, u: number): number => {
  switch (distribution.kind) {
    case "constant":
      return distribution.value;
    case "uniform":
      return distribution.min + u * (distribution.max - distribution.min);
    case "normal":
      return Math.max(0, distribution.mean + distribution.sd * normalQuantile(u));
    case "logNormal":
      return distribution.median * Math.exp(distribution.sigma * normalQuantile(u));
    case "empirical":
      return distribution.values[Math.floor(u * distribution.values.length)] ?? 0;
  }
  return assertNever(distribution);
};

/** The same as a whole number of at most `max`: bytes, milliseconds and counts are. */
export const wholeQuantile = (distribution: Distribution, u: number, max: number): number =>
  distribution.kind === "constant"
    ? Math.min(max, Math.round(distribution.value))
    : Math.min(max, Math.round(quantile(distribution, u)));

export const constant = (value: number): Distribution => ({ kind: "constant", value });
