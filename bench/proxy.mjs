// What `turnfold usage record` adds to a frame on its way from the agent to the client: an agent answers each line of the client
// with one frame, and the round trip is measured with and without the proxy in interleaved batches (median of all frames). Run
// with `npm run bench:proxy`, which builds first.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../dist/turnfold.js", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "turnfold-bench-proxy-"));
const batches = 20;
const framesPerBatch = 100;

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
  const child = spawn(process.execPath, [...prefix, "-e", agent], { stdio: ["pipe", "pipe", "inherit"] });
  /** @type {(() => void)[]} */
  const waiting = [];
  createInterface({ input: child.stdout }).on("line", () => waiting.shift()?.());
  return {
    end: () => child.stdin.end(),
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

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const direct = start([]);
const proxied = start([
  program,
  "usage",
  "record",
  "--ledger",
  path.join(folder, "usage.sqlite"),
  "--",
  process.execPath,
]);

for (const [name, bytes] of /** @type {const} */ ([
  ["text chunk, 50 bytes", 50],
  ["usage notification", 0],
  ["text chunk, 60 KiB", 60 * 1024],
  ["tool result, 1 MiB", 1024 * 1024],
])) {
  /** @type {[number[], number[]]} */
  const [plain, through] = [[], []];
  const frames = bytes > 100_000 ? 5 : framesPerBatch;
  for (let batch = 0; batch < batches; batch += 1) {
    for (let frame = 0; frame < frames; frame += 1) plain.push(await direct.roundTrip(bytes));
    for (let frame = 0; frame < frames; frame += 1) through.push(await proxied.roundTrip(bytes));
  }
  const [a, b] = [median(plain), median(through)];
  console.log(
    `${name.padEnd(24)} direct ${a.toFixed(0).padStart(6)} us   through ${b.toFixed(0).padStart(6)} us   added ${(b - a).toFixed(0).padStart(6)} us`,
  );
}
direct.end();
proxied.end();
rmSync(folder, { recursive: true, force: true });
