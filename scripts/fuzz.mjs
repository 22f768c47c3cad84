// `npm run fuzz -- --minutes 10 [--workers 2] [--seed N]`: random events with fresh seeds on all cores, for as long as asked. A failure
// is shrunk, written to test/replays/ as an event log, and ends the run with exit code 1.

import { fork } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { build } from "rolldown";

const root = path.join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: { minutes: { type: "string", default: "1" }, workers: { type: "string" }, seed: { type: "string" } },
});
const minutes = Number(values.minutes);
const workers = Number(values.workers ?? os.availableParallelism());
const firstSeed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 30));
if (!(minutes > 0) || !(workers >= 1) || !Number.isSafeInteger(firstSeed)) {
  console.error("usage: npm run fuzz -- --minutes M [--workers N] [--seed S]");
  process.exit(2);
}

// The worker is bundled, so that it runs without a test runner around it; below the repository, so that it finds its packages.
mkdirSync(path.join(root, "node_modules/.cache"), { recursive: true });
const folder = mkdtempSync(path.join(root, "node_modules/.cache/fuzz-"));
const worker = path.join(folder, "worker.mjs");
await build({
  input: path.join(root, "test/fuzz/worker.ts"),
  platform: "node",
  external: ["fast-check", "immer", /^fp-ts/, "io-ts"],
  logLevel: "warn",
  output: { file: worker },
});

/** @typedef {{ cases: number, events: number, failure?: { seed: number, report: string, log: string } }} Progress */

const until = Date.now() + minutes * 60_000;
console.log(`fuzzing for ${minutes} minutes with ${workers} workers, first seed ${firstSeed}`);

/** @param {number} number @returns {Promise<Progress>} */
const run = (number) =>
  new Promise((resolve) => {
    const child = fork(worker, [String(firstSeed + number), String(workers), String(until)]);
    /** @type {Progress} */
    let last = { cases: 0, events: 0 };
    child.on("message", (message) => {
      last = /** @type {Progress} */ (message);
    });
    child.on("exit", (code) => {
      if (code !== 0 && last.failure === undefined) {
        last.failure = { seed: firstSeed + number, report: `the worker ended with code ${code}`, log: "" };
      }
      resolve(last);
    });
  });

const results = await Promise.all(Array.from({ length: workers }, (_, number) => run(number)));
rmSync(folder, { recursive: true, force: true });
const events = results.reduce((sum, result) => sum + result.events, 0);
const cases = results.reduce((sum, result) => sum + result.cases, 0);
console.log(`${events} events in ${cases} sessions`);
for (const { failure } of results) {
  if (failure === undefined) continue;
  const file = path.join(root, "test/replays", `fuzz-${failure.seed}.ndjson`);
  if (failure.log !== "") {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, failure.log);
    console.error(`written: ${path.relative(root, file)}`);
  }
  console.error(failure.report);
  process.exitCode = 1;
}
