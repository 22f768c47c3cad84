// How long the memory agent takes to recall, and to open a store: 100,000 notes of made-up words, 200 MB, once as a SQLite file with
// a full-text table and once as a folder of Markdown files. Everything is measured at the client, through the built program.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { alone } from "../figure.mjs";
import { program } from "../support/agent.mjs";
import { bigText, writeBigNotes } from "../support/bigNotes.mjs";
import { openDatabase, sqlitePath } from "../support/sqlite.mjs";

const WORDS_EACH = 222;

/** @param {string} file @param {number} notes */
function writeDatabase(file, notes) {
  const db = openDatabase(file);
  db.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
  db.exec("CREATE VIRTUAL TABLE notes USING fts5(body, updated_at UNINDEXED); BEGIN");
  const insert = db.prepare("INSERT INTO notes VALUES (?, ?)");
  for (let index = 0; index < notes; index++) insert.run(bigText(index, WORDS_EACH), 1_760_000_000 + index);
  db.exec("COMMIT");
  db.close();
}

/** A client of the built program: requests in order, and what it says on stderr. @param {string} store */
function start(store) {
  const child = spawn(process.execPath, [program, "memory", "--store", store], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...sqlitePath, BUZZ_CLI: "/nonexistent" },
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

/** @param {string} name @param {string} store @param {number} questions */
async function recalls(name, store, questions) {
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
  const others = [];
  for (let seed = 1; seed <= questions; seed++) others.push((await ask(seed)).ms);
  if (!client.said().includes("memories for")) throw new Error(`nothing was recalled: ${client.said().slice(0, 300)}`);
  const opened = /read only (.*)/.exec(client.stderr())?.[1] ?? "not opened";
  await client.end();
  const figure = (/** @type {string} */ what, /** @type {readonly number[]} */ values, note = "") =>
    alone({ what: `${name}: ${what}`, unit: "ms", values, aim: null, note });
  return [
    figure("spawn to the answer to `session/new`", [handshake]),
    figure("a cancel while the store is being opened, answered after", [cancelled.ms]),
    figure("the first answer, behind that opening", [first.ms], `The program says: ${opened}.`),
    figure("the same question again", [again.ms]),
    figure(`${questions} other questions of 8 words`, others),
  ];
}

/** @type {import("../registry.mjs").Measure} */
export async function measure({ quick }) {
  const notes = quick ? 500 : 100_000;
  const questions = quick ? 3 : 40;
  const folder = mkdtempSync(path.join(tmpdir(), "turnfold-recall-"));
  try {
    const count = notes.toLocaleString("en-US");
    const database = path.join(folder, "notes.db");
    writeDatabase(database, notes);
    const fromDatabase = await recalls(`${count} notes in SQLite`, database, questions);
    const files = path.join(folder, "notes");
    writeBigNotes(files, notes, WORDS_EACH);
    // Of a folder the newest 64 MiB are indexed, unless TURNFOLD_MEMORY_TEXT_BYTES says otherwise.
    return [...fromDatabase, ...(await recalls(`${count} notes in a folder`, files, questions))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
