// How long a client waits for the agent: from spawn of `node dist/turnfold.js` to the complete answer to `initialize`
// on its stdout, as a ratio to `node -e 0` spawned the same way until its exit. The two are measured in interleaved
// pairs, so that a machine that gets slower or faster meanwhile does so for both. `npm run bench:start` builds first; with
// `-- --pairs N` it measures N pairs, otherwise 20.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const program = fileURLToPath(new URL("../dist/turnfold.js", import.meta.url));
const { values } = parseArgs({ options: { pairs: { type: "string", default: "20" } } });
const pairs = Number(values.pairs);
const answerMsMax = 10_000;

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: 1, clientCapabilities: {}, clientInfo: { name: "bench", version: "0" } },
};

// The environment is judged before the first frame is read, so it must name a provider; nothing is asked of it.
const environment = {
  ...process.env,
  BUZZ_AGENT_PROVIDER: "openai",
  OPENAI_COMPAT_API_KEY: "unused",
  OPENAI_COMPAT_MODEL: "unused",
};

/** @returns {Promise<number>} milliseconds */
function bareNode() {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, ["-e", "0"], { stdio: ["pipe", "pipe", "pipe"], env: environment });
    child.once("error", reject);
    child.once("exit", () => resolve(performance.now() - started));
  });
}

/** @returns {Promise<number>} milliseconds */
async function answer() {
  const started = performance.now();
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "pipe"], env: environment });
  const gone = new Promise((resolve) => child.once("close", resolve));
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += chunk));
  try {
    child.stdin.on("error", () => {});
    child.stdin.write(`${JSON.stringify(initialize)}\n`);
    const line = await firstLine(child);
    const milliseconds = performance.now() - started;
    const frame = JSON.parse(line);
    if (frame.id !== initialize.id || frame.result === undefined)
      throw new Error(`not an answer to initialize: ${line}`);
    return milliseconds;
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${stderr}`, { cause: error });
  } finally {
    child.stdin.end();
    child.kill("SIGKILL");
    await gone;
  }
}

/**
 * @param {import("node:child_process").ChildProcessWithoutNullStreams} child
 * @returns {Promise<string>}
 */
function firstLine(child) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${answerMsMax} ms`)), answerMsMax);
    let text = "";
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const end = text.indexOf("\n");
      if (end < 0) return;
      clearTimeout(timer);
      resolve(text.slice(0, end));
    });
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      reject(new Error(`the program ended with ${code} before it answered`));
    });
  });
}

/** @param {readonly number[]} numbers */
function spread(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (/** @type {number} */ part) => {
    const place = (sorted.length - 1) * part;
    const low = sorted[Math.floor(place)] ?? Number.NaN;
    return low + ((sorted[Math.ceil(place)] ?? Number.NaN) - low) * (place % 1);
  };
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

if (!Number.isSafeInteger(pairs) || pairs < 1) throw new Error("--pairs takes a whole number, 1 or more");
// One of each that does not count: afterwards the files are in the page cache for both.
await bareNode();
await answer();
/** @type {{ bare: number, agent: number }[]} */
const measured = [];
for (let pair = 0; pair < pairs; pair += 1) measured.push({ bare: await bareNode(), agent: await answer() });

const bare = spread(measured.map((pair) => pair.bare));
const agent = spread(measured.map((pair) => pair.agent));
const ratio = spread(measured.map((pair) => pair.agent / pair.bare));
const show = (/** @type {ReturnType<typeof spread>} */ s, digits = 0) =>
  `${s.median.toFixed(digits)} (${s.low.toFixed(digits)}-${s.high.toFixed(digits)})`;
console.log(
  `start: initialize answered after ${show(agent)} ms, node -e 0 ends after ${show(bare)} ms, ` +
    `ratio ${show(ratio, 2)}; median (quartiles) of ${pairs} pairs, Node ${process.versions.node}`,
);
