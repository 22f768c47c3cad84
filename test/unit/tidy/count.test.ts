// The last line of .ci/run is believed by whoever reads it, so a run that broke must never look like one that passed.
// It kills a count that trusts vitest's totals: they leave out a test file that could not be loaded.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { root } from "./source.js";

const folder = mkdtempSync(path.join(os.tmpdir(), "turnfold-count-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The last line and the exit code for a report with these files, each given by the status of its tests. */
function count(
  success: boolean,
  ...files: readonly (readonly string[])[]
): readonly [string | undefined, number | null] {
  const report = path.join(folder, "report.json");
  const testResults = files.map((statuses, index) => ({
    name: `${root}test/${index}.test.ts`,
    status: statuses.length === 0 || statuses.includes("failed") ? "failed" : "passed",
    assertionResults: statuses.map((status) => ({ status })),
  }));
  writeFileSync(report, JSON.stringify({ success, testResults }));
  return lastLine(report);
}

function lastLine(report: string): readonly [string | undefined, number | null] {
  const script = path.join(root, "scripts", "count.mjs");
  const { stdout, status } = spawnSync(process.execPath, [script, report], { encoding: "utf8" });
  return [stdout.trimEnd().split("\n").at(-1), status];
}

test("what passed, failed and was skipped is counted", () => {
  expect(count(true, ["passed", "passed"], ["passed"])).toEqual(["3 passed, 0 failed", 0]);
  expect(count(true, ["passed", "skipped"], ["todo"])).toEqual(["1 passed, 0 failed, 2 skipped", 0]);
  expect(count(false, ["passed", "failed"], ["failed"])).toEqual(["1 passed, 2 failed", 1]);
});

test("a file that could not be loaded is a failure", () => {
  expect(count(false, ["passed"], [])).toEqual(["1 passed, 1 failed", 1]);
});

test("an error beside the tests is a failure", () => {
  expect(count(false, ["passed"])).toEqual(["1 passed, 1 failed", 1]);
});

test("a missing report is a failure", () => {
  expect(lastLine(path.join(folder, "none.json"))).toEqual(["0 passed, 1 failed", 1]);
});
