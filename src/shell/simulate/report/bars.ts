/** The bars of a histogram out of the bins of a sample. */
import { binStart, quantileOf, type Sample } from "../../../simulation/sample.js";

export interface Bar {
  readonly from: number;
  readonly to: number;
  /** Share of the sample. */
  readonly share: number;
}

/** More bars than this are not told apart at the width of a plot. */
const BARS_MAX = 48;

/** Up to here the sample is drawn; the hundredth beyond it would only squeeze the rest. */
export const drawnUpTo = (sample: Sample): number => Math.max(1, quantileOf(sample, 0.99));

/**
 * One bar for each value where they are few, otherwise bars of equal width. A bin that lies across several bars is shared out
 * among them: bins grow with the value, and whole ones would make a comb of the bars.
 */
export const barsOf = (sample: Sample): readonly Bar[] => {
  if (sample.count === 0) return [];
  const top = drawnUpTo(sample);
  const bottom = Math.min(sample.min, top);
  const width = Math.max(1, (top + 1 - bottom) / BARS_MAX);
  const counts = Array.from({ length: Math.ceil((top + 1 - bottom) / width) }, () => 0);
  for (const [bin, n] of sample.bins) {
    const from = binStart(bin);
    const to = binStart(bin + 1);
    for (let bar = Math.max(0, Math.floor((from - bottom) / width)); bar < counts.length; bar++) {
      const overlap = Math.min(to, bottom + (bar + 1) * width) - Math.max(from, bottom + bar * width);
      if (overlap <= 0) break;
      counts[bar] = (counts[bar] ?? 0) + (n * overlap) / (to - from);
    }
  }
  return counts.map((n, bar) => ({
    from: bottom + bar * width,
    to: bottom + (bar + 1) * width,
    share: n / sample.count,
  }));
};
