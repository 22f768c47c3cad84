// What is told of many measurements: the median, and the quartiles as its spread.

/** @typedef {{ readonly median: number, readonly low: number, readonly high: number }} Spread */

/** @param {readonly number[]} numbers at least one @returns {Spread} */
export function spreadOf(numbers) {
  if (numbers.length === 0 || numbers.some(Number.isNaN)) throw new Error("nothing was measured");
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (/** @type {number} */ part) => {
    const place = (sorted.length - 1) * part;
    const low = sorted[Math.floor(place)] ?? 0;
    return low + ((sorted[Math.ceil(place)] ?? 0) - low) * (place % 1);
  };
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/** @param {readonly number[]} numbers */
export const median = (numbers) => spreadOf(numbers).median;

/**
 * By how much `y` grows with one unit of `x`, by least squares. Both lists are of the same length.
 * @param {readonly number[]} xs
 * @param {readonly number[]} ys
 */
export function slope(xs, ys) {
  const mean = (/** @type {readonly number[]} */ list) => list.reduce((sum, each) => sum + each, 0) / list.length;
  const [meanX, meanY] = [mean(xs), mean(ys)];
  const covariance = mean(xs.map((x, index) => (x - meanX) * ((ys[index] ?? 0) - meanY)));
  return covariance / mean(xs.map((x) => (x - meanX) ** 2));
}
