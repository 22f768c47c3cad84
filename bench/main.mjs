// `npm run bench`: every figure of the README, each beside the floor that was measured in the same run. Prints the table and
// writes bench/results.json, which the README's table is generated from (`npm run docs`).
//
//   npm run bench                        the rows of the table
//   npm run bench -- --only start,step   these rows; the others keep what was measured before
//   npm run bench -- --only ledger       a row that takes minutes is measured only when it is named
//   npm run bench -- --quick             little of everything, nothing is written: does it run?
//   npm run bench -- --no-build          measures the dist/ that is there

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "../scripts/build.mjs";
import { longRows, rows } from "./registry.mjs";
import { observe, readResults, writeResults } from "./results.mjs";
import { lines } from "./table.mjs";

/** @typedef {import("./figure.mjs").Figure} Figure */
/** @typedef {import("./registry.mjs").Row} Row */

const measurer = fileURLToPath(new URL("measure.mjs", import.meta.url));

/**
 * The figures that the row's own process sends; it must end by itself, and well.
 * @param {Row} row
 * @param {boolean} quick
 * @returns {Promise<readonly Figure[]>}
 */
async function figuresOf({ name, flags }, quick) {
  const child = fork(measurer, [name, ...(quick ? ["--quick"] : [])], { execArgv: [...flags] });
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve) => child.once("exit", resolve));
  /** @type {readonly Figure[] | undefined} */
  let figures;
  child.once("message", (message) => (figures = /** @type {readonly Figure[]} */ (message)));
  const code = await ended;
  if (code !== 0 || figures === undefined) throw new Error(`row ${name} ended with code ${code}`);
  return figures;
}

/** @param {string | undefined} only */
function chosen(only) {
  if (only === undefined) return rows;
  const all = [...rows, ...longRows];
  return only.split(",").map((name) => {
    const row = all.find((each) => each.name === name);
    if (row === undefined) throw new Error(`there is no row ${name}, only ${all.map((each) => each.name).join(", ")}`);
    return row;
  });
}

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    quick: { type: "boolean", default: false },
    "no-build": { type: "boolean", default: false },
  },
});
const asked = chosen(values.only);
if (!values["no-build"]) await build();
for (const row of asked) {
  const end = observe();
  const figures = await figuresOf(row, values.quick);
  const conditions = end();
  const { seconds, loadBefore, loadAfter } = conditions;
  console.log(["", `${row.name}: ${seconds} s, load ${loadBefore} to ${loadAfter}`, ...lines(figures)].join("\n"));
  // After each row, so that a run that is broken off has not been for nothing.
  if (!values.quick) await writeResults({ ...(await readResults()), [row.name]: { conditions, figures } });
}
if (!values.quick) console.log("\nbench/results.json is written; `npm run docs` puts it into the README.");
