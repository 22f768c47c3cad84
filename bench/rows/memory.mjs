// Resident memory of an agent that has answered `initialize` and waits, against a Node that waits on stdin. Both are given the same
// time to come to rest: the agent goes on reading its parts after the answer, and those count.

import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { against, ratioAtMost } from "../figure.mjs";
import { initialize, startAgent, unusedProvider } from "../support/agent.mjs";
import { residentBytes } from "../support/procfs.mjs";

const REST_MS = 700;

async function waitingNode() {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], {
    stdio: ["pipe", "pipe", "inherit"],
    env: unusedProvider,
  });
  const gone = new Promise((resolve) => child.once("close", resolve));
  await sleep(REST_MS);
  const bytes = await residentBytes(child.pid ?? 0);
  child.stdin.end();
  await gone;
  return bytes;
}

async function initialized() {
  const client = startAgent({ environment: unusedProvider });
  await initialize(client);
  await sleep(REST_MS);
  const bytes = await residentBytes(client.child.pid ?? 0);
  await client.end();
  return bytes;
}

/** @type {import("../registry.mjs").Measure} */
export async function measure({ quick }) {
  await waitingNode();
  await initialized();
  /** @type {{ floor: { rss: number, pss: number }, value: { rss: number, pss: number } }[]} */
  const seen = [];
  for (let pair = 0; pair < (quick ? 2 : 15); pair += 1)
    seen.push({ floor: await waitingNode(), value: await initialized() });
  const pairs = (/** @type {"rss" | "pss"} */ kind) =>
    seen.map(({ floor, value }) => ({ floor: floor[kind], value: value[kind] }));
  const floor = "`node` that waits on stdin";
  return [
    against({
      what: "resident memory after `initialize`",
      unit: "bytes",
      floor,
      pairs: pairs("rss"),
      aim: ratioAtMost(1.3),
    }),
    against({
      what: "the same with shared pages divided (PSS)",
      unit: "bytes",
      floor,
      pairs: pairs("pss"),
      aim: null,
      note: "Depends on how many other Node processes share the pages of the runtime.",
    }),
  ];
}
