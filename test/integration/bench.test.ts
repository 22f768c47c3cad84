// The figures are measured on quiet machines and never asserted here. What is: that every row can be measured, that a hasty run
// leaves the committed figures alone, and that the README shows those and no others.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { longRows, rows } from "../../bench/registry.mjs";
import { bytesReadBeforeInitialize } from "../../bench/rows/size.mjs";
import { cells } from "../../bench/table.mjs";
import type { Results } from "../../bench/results.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (name: string) => readFile(`${root}/${name}`, "utf8");

/** Rows measure through /proc. */
const linux = existsSync("/proc/self/smaps_rollup");

test.skipIf(!linux)(
  "every row of the table can be measured, and a quick run writes nothing",
  { timeout: 300_000 },
  async () => {
    const before = await read("bench/results.json");
    const argv = ["bench/main.mjs", "--quick", "--no-build"];
    const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: root });
    for (const { name } of rows) expect(stdout).toMatch(new RegExp(`^${name}: \\d+ s, load`, "m"));
    expect(await read("bench/results.json")).toBe(before);
  },
);

test("the README shows every figure of bench/results.json", async () => {
  const results = JSON.parse(await read("bench/results.json")) as Results;
  // What the formatter has filled up with spaces is one space again.
  const readme = (await read("README.md")).replaceAll(/ +/g, " ");
  for (const { name } of [...rows, ...longRows]) {
    for (const figure of results[name]?.figures ?? [])
      expect(readme).toContain(`| \`${name}\` | ${cells(figure).join(" | ")} |`);
  }
  for (const { name } of [...rows, ...longRows])
    expect(results[name]?.figures.length, `row ${name}`).toBeGreaterThan(0);
});

// A count and no timing, the same in every run: 161 KiB were read when the answer waited, in the writer of a whole turn of the
// event loop, for the code of sessions that was loaded in the same turn; a static import too many in the entry shows here too.
test.skipIf(!linux)("at most 64 KiB are read before initialize is answered", async () => {
  expect(await bytesReadBeforeInitialize()).toBeLessThanOrEqual(64 * 1024);
});
