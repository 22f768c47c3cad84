// The built program and a client of it, for measurements: frames are found in bytes, and only answers are parsed, so that the
// client is not what is measured.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const program = fileURLToPath(new URL("../../dist/turnfold.js", import.meta.url));

/**
 * What every measured process gets, the floors too: certificates and proxies of this machine would be read by some and not by
 * others, and the agent's own settings would be somebody's.
 */
export const bareEnvironment = Object.fromEntries(
  ["PATH", "HOME", "TMPDIR"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

/** The environment is judged before the first frame is read, so it must name a provider. @param {string} baseUrl */
export const providerAt = (baseUrl) => ({
  ...bareEnvironment,
  BUZZ_AGENT_PROVIDER: "openai",
  OPENAI_COMPAT_API: "chat",
  OPENAI_COMPAT_API_KEY: "bench-key",
  OPENAI_COMPAT_MODEL: "bench",
  OPENAI_COMPAT_BASE_URL: baseUrl,
  TURNFOLD_LOG: "error",
});

/** Nothing listens there, and nothing is asked. */
export const unusedProvider = providerAt("http://127.0.0.1:9/v1");

const LINE_FEED = 10;
const ANSWER = Buffer.from('{"jsonrpc":"2.0","id":');

/**
 * @typedef {object} Client
 * @property {import("node:child_process").ChildProcessByStdio<import("node:stream").Writable, import("node:stream").Readable, null>} child
 * @property {(method: string, params: object) => Promise<any>} request resolves with the result, rejects with the error
 * @property {(method: string, params: object) => void} notify
 * @property {() => Promise<void>} end closes stdin and waits for the end
 */

/**
 * @param {{ readonly flags?: readonly string[], readonly environment: Readonly<Record<string, string>>, readonly channel?: boolean }} options
 *   `channel`: an IPC channel, for a probe among the flags
 * @returns {Client}
 */
export function startAgent({ flags = [], environment, channel = false }) {
  const child = /** @type {Client["child"]} */ (
    spawn(process.execPath, [...flags, program], {
      stdio: ["pipe", "pipe", "inherit", ...(channel ? [/** @type {const} */ ("ipc")] : [])],
      env: environment,
    })
  );
  const closed = new Promise((resolve) => child.once("close", resolve));
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map();
  let last = 0;
  const answered = (/** @type {Buffer} */ line) => {
    if (!line.subarray(0, ANSWER.length).equals(ANSWER)) return;
    const { id, result, error } = JSON.parse(line.toString());
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) waiter?.resolve(result);
    else waiter?.reject(new Error(JSON.stringify(error)));
  };
  /** The beginning of a line whose end has not come. @type {Buffer[]} */
  let pieces = [];
  child.stdout.on("data", (/** @type {Buffer} */ chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const rest = chunk.subarray(from, end);
      answered(pieces.length === 0 ? rest : Buffer.concat([...pieces, rest]));
      pieces = [];
      from = end + 1;
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from));
  });
  void closed.then((code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the program ended with ${String(code)}`));
    return undefined;
  });
  const send = (/** @type {object} */ frame) =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`);
  child.stdin.on("error", () => undefined);
  return {
    child,
    request: (method, params) =>
      new Promise((resolve, reject) => {
        last += 1;
        waiting.set(last, { resolve, reject });
        send({ id: last, method, params });
      }),
    notify: (method, params) => {
      send({ method, params });
    },
    end: async () => {
      child.stdin.end();
      await closed;
    },
  };
}

/** @param {Client} client */
export const initialize = (client) =>
  client.request("initialize", {
    protocolVersion: 1,
    clientCapabilities: {},
    clientInfo: { name: "bench", version: "0" },
  });

/** @param {Client} client @param {string} cwd @returns {Promise<string>} the session's id */
export const newSession = async (client, cwd) => {
  const { sessionId } = await client.request("session/new", { cwd, mcpServers: [] });
  return sessionId;
};

/** @param {Client} client @param {string} sessionId @param {string} text */
export const prompt = async (client, sessionId, text) => {
  const { stopReason } = await client.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  if (stopReason !== "end_turn") throw new Error(`the turn ended with ${String(stopReason)}`);
};
