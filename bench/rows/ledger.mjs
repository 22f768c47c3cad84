// The ledger at size: a rebuild of the index and reports over a million records.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { alone } from "../figure.mjs";
import { median } from "../spread.mjs";
import { program } from "../support/agent.mjs";
import { openDatabase, sqlitePath } from "../support/sqlite.mjs";

const turnsPerSession = 50;
const models = ["claude-opus-4-7", "claude-haiku-4-5", "gpt-5", "gpt-5-mini", "local-model"];

/** Nine of ten turns are whole, one in a hundred is missing, one in a hundred is unreliable. @param {number} index */
const metric = (index) => {
  const session = Math.floor(index / turnsPerSession);
  const turn = (index % turnsPerSession) + 1;
  const seq = session % 100 === 7 && turn > 25 ? turn + 1 : turn;
  const model = models[session % models.length] ?? "";
  const counts = (/** @type {number} */ times) => ({
    inputTokens: 20_000 * times,
    outputTokens: 500 * times,
    totalTokens: null,
    costUsd: null,
    cacheReadTokens: 15_000 * times,
    cacheWriteTokens: 1000 * times,
  });
  const reliable = index % 100 !== 3;
  const authority = model.startsWith("claude") ? "api.anthropic.com" : "api.openai.com";
  return JSON.stringify({
    harness: session % 3 === 0 ? "goose" : "turnfold",
    timestamp: new Date(1_780_000_000_000 + index * 5000).toISOString(),
    model,
    channelId: null,
    sessionId: `session-${session}`,
    turnSeq: seq,
    turnId: null,
    turn: reliable ? counts(1) : null,
    cumulative: counts(seq),
    deltaReliable: reliable,
    stopReason: "end_turn",
    ...(session % 5 === 4 ? {} : { pricingIdentity: { authority, model } }),
  });
};

/** The tables as the program itself makes them, without the index. @param {string} file @param {number} rows */
function writeLedger(file, rows) {
  const database = openDatabase(file);
  database.exec("CREATE TABLE archive_migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL)");
  database.exec(
    "CREATE TABLE archived_events (event INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, created_at INTEGER NOT NULL, archived_at INTEGER NOT NULL, raw_json TEXT NOT NULL)",
  );
  const insert = database.prepare(
    "INSERT INTO archived_events (id, agent, created_at, archived_at, raw_json) VALUES (?, ?, ?, ?, ?)",
  );
  database.exec("BEGIN");
  for (let index = 0; index < rows; index += 1) {
    const json = metric(index);
    const agent = `agent-${Math.floor(index / turnsPerSession) % 7}`;
    insert.run(createHash("sha256").update(json).digest("hex"), agent, 1, 1, json);
  }
  database.exec("COMMIT");
  database.close();
}

// A machine with other work to do takes longer on the clock; the processor's own time hardly changes.
const tellCpu =
  "data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write(`cpu ${user+system}`)})";

/** Milliseconds on the clock, and of processor time. @param {string} ledger @param {readonly string[]} args */
const timed = (ledger, args) => {
  const started = performance.now();
  const argv = ["--import", tellCpu, program, "usage", ...args, "--ledger", ledger];
  const env = { ...process.env, ...sqlitePath };
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: "utf8", maxBuffer: 2 ** 28, env });
  if (status !== 0) throw new Error(stderr);
  const cpuMs = Number(stderr.slice(stderr.lastIndexOf("cpu ") + 4)) / 1000;
  return { ms: performance.now() - started, cpuMs };
};

/** @param {string} what @param {string} ledger @param {readonly string[]} args @param {number} times */
const figureOf = (what, ledger, args, times) => {
  const seen = Array.from({ length: times }, () => timed(ledger, args));
  return alone({
    what,
    unit: "ms",
    values: seen.map(({ ms }) => ms),
    aim: null,
    note: `${(median(seen.map(({ cpuMs }) => cpuMs)) / 1000).toFixed(1)} s of processor time.`,
  });
};

/** @type {import("../registry.mjs").Measure} */
export function measure({ quick }) {
  const rows = quick ? 5000 : 1_000_000;
  const folder = mkdtempSync(path.join(tmpdir(), "turnfold-bench-ledger-"));
  const ledger = path.join(folder, "usage.sqlite");
  try {
    writeLedger(ledger, rows);
    const rebuild = figureOf(`rebuild of the index of ${rows.toLocaleString("en-US")} records`, ledger, ["rebuild"], 1);
    const size = alone({
      what: "the ledger then",
      unit: "bytes",
      values: [statSync(ledger).size],
      aim: null,
    });
    const reports = ["model", "agent", "day", "session"].map((by) =>
      figureOf(`report by ${by}`, ledger, ["report", "--by", by, "--json"], quick ? 1 : 3),
    );
    return Promise.resolve([rebuild, size, ...reports]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
