// How long the memory agent takes to recall, and what its index costs: 100,000 notes of made-up words, 200 MB, once as a SQLite
// file with a full-text table and once as a folder of Markdown files. Everything is measured at the client, through the built
// program. `npm run bench:recall` builds first; `-- --notes N` takes N notes, `-- --keep DIR` leaves the stores in DIR and uses
// them again. The SQLite part needs a SQLite: node:sqlite, or better-sqlite3 in test/peers/better-sqlite3 (npm install there).

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bigText, writeBigNotes } from "./bigNotes.mjs";

const WORDS_EACH = 222;
const QUESTIONS = 40;
const { values } = parseArgs({ options: { notes: { type: "string", default: "100000" }, keep: { type: "string" } } });
const notes = Number(values.notes);
const folder = values.keep ?? mkdtempSync(path.join(tmpdir(), "turnfold-recall-"));
const program = fileURLToPath(new URL("../dist/turnfold.js", import.meta.url));
const peer = fileURLToPath(new URL("../test/peers/better-sqlite3/", import.meta.url));

/** @returns {((file: string) => { exec: (sql: string) => void, prepare: (sql: string) => { run: (...values: unknown[]) => void }, close: () => void }) | undefined} */
function findSqlite() {
  /** @type {any} */
  const builtIn = process.getBuiltinModule(/** @type {any} */ ("node:sqlite"));
  if (builtIn !== undefined) return (file) => new builtIn.DatabaseSync(file);
  try {
    const Database = createRequire(path.join(peer, "package.json"))("better-sqlite3");
    return (file) => new Database(file);
  } catch {
    return undefined;
  }
}

/** @param {string} file */
function writeDatabase(file) {
  const open = findSqlite();
  if (open === undefined) return false;
  if (existsSync(file)) return true;
  const db = open(file);
  db.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
  db.exec("CREATE VIRTUAL TABLE notes USING fts5(body, updated_at UNINDEXED); BEGIN");
  const insert = db.prepare("INSERT INTO notes VALUES (?, ?)");
  for (let index = 0; index < notes; index++) insert.run(bigText(index, WORDS_EACH), 1_760_000_000 + index);
  db.exec("COMMIT");
  db.close();
  return true;
}

/** A client of the built program: requests in order, and what it says on stderr. */
/** @param {string} store */
function start(store) {
  const child = spawn(process.execPath, [program, "memory", "--store", store], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, NODE_PATH: path.join(peer, "node_modules"), BUZZ_CLI: "/nonexistent" },
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += chunk));
  /** @type {Map<number, (frame: any) => void>} */
  const waiting = new Map();
  let text = "";
  createInterface({ input: child.stdout }).on("line", (line) => {
    const frame = JSON.parse(line);
    if (frame.method === "session/update") text += frame.params.update.content?.text ?? "";
    else waiting.get(frame.id)?.(frame);
  });
  let last = 0;
  const send = (/** @type {object} */ message) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    stderr: () => stderr,
    said: () => text,
    /** @param {string} method @param {object} params @returns {Promise<{ result: any, ms: number }>} */
    request: (method, params) =>
      new Promise((resolve, reject) => {
        last += 1;
        const began = performance.now();
        waiting.set(last, ({ result, error }) =>
          result === undefined
            ? reject(new Error(JSON.stringify(error)))
            : resolve({ result, ms: performance.now() - began }),
        );
        send({ id: last, method, params });
      }),
    notify: (/** @type {string} */ method, /** @type {object} */ params) => send({ method, params }),
    end: () =>
      new Promise((resolve) => {
        child.once("close", resolve);
        child.stdin.end();
      }),
  };
}

const ms = (/** @type {number} */ value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

/** @param {string} name @param {string} store */
async function measure(name, store) {
  const began = performance.now();
  const client = start(store);
  await client.request("initialize", { protocolVersion: 2 });
  const { result } = await client.request("session/new", { cwd: "/", mcpServers: [] });
  const handshake = performance.now() - began;
  const { sessionId } = result;
  const ask = (/** @type {number} */ seed) =>
    client.request("session/prompt", { sessionId, prompt: [{ type: "text", text: bigText(1_000_000 + seed, 8) }] });

  const cold = ask(0);
  client.notify("session/cancel", { sessionId });
  const cancelled = await cold;
  const first = await ask(0);
  const again = await ask(0);
  /** @type {number[]} */
  const times = [];
  for (let seed = 1; seed <= QUESTIONS; seed++) times.push((await ask(seed)).ms);
  times.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => times[Math.floor((times.length - 1) * share)] ?? 0;
  if (!client.said().includes("memories for")) throw new Error(`nothing was recalled: ${client.said().slice(0, 300)}`);
  const opened = /read only (.*)/.exec(client.stderr())?.[1] ?? "not opened";
  await client.end();
  console.log(`${name}
  handshake (initialize, session/new)        ${ms(handshake)}
  cancel during the cold open, answered in   ${ms(cancelled.ms)}
  first answer, behind that open             ${ms(first.ms)}
  the same question again                    ${ms(again.ms)}
  ${QUESTIONS} other questions of 8 words, warm        median ${ms(at(0.5))}, 90 % ${ms(at(0.9))}, longest ${ms(at(1))}
  the thread says                            ${opened}`);
}

try {
  mkdirSync(folder, { recursive: true });
  const database = path.join(folder, `notes-${notes}.db`);
  const began = performance.now();
  if (writeDatabase(database)) {
    const mib = Math.round(statSync(database).size / 1024 / 1024);
    console.log(
      `wrote ${notes} notes, ${mib} MiB with their index, in ${Math.round((performance.now() - began) / 1000)} s`,
    );
    await measure("SQLite store", database);
  } else console.log("SQLite store: skipped, there is no SQLite (npm install in test/peers/better-sqlite3)");
  const files = path.join(folder, `notes-${notes}`);
  if (!existsSync(files)) writeBigNotes(files, notes, WORDS_EACH);
  await measure("folder store (indexes the newest 64 MiB unless TURNFOLD_MEMORY_TEXT_BYTES says otherwise)", files);
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
}
