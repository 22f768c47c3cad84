/** The normal distribution, as far as it is needed here. */

const horner = (coefficients: readonly number[], x: number): number =>
  coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);

/**
 * Rational approximations of Wichura's algorithm AS 241 (PPND7), relative error about 1e-7: numerator and denominator for the
 * middle, the shoulder and the tail.
 */
const MIDDLE = {
  above: [3.3871327179, 50.434271938, 159.29113202, 59.10937472],
  below: [1, 17.895169469, 78.757757664, 67.1875636],
};
const SHOULDER = {
  above: [1.4234372777, 2.75681539, 1.3067284816, 0.17023821103],
  below: [1, 0.7370016425, 0.12021132975],
};
const TAIL = {
  above: [6.657905115, 3.081226386, 0.42868294337, 0.017337203997],
  below: [1, 0.24197894225, 0.012258202635],
};

const ratio = ({ above, below }: typeof MIDDLE, x: number): number => horner(above, x) / horner(below, x);

/** The standard normal value below which a share `u` in (0, 1) lies. */
export const normalQuantile = (u: number): number => {
  const centred = u - 0.5;
  if (Math.abs(centred) <= 0.425) return centred * ratio(MIDDLE, 0.180625 - centred * centred);
  const depth = Math.sqrt(-Math.log(Math.min(u, 1 - u)));
  const size = depth <= 5 ? ratio(SHOULDER, depth - 1.6) : ratio(TAIL, depth - 5);
  return centred < 0 ? -size : size;
};

/** The share below `x`, to about 1e-7 (Abramowitz and Stegun 26.2.17). */
export const normalShare = (x: number): number => {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const polynomial = horner([0, 0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429], t);
  const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
  return x > 0 ? 1 - tail : tail;
};
