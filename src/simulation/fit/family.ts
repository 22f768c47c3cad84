/** Which distribution a list of whole numbers was drawn from, as far as it can be told, and how well that fits. */
import { normalShare } from "../normal.js";
import type { Distribution } from "../distribution.js";

export interface Fitted {
  readonly distribution: Distribution;
  /** How many values it was fitted to. */
  readonly count: number;
  /** Largest distance between the share of values below a point and what the distribution says (Kolmogorov-Smirnov). */
  readonly gap: number;
}

interface Candidate {
  readonly distribution: Distribution;
  /** Share below `x`. */
  readonly share: (x: number) => number;
}

const meanOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

const deviationOf = (values: readonly number[], mean: number): number =>
  Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);

const uniform = (sorted: readonly number[]): Candidate => {
  const min = sorted[0] ?? 0;
  const max = sorted.at(-1) ?? 0;
  const share = (x: number): number => Math.min(1, Math.max(0, (x - min + 0.5) / (max - min + 1)));
  return { distribution: { kind: "uniform", min, max }, share };
};

const normal = (values: readonly number[]): Candidate => {
  const mean = meanOf(values);
  const sd = deviationOf(values, mean);
  return { distribution: { kind: "normal", mean, sd }, share: (x) => normalShare((x - mean) / sd) };
};

const logNormal = (values: readonly number[]): Candidate => {
  const logs = values.map(Math.log);
  const mean = meanOf(logs);
  const sigma = deviationOf(logs, mean);
  const distribution: Distribution = { kind: "logNormal", median: Math.exp(mean), sigma };
  return { distribution, share: (x) => normalShare((Math.log(x) - mean) / sigma) };
};

/** Values are whole, so a step of the sample is compared with the distribution half way to the next one. */
const gapOf = (sorted: readonly number[], share: (x: number) => number): number => {
  let gap = 0;
  sorted.forEach((value, index) => {
    if (sorted[index + 1] === value) return;
    gap = Math.max(gap, Math.abs((index + 1) / sorted.length - share(value + 0.5)));
  });
  return gap;
};

/** Values that stand for all of a long list. */
const EMPIRICAL_MAX = 200;

const empirical = (sorted: readonly number[]): Fitted => {
  const size = Math.min(EMPIRICAL_MAX, sorted.length);
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? 0;
  const values = Array.from({ length: size }, (_, index) => at((index + 0.5) / size));
  const share = (x: number): number => values.filter((value) => value < x).length / size;
  return { distribution: { kind: "empirical", values }, count: sorted.length, gap: gapOf(sorted, share) };
};

/** A gap that chance alone exceeds once in twenty times. */
const chanceGap = (count: number): number => 1.36 / Math.sqrt(count);
/** A gap that does not matter. */
const SMALL_GAP = 0.03;

/** Undefined without values. A family is taken where it fits within chance; otherwise the values speak for themselves. */
export const fitted = (values: readonly number[]): Fitted | undefined => {
  const [first] = values;
  if (first === undefined) return undefined;
  const count = values.length;
  if (values.every((value) => value === first)) {
    return { distribution: { kind: "constant", value: first }, count, gap: 0 };
  }
  const sorted = values.toSorted((a, b) => a - b);
  const candidates = [uniform(sorted), normal(values), ...((sorted[0] ?? 0) > 0 ? [logNormal(values)] : [])];
  const best = candidates
    .map(({ distribution, share }): Fitted => ({ distribution, count, gap: gapOf(sorted, share) }))
    .reduce((a, b) => (b.gap < a.gap ? b : a));
  return best.gap <= Math.max(SMALL_GAP, chanceGap(count)) ? best : empirical(sorted);
};
