// What must be read before `initialize` is answered, and what must be downloaded. Both are counts, the same in every run.

import { spawn } from "node:child_process";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { alone, valueAtMost } from "../figure.mjs";
import { program, unusedProvider } from "../support/agent.mjs";

const KIB = 1024;
const probe = fileURLToPath(new URL("../support/readProbe.mjs", import.meta.url));
const frame = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } };

/**
 * Bytes that Node has read, by any call of the system, when it first writes to stdout.
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
async function readUntilFirstWrite(args) {
  const child = spawn(process.execPath, ["--import", probe, ...args], {
    stdio: ["pipe", "ignore", "pipe"],
    env: unusedProvider,
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const closed = new Promise((resolve) => child.once("close", resolve));
  child.stdin.end(`${JSON.stringify(frame)}\n`);
  await closed;
  const bytes = /read (\d+) bytes/.exec(stderr)?.[1];
  if (bytes === undefined) throw new Error(`nothing was written: ${stderr}`);
  return Number(bytes);
}

/** What the program itself makes Node read: all but what Node reads for an empty program. */
export async function bytesReadBeforeInitialize() {
  const empty = await readUntilFirstWrite(["-e", "process.stdout.write('x')"]);
  return (await readUntilFirstWrite([program])) - empty;
}

/** @param {string} folder every file below it */
async function filesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(files.toSorted().map((file) => readFile(file)));
}

const packed = (/** @type {Buffer} */ bytes) => gzipSync(bytes, { level: 9 }).length;

/** @type {import("../registry.mjs").Measure} */
export async function measure() {
  const files = await filesBelow(path.dirname(program));
  const each = files.reduce((sum, bytes) => sum + packed(bytes), 0);
  return [
    alone({
      what: "bytes read before `initialize` is answered",
      unit: "bytes",
      values: [await bytesReadBeforeInitialize()],
      aim: valueAtMost(64 * KIB),
      note: "All reads of the process, files, manifests and stdin, less those of an empty program.",
    }),
    alone({
      what: `all of \`dist/\`, gzip -9 of each of its ${files.length} files`,
      unit: "bytes",
      values: [each],
      aim: valueAtMost(400 * KIB),
    }),
    alone({ what: "the same as one stream", unit: "bytes", values: [packed(Buffer.concat(files))], aim: null }),
  ];
}
