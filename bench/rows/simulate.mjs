// What a simulation costs: rounds a second on one core, against bare `step` fed with the very same events, and the memory of a long
// run by the number of its sessions, which must not grow.

import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { against, ratioAtLeast, ratioAtMost } from "../figure.mjs";
import { program } from "../support/agent.mjs";
import { peakResidentBytes } from "../support/procfs.mjs";

/** @typedef {typeof import("../../src/core/index.js")} Core */
/** @typedef {typeof import("../../src/simulation/index.js")} Simulation */
/** @typedef {import("../../src/core/index.js").Event} Event */
/** @typedef {import("../../src/core/index.js").Session} Session */

/** The built library; its types are those of the sources, which are there before it is built. @param {string} part */
const library = (part) => import(new URL(`../../dist/lib/${part}/index.js`, import.meta.url).href);

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

const BATCH = 200;

/** CPU time of this thread's work in seconds, so that other processes do not count. @param {() => void} work */
const cpuSeconds = (work) => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

/** Rounds a second and core. @param {number} seconds */
const rate = (seconds) => (BATCH * ROUNDS) / seconds;

/** @param {Core} core @param {Simulation} simulation @param {number} count */
function rounds({ step }, { readScenario, simulateSession, stageOf }, count) {
  const read = readScenario(scenarioJson);
  if (read._tag === "Left") throw new Error(read.left);
  const stage = stageOf(read.right);
  /** @type {{ first: Session, events: Event[] }[]} */
  const logs = [];
  for (let session = 0; session < BATCH; session++) {
    /** @type {Event[]} */
    const events = [];
    /** @type {Session[]} */
    const states = [];
    simulateSession(stage, 1, session, ({ before, event }) => {
      if (states.length === 0) states.push(before);
      events.push(event);
    });
    for (const first of states) logs.push({ first, events });
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
  const pairs = Array.from({ length: count + 3 }, () => ({
    value: rate(cpuSeconds(simulateBatch)),
    floor: rate(cpuSeconds(stepBatch)),
  }));
  // The first pairs warm the compiler up.
  return pairs.slice(3);
}

const LOOK_EVERY_MS = 100;

/** Most resident bytes of a run of the program. @param {string} folder @param {number} sessions */
async function peakOf(folder, sessions) {
  const out = path.join(folder, String(sessions));
  const argv = [program, "simulate", path.join(folder, "scenario.json"), "--sessions", String(sessions), "--out", out];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let peak = 0;
  const look = async () => {
    // The process may have gone in the meantime.
    peak = Math.max(peak, await peakResidentBytes(child.pid ?? 0).catch(() => 0));
  };
  const watch = setInterval(() => void look(), LOOK_EVERY_MS);
  const code = await ended;
  clearInterval(watch);
  if (code !== 0) throw new Error(`turnfold simulate ended with ${String(code)}`);
  return peak;
}

/** @type {import("../registry.mjs").Measure} */
export async function measure({ quick }) {
  const pairs = rounds(await library("core"), await library("simulation"), quick ? 1 : 12);
  const [few, many] = quick ? [20, 100] : [2000, 100_000];
  const folder = await mkdtemp(path.join(os.tmpdir(), "turnfold-bench-"));
  try {
    await writeFile(path.join(folder, "scenario.json"), JSON.stringify(scenarioJson));
    const floor = await peakOf(folder, few);
    const value = await peakOf(folder, many);
    const number = (/** @type {number} */ count) => count.toLocaleString("en-US");
    return [
      against({
        what: "simulated rounds a second and core",
        unit: "rounds/s",
        floor: "bare `step` with the same events",
        pairs,
        aim: ratioAtLeast(0.5),
      }),
      against({
        what: `peak memory of a simulation of ${number(many)} sessions of ${ROUNDS} rounds`,
        unit: "bytes",
        floor: `of ${number(few)} sessions`,
        pairs: [{ value, floor }],
        // Fifty times the sessions: what grows with them would be many times as much.
        aim: ratioAtMost(1.5),
      }),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
