// bench/results.json: of each row its figures and under what conditions they were measured.

import { readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import { fileURLToPath } from "node:url";
import * as prettier from "prettier";
import { longRows, rows } from "./registry.mjs";

/** Loads are the kernel's averages over one minute. @typedef {{ readonly at: string, readonly node: string, readonly cpu: string, readonly cores: number, readonly loadBefore: number, readonly loadAfter: number, readonly seconds: number }} Conditions */
/** @typedef {{ readonly conditions: Conditions, readonly figures: readonly import("./figure.mjs").Figure[] }} Measured */
/** @typedef {Readonly<Record<string, Measured>>} Results */

const file = fileURLToPath(new URL("results.json", import.meta.url));
const load = () => Number((os.loadavg()[0] ?? 0).toFixed(2));

/** Begins to take down the conditions; call what it returns when the row is measured. @returns {() => Conditions} */
export function observe() {
  const started = performance.now();
  const loadBefore = load();
  return () => ({
    at: `${new Date().toISOString().slice(0, 16)}Z`,
    node: process.versions.node,
    cpu: (os.cpus()[0]?.model ?? "unknown").trim(),
    cores: os.availableParallelism(),
    loadBefore,
    loadAfter: load(),
    seconds: Math.round((performance.now() - started) / 1000),
  });
}

/** @returns {Promise<Results>} */
export const readResults = async () => JSON.parse(await readFile(file, "utf8").catch(() => "{}"));

/** In the order of the table, in the form that `npm run format` gives it. @param {Results} results */
export async function writeResults(results) {
  const ordered = [...rows, ...longRows].flatMap(({ name }) =>
    results[name] === undefined ? [] : [[name, results[name]]],
  );
  const options = await prettier.resolveConfig(file);
  const text = JSON.stringify(Object.fromEntries(ordered));
  await writeFile(file, await prettier.format(text, { ...options, filepath: file }));
}
