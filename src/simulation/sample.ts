/**
 * A sample of whole numbers of which only sums and a histogram are kept: its size does not depend on how many there are, and
 * because everything in it is an integer, samples can be merged in any order with the same outcome to the last digit.
 */

export interface Sample {
  count: number;
  sum: bigint;
  squares: bigint;
  min: number;
  max: number;
  /** Values by bin (`binOf`). */
  readonly bins: Map<number, number>;
}

export const newSample = (): Sample => ({ count: 0, sum: 0n, squares: 0n, min: 0, max: 0, bins: new Map() });

/** Below this every value has a bin of its own; above, each doubling is cut into as many bins (relative width 1/64). */
const EXACT_BELOW = 64;

/** Number of the bin of a value of at least 0. */
export const binOf = (value: number): number => {
  if (value < EXACT_BELOW) return value;
  const doublings = Math.floor(Math.log2(value)) - 6;
  return (doublings + 1) * EXACT_BELOW + Math.floor(value / 2 ** doublings) - EXACT_BELOW;
};

/** Smallest value of a bin; the bin ends where the next begins. */
export const binStart = (bin: number): number => {
  if (bin < 2 * EXACT_BELOW) return bin;
  const doublings = Math.floor(bin / EXACT_BELOW) - 1;
  return (EXACT_BELOW + (bin % EXACT_BELOW)) * 2 ** doublings;
};

/** Values may be negative (differences); those count as zero in the histogram. */
export const addValue = (sample: Sample, value: number): void => {
  sample.min = sample.count === 0 ? value : Math.min(sample.min, value);
  sample.max = sample.count === 0 ? value : Math.max(sample.max, value);
  sample.count += 1;
  const exact = BigInt(value);
  sample.sum += exact;
  sample.squares += exact * exact;
  const bin = binOf(Math.max(0, value));
  sample.bins.set(bin, (sample.bins.get(bin) ?? 0) + 1);
};

export const mergeSample = (into: Sample, from: Sample): void => {
  if (from.count === 0) return;
  into.min = into.count === 0 ? from.min : Math.min(into.min, from.min);
  into.max = into.count === 0 ? from.max : Math.max(into.max, from.max);
  into.count += from.count;
  into.sum += from.sum;
  into.squares += from.squares;
  for (const [bin, n] of from.bins) into.bins.set(bin, (into.bins.get(bin) ?? 0) + n);
};

export interface Summary {
  readonly count: number;
  readonly mean: number;
  /** Standard deviation of the sample. */
  readonly sd: number;
  /** Half the width of the 95 % interval of the mean, by the normal approximation. */
  readonly halfWidth95: number;
  readonly min: number;
  readonly p5: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** The value below which a share of the sample lies, to the width of a bin. */
export const quantileOf = (sample: Sample, share: number): number => {
  const rank = Math.min(sample.count, Math.max(1, Math.ceil(share * sample.count)));
  let reached = 0;
  for (const [bin, n] of [...sample.bins].toSorted(([a], [b]) => a - b)) {
    reached += n;
    if (reached >= rank) return Math.min(sample.max, Math.max(sample.min, binStart(bin)));
  }
  return sample.max;
};

/** In exact integers until the last division, so that nothing depends on the order of additions. */
const varianceOf = ({ count, sum, squares }: Sample): number => {
  if (count < 2) return 0;
  const n = BigInt(count);
  return Number(n * squares - sum * sum) / (count * (count - 1));
};

export const summaryOf = (sample: Sample): Summary => {
  const sd = Math.sqrt(varianceOf(sample));
  const { count, min, max } = sample;
  const at = (share: number): number => quantileOf(sample, share);
  return {
    count,
    mean: count === 0 ? 0 : Number(sample.sum) / count,
    sd,
    halfWidth95: count < 2 ? 0 : (1.96 * sd) / Math.sqrt(count),
    min,
    p5: at(0.05),
    p25: at(0.25),
    p50: at(0.5),
    p75: at(0.75),
    p95: at(0.95),
    p99: at(0.99),
    max,
  };
};
