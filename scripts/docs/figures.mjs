// The README's figures, from bench/results.json: what `npm run bench` measured last, row by row of bench/registry.mjs.

import { readFile } from "node:fs/promises";
import { longRows, rows } from "../../bench/registry.mjs";
import { cells, head } from "../../bench/table.mjs";
import { table } from "./table.mjs";

/** @typedef {import("../../bench/results.mjs").Results} Results */
/** @typedef {import("../../bench/results.mjs").Measured} Measured */

/** Where and when, in one sentence; rows that were measured apart may differ in it. @param {readonly Measured[]} measured */
function conditions(measured) {
  const all = measured.map((row) => row.conditions);
  const machines = [...new Set(all.map(({ cpu, cores, node }) => `${cpu}, ${cores} cores, Node ${node}`))];
  const days = [...new Set(all.map(({ at }) => at.slice(0, 10)))].toSorted();
  const loads = all.flatMap(({ loadBefore, loadAfter }) => [loadBefore, loadAfter]);
  const [first = "", last = first] = [days[0], days.at(-1)];
  const day = first === last ? first : `${first} to ${last}`;
  return `${machines.join("; ")}; ${day}; load average ${Math.min(...loads)} to ${Math.max(...loads)}.`;
}

/** @param {Results} results @param {readonly { readonly name: string }[]} wanted */
const measuredOf = (results, wanted) =>
  wanted.flatMap(({ name }) => {
    const measured = results[name];
    return measured === undefined ? [] : [{ name, ...measured }];
  });

/** @param {ReturnType<typeof measuredOf>} measured */
const part = (measured) => {
  const lines = measured.flatMap(({ name, figures }) =>
    figures.map((figure) => {
      const [what = "", ...rest] = cells(figure);
      return [`\`${name}\``, what, ...rest];
    }),
  );
  const notes = measured.flatMap(({ figures }) =>
    figures.filter(({ note }) => note !== "").map(({ what, note }) => `- ${what}: ${note}`),
  );
  return [conditions(measured), table(["row", ...head], lines), notes.join("\n")].join("\n\n");
};

export async function figures() {
  /** @type {Results} */
  const results = JSON.parse(await readFile(new URL("../../bench/results.json", import.meta.url), "utf8"));
  const missing = [...rows, ...longRows].filter(({ name }) => results[name] === undefined);
  const never = `Never measured: ${missing.map(({ name }) => `\`${name}\``).join(", ")}.`;
  return [
    part(measuredOf(results, rows)),
    "Rows that take minutes are measured when they are named (`npm run bench -- --only NAME`).",
    part(measuredOf(results, longRows)),
    ...(missing.length === 0 ? [] : [never]),
  ].join("\n\n");
}
