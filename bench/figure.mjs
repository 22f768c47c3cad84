// What a row of the table is: one figure, the floor that was measured beside it, and what we aim for.

import { spreadOf } from "./spread.mjs";

/** @typedef {import("./spread.mjs").Spread} Spread */
/** @typedef {"ms" | "us" | "ns/byte" | "bytes" | "rounds/s" | "times"} Unit */
/** What is held against the limit, and from which side. @typedef {{ readonly of: "ratio" | "value", readonly bound: "most" | "least", readonly limit: number }} Aim */
/** `ratio`: of each pair of measurements, value divided by floor. @typedef {{ readonly what: string, readonly value: Spread, readonly ratio: Spread }} Floor */
/**
 * @typedef {object} Figure
 * @property {string} what
 * @property {Unit} unit of the value and of the floor's
 * @property {Spread} value
 * @property {Floor | null} floor
 * @property {Aim | null} aim
 * @property {boolean | null} reached the median judged by the aim; null where there is none
 * @property {string} note what a reader must know to read the figure rightly, or ""
 */

/** @type {(limit: number) => Aim} */
export const ratioAtMost = (limit) => ({ of: "ratio", bound: "most", limit });
/** @type {(limit: number) => Aim} */
export const ratioAtLeast = (limit) => ({ of: "ratio", bound: "least", limit });
/** @type {(limit: number) => Aim} */
export const valueAtMost = (limit) => ({ of: "value", bound: "most", limit });

/**
 * @param {Spread} value
 * @param {Floor | null} floor
 * @param {Aim | null} aim
 */
function reached(value, floor, aim) {
  if (aim === null) return null;
  const judged = aim.of === "value" ? value : floor?.ratio;
  if (judged === undefined) throw new Error("a ratio is aimed at, and there is no floor");
  return aim.bound === "most" ? judged.median <= aim.limit : judged.median >= aim.limit;
}

/** @typedef {{ readonly what: string, readonly unit: Unit, readonly aim: Aim | null, readonly note?: string }} About */

/**
 * A figure that was measured side by side with its floor.
 * @param {About & { readonly floor: string, readonly pairs: readonly { readonly value: number, readonly floor: number }[] }} measured
 * @returns {Figure}
 */
export function against({ what, unit, aim, note = "", floor: floorWhat, pairs }) {
  const value = spreadOf(pairs.map((pair) => pair.value));
  const floor = {
    what: floorWhat,
    value: spreadOf(pairs.map((pair) => pair.floor)),
    ratio: spreadOf(pairs.map((pair) => pair.value / pair.floor)),
  };
  return { what, unit, value, floor, aim, reached: reached(value, floor, aim), note };
}

/**
 * A figure without a floor.
 * @param {About & { readonly values: readonly number[] }} measured
 * @returns {Figure}
 */
export function alone({ what, unit, aim, note = "", values }) {
  const value = spreadOf(values);
  return { what, unit, value, floor: null, aim, reached: reached(value, null, aim), note };
}
