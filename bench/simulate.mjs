// What a simulation costs: rounds a second on one core, against bare `step` fed with the very same events (interleaved pairs,
// median), and the memory of a long run by the number of its sessions, which must not grow. Run with `npm run bench:simulate`;
// `-- --sessions N` sets the length of the long run (default 100,000 sessions of 20 rounds; it takes minutes).
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "../scripts/build.mjs";

await build();
/** The built library; its types are those of the sources, which are there before it is built. @param {string} part */
const library = (part) => import(new URL(`../dist/lib/${part}/index.js`, import.meta.url).href);
/** @type {typeof import("../src/core/index.js")} */
const { step } = await library("core");
/** @type {typeof import("../src/simulation/index.js")} */
const { readScenario, simulateSession, stageOf } = await library("simulation");

const { values } = parseArgs({ options: { sessions: { type: "string", default: "100000" } } });
const sessions = Number(values.sessions);

/** Twenty rounds: nineteen call a tool, one answers. Small texts, so that the loop is measured and not the copying of bytes. */
const scenarioJson = {
  name: "bench",
  user: { turns: 1 },
  model: { toolRounds: 19, textBytes: { kind: "logNormal", median: 200, sigma: 0.5 } },
  tools: [
    {
      name: "tool",
      resultBytes: { kind: "logNormal", median: 500, sigma: 0.5 },
      latencyMs: { kind: "uniform", min: 100, max: 900 },
    },
  ],
};
const ROUNDS = 20;

const read = readScenario(scenarioJson);
if (read._tag === "Left") throw new Error(read.left);
const stage = stageOf(read.right);

/** @typedef {import("../src/core/index.js").Event} Event */
/** @typedef {import("../src/core/index.js").Session} Session */

/** @param {number[]} list */
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;

/** CPU time of this thread's work, so that other processes do not count. @param {() => void} work */
const cpuSeconds = (work) => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

const BATCH = 200;
/** @type {{ first: Session, events: Event[] }[]} */
const logs = [];
for (let session = 0; session < BATCH; session++) {
  /** @type {Event[]} */
  const events = [];
  /** @type {Session | undefined} */
  let first;
  simulateSession(stage, 1, session, ({ before, event }) => {
    first ??= before;
    events.push(event);
  });
  if (first !== undefined) logs.push({ first, events });
}

const simulateBatch = () => {
  for (let session = 0; session < BATCH; session++) simulateSession(stage, 1, session);
};
const stepBatch = () => {
  for (const { first, events } of logs) {
    let state = first;
    for (const event of events) state = step(state, event)[0];
  }
};

const simulated = [];
const bare = [];
const ratios = [];
for (let pair = 0; pair < 12; pair++) {
  const ours = cpuSeconds(simulateBatch);
  const theirs = cpuSeconds(stepBatch);
  // The first pairs warm the compiler up.
  if (pair < 3) continue;
  simulated.push(ours);
  bare.push(theirs);
  ratios.push(theirs / ours);
}
/** @param {number} seconds */
const rate = (seconds) => Math.round((BATCH * ROUNDS) / seconds).toLocaleString("en-US");
console.log(`simulated          ${rate(median(simulated))} rounds a second and core`);
console.log(`bare step          ${rate(median(bare))} rounds a second and core, same events`);
console.log(`ratio              ${median(ratios).toFixed(2)} (at least 0.5)`);

/** Highest resident memory of a run of the program, from /proc; undefined where there is none. @param {number} pid */
const peakMiB = async (pid) => {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const found = /VmHWM:\s+(\d+) kB/.exec(status);
  return found === null ? undefined : Math.round(Number(found[1]) / 1024);
};

const folder = await mkdtemp(path.join(os.tmpdir(), "turnfold-bench-"));
const program = fileURLToPath(new URL("../dist/turnfold.js", import.meta.url));
await writeFile(path.join(folder, "scenario.json"), JSON.stringify(scenarioJson));

/** @param {number} count */
const longRun = async (count) => {
  const out = path.join(folder, String(count));
  const argv = [program, "simulate", path.join(folder, "scenario.json"), "--sessions", String(count), "--out", out];
  const started = performance.now();
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let peak = 0;
  const look = async () => {
    peak = Math.max(peak, (await peakMiB(child.pid ?? 0)) ?? 0);
  };
  const watch = setInterval(() => void look(), 100);
  const code = await ended;
  clearInterval(watch);
  const seconds = (performance.now() - started) / 1000;
  console.log(`${String(count).padStart(7)} sessions   peak ${peak} MiB, ${seconds.toFixed(0)} s, exit code ${code}`);
};

try {
  for (const share of [0.02, 0.2, 1]) await longRun(Math.max(1, Math.round(sessions * share)));
} finally {
  await rm(folder, { recursive: true, force: true });
}
