// What `turnfold usage record` adds to a frame on its way from the agent to the client: an agent answers each line of the client
// with one frame, and the round trip is measured with and without the proxy in interleaved batches.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { against } from "../figure.mjs";
import { program } from "../support/agent.mjs";
import { sqlitePath } from "../support/sqlite.mjs";

// Each line says how many bytes of text the answer is to carry; 0 is a usage notification.
const agent = `
const update = (bytes) => bytes === 0
  ? { method: "_goose/unstable/session/update", params: { sessionId: "s", update: { sessionUpdate: "usage_update", used: 1, contextLimit: 2, accumulatedInputTokens: 12345, accumulatedOutputTokens: 678, model: "m", pricingIdentity: { authority: "a", model: "m" } } } }
  : { method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x".repeat(bytes) } } } };
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...update(JSON.parse(line).params.bytes) }) + "\\n");
});`;

/** @param {readonly string[]} prefix */
const start = (prefix) => {
  const env = { ...process.env, ...sqlitePath };
  const child = spawn(process.execPath, [...prefix, "-e", agent], { stdio: ["pipe", "pipe", "inherit"], env });
  const closed = new Promise((resolve) => child.once("close", resolve));
  /** @type {(() => void)[]} */
  const waiting = [];
  createInterface({ input: child.stdout }).on("line", () => waiting.shift()?.());
  return {
    end: () => {
      child.stdin.end();
      return closed;
    },
    /** @param {number} bytes */
    roundTrip: async (bytes) => {
      const started = performance.now();
      await new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
        waiting.push(resolve);
        child.stdin.write(`{"jsonrpc":"2.0","method":"x","params":{"bytes":${bytes}}}\n`);
      });
      return (performance.now() - started) * 1000;
    },
  };
};

const kinds = /** @type {const} */ ([
  { name: "a text chunk of 50 bytes", bytes: 50, frames: 100 },
  { name: "a usage notification", bytes: 0, frames: 100 },
  { name: "a text chunk of 60 KiB", bytes: 60 * 1024, frames: 100 },
  { name: "a tool's result of 1 MiB", bytes: 1024 * 1024, frames: 5 },
]);

/** @type {import("../registry.mjs").Measure} */
export async function measure({ quick }) {
  const folder = mkdtempSync(path.join(tmpdir(), "turnfold-bench-proxy-"));
  const ledger = path.join(folder, "usage.sqlite");
  const direct = start([]);
  const proxied = start([program, "usage", "record", "--ledger", ledger, "--", process.execPath]);
  const figures = [];
  try {
    for (const { name, bytes, frames } of kinds) {
      const pairs = [];
      for (let batch = 0; batch < (quick ? 1 : 20); batch += 1) {
        const floors = [];
        for (let frame = 0; frame < frames; frame += 1) floors.push(await direct.roundTrip(bytes));
        for (const floor of floors) pairs.push({ floor, value: await proxied.roundTrip(bytes) });
      }
      figures.push(
        against({
          what: `round trip through \`usage record\`: ${name}`,
          unit: "us",
          floor: "without it",
          pairs,
          aim: null,
        }),
      );
    }
  } finally {
    await Promise.all([direct.end(), proxied.end()]);
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}
