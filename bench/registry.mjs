// The rows of the table, each a file of its own in bench/rows that exports `measure`. The order is that of the README.

/** What a row's file exports: its figures, measured with fewer repetitions where `quick`. @typedef {(options: { readonly quick: boolean }) => Promise<readonly import("./figure.mjs").Figure[]>} Measure */

/** `flags`: of the Node process that measures. @typedef {{ readonly name: string, readonly flags: readonly string[] }} Row */

/** Measured by `npm run bench`. @type {readonly Row[]} */
export const rows = [
  { name: "start", flags: [] },
  { name: "memory", flags: [] },
  { name: "size", flags: [] },
  { name: "round", flags: [] },
  { name: "step", flags: [] },
  { name: "throughput", flags: [] },
  { name: "idle", flags: [] },
  { name: "decode", flags: ["--expose-gc"] },
  { name: "stalls", flags: [] },
];

/** Measured when they are named, since they take minutes or gigabytes. @type {readonly Row[]} */
export const longRows = [
  { name: "simulate", flags: [] },
  { name: "proxy", flags: [] },
  { name: "ledger", flags: [] },
  { name: "recall", flags: [] },
];
