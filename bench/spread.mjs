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
 * By how much `y` grows with one unit of `x`: least squares of relative errors, so that the smallest sizes count as much as
 * the largest. Both lists are of the same length.
 * @param {readonly number[]} xs
 * @param {readonly number[]} ys
 */
export function slope(xs, ys) {
  const weights = ys.map((y) => 1 / y ** 2);
  const sum = (/** @type {(index: number) => number} */ term) =>
    weights.reduce((total, weight, index) => total + weight * term(index), 0);
  const x = (/** @type {number} */ index) => xs[index] ?? 0;
  const y = (/** @type {number} */ index) => ys[index] ?? 0;
  const one = sum(() => 1);
  const meanX = sum(x) / one;
  const meanY = sum(y) / one;
  return sum((index) => (x(index) - meanX) * (y(index) - meanY)) / sum((index) => (x(index) - meanX) ** 2);
}
