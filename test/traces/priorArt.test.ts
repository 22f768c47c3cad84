// No behaviour that the prior art thought worth a test is without one here.

import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { fakeLlm, goldenTranscripts, regressions } from "./priorArt.table.js";

const root = path.join(import.meta.dirname, "../..");
const rows = [...regressions, ...fakeLlm, ...goldenTranscripts];

test("the table has every test of the three files, each once", () => {
  expect([regressions.length, fakeLlm.length, goldenTranscripts.length]).toEqual([48, 20, 16]);
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
});

test("every row names a trace or a test, and what it names exists", () => {
  const missing = rows.flatMap(({ name, traces, tests }) => [
    ...traces
      .map((trace) => `test/traces/golden/${trace}.txt`)
      .concat(tests)
      .filter((file) => !existsSync(path.join(root, file)))
      .map((file) => `${name}: ${file}`),
    ...(traces.length + tests.length === 0 ? [`${name}: nothing`] : []),
  ]);
  expect(missing).toEqual([]);
});
