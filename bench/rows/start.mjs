// How long a client waits for the agent: from spawn to the answer to `initialize`, and to `session/new` without servers. The floor
// is `node -e 0` spawned the same way until its exit: what Node itself takes to come and go.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { against, ratioAtMost } from "../figure.mjs";
import { initialize, newSession, startAgent, unusedProvider } from "../support/agent.mjs";

/** Nothing in it that a session would read, and nothing in the home either. */
const folder = mkdtempSync(path.join(tmpdir(), "turnfold-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true }));
const environment = { ...unusedProvider, HOME: folder };

/** @param {() => Promise<void>} work @returns {Promise<number>} milliseconds */
async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const bareNode = () =>
  timed(
    () =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, ["-e", "0"], {
          stdio: ["pipe", "pipe", "inherit"],
          env: environment,
        });
        child.once("error", reject);
        child.once("exit", () => resolve());
      }),
  );

/** @param {(client: import("../support/agent.mjs").Client) => Promise<unknown>} work */
async function agent(work) {
  /** @type {import("../support/agent.mjs").Client | undefined} */
  let client;
  const milliseconds = await timed(async () => {
    client = startAgent({ environment });
    await work(client);
  });
  await client?.end();
  return milliseconds;
}

const toInitialize = () => agent(initialize);
const toSession = () =>
  agent(async (client) => {
    await initialize(client);
    await newSession(client, folder);
  });

/** @type {import("../registry.mjs").Measure} */
export async function measure({ quick }) {
  // One of each that does not count: afterwards the files are in the page cache for all.
  for (const warm of [bareNode, toInitialize, toSession]) await warm();
  /** @type {{ value: number, floor: number }[]} */
  const initialized = [];
  /** @type {{ value: number, floor: number }[]} */
  const opened = [];
  for (let pair = 0; pair < (quick ? 2 : 40); pair += 1) {
    initialized.push({ floor: await bareNode(), value: await toInitialize() });
    opened.push({ floor: await bareNode(), value: await toSession() });
  }
  const floor = "`node -e 0`, spawn to exit";
  return [
    against({
      what: "spawn to the answer to `initialize`",
      unit: "ms",
      floor,
      pairs: initialized,
      aim: ratioAtMost(1.25),
    }),
    against({
      what: "spawn to the answer to `session/new`, without servers",
      unit: "ms",
      floor,
      pairs: opened,
      aim: ratioAtMost(1.4),
    }),
  ];
}
