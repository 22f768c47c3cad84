// `npm run fuzz:simulated -- --sessions 1000000 [--workers 2] [--seed 1] [--minutes M]`: simulated sessions with every fault
// switched on, judged by every invariant. Prints what was covered; a fault ends the run with exit code 1 and leaves its event log in test/replays/.

import { fork } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { build } from "rolldown";

const root = path.join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    sessions: { type: "string", default: "100000" },
    workers: { type: "string" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "600" },
  },
});
const sessions = Number(values.sessions);
const workers = Number(values.workers ?? os.availableParallelism());
const seed = Number(values.seed);
const until = Date.now() + Number(values.minutes) * 60_000;

mkdirSync(path.join(root, "node_modules/.cache"), { recursive: true });
const folder = mkdtempSync(path.join(root, "node_modules/.cache/fuzz-"));
const worker = path.join(folder, "worker.mjs");
await build({
  input: path.join(root, "test/fuzz/simulated.ts"),
  platform: "node",
  external: ["fast-check", "immer", /^fp-ts/, "io-ts"],
  logLevel: "warn",
  output: { file: worker },
});

/** @typedef {{ sessions: number, events: number, seen: Record<string, number>, faults: string[], log: string }} Progress */

const started = performance.now();
/** @type {number[]} */
const reached = [];
const telling = setInterval(() => {
  const done = reached.reduce((a, b) => a + b, 0);
  console.error(`${done} sessions after ${Math.round((performance.now() - started) / 1000)} s`);
}, 60_000);

/** @param {number} number @returns {Promise<Progress>} */
const run = (number) =>
  new Promise((resolve) => {
    const child = fork(worker, [seed, number, workers, sessions, until].map(String));
    /** @type {Progress} */
    let last = { sessions: 0, events: 0, seen: {}, faults: [], log: "" };
    child.on("message", (message) => {
      last = /** @type {Progress} */ (message);
      reached[number] = last.sessions;
    });
    child.on("exit", (code) => {
      resolve(code === 0 ? last : { ...last, faults: [...last.faults, `the worker ended with code ${code}`] });
    });
  });

const results = await Promise.all(Array.from({ length: workers }, (_, number) => run(number)));
clearInterval(telling);
rmSync(folder, { recursive: true, force: true });
const seconds = (performance.now() - started) / 1000;

/** @param {(result: Progress) => number} of */
const sum = (of) => results.reduce((total, result) => total + of(result), 0);
console.log(
  `${sum((r) => r.sessions)} sessions, ${sum((r) => r.events)} events, seed ${seed}, ${seconds.toFixed(0)} s`,
);
for (const kind of [...new Set(results.flatMap(({ seen }) => Object.keys(seen)))].toSorted()) {
  console.log(`  ${kind.padEnd(30)} ${sum(({ seen }) => seen[kind] ?? 0)}`);
}
for (const [number, { faults, log }] of results.entries()) {
  if (faults.length === 0) continue;
  process.exitCode = 1;
  console.error(faults.join("\n"));
  if (log !== "") writeFileSync(path.join(root, "test/replays", `simulated-${seed}-${number}.ndjson`), log);
}
