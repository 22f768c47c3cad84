// The ledger at size: a report by model and a rebuild of the index over a million records, and how long a turn takes to be
// stored. Run with `npm run bench:ledger`, which builds first; `-- --rows N` measures another size. Where the runtime has no
// node:sqlite, better-sqlite3 is taken from test/peers, and installed there first if need be.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const program = fileURLToPath(new URL("../dist/turnfold.js", import.meta.url));
const { values } = parseArgs({ options: { rows: { type: "string", default: "1000000" } } });
const rows = Number(values.rows);
const turnsPerSession = 50;
const models = ["claude-opus-4-7", "claude-haiku-4-5", "gpt-5", "gpt-5-mini", "local-model"];

const folder = mkdtempSync(path.join(tmpdir(), "turnfold-bench-ledger-"));
const ledger = path.join(folder, "usage.sqlite");

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

const peer = fileURLToPath(new URL("../test/peers/better-sqlite3/", import.meta.url));

/** better-sqlite3 for this process, and by NODE_PATH for the program that is measured. */
const peerDatabase = () => {
  const modules = path.join(peer, "node_modules");
  if (!existsSync(path.join(modules, "better-sqlite3"))) {
    console.error("installing better-sqlite3, which compiles for a minute");
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock"], { cwd: peer, stdio: "ignore" });
  }
  process.env["NODE_PATH"] = modules;
  return createRequire(path.join(peer, "package.json"))("better-sqlite3");
};

/** @returns {(sql: string) => { run: (...values: unknown[]) => unknown }} */
const open = () => {
  const sqlite = process.getBuiltinModule?.(/** @type {"node:module"} */ ("node:sqlite"));
  const Database = sqlite === undefined ? peerDatabase() : /** @type {any} */ (sqlite).DatabaseSync;
  const database = new Database(ledger);
  return (sql) => database.prepare(sql);
};

// A machine with other work to do takes longer on the clock; the processor's own time hardly changes.
const tellCpu =
  "data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write(`cpu ${user+system}`)})";

/** @param {readonly string[]} args */
const timed = (args) => {
  const started = performance.now();
  const argv = ["--import", tellCpu, program, "usage", ...args, "--ledger", ledger];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(stderr);
  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(7);
  const cpu = (Number(stderr.slice(stderr.lastIndexOf("cpu ") + 4)) / 1e6).toFixed(1).padStart(6);
  return { spent: `${seconds} s (${cpu} s of processor time)`, stdout };
};

try {
  const prepare = open();
  // The tables as the program itself makes them.
  prepare("CREATE TABLE archive_migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL)").run();
  prepare(
    "CREATE TABLE archived_events (event INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, created_at INTEGER NOT NULL, archived_at INTEGER NOT NULL, raw_json TEXT NOT NULL)",
  ).run();
  const insert = prepare(
    "INSERT INTO archived_events (id, agent, created_at, archived_at, raw_json) VALUES (?, ?, ?, ?, ?)",
  );
  prepare("BEGIN").run();
  for (let index = 0; index < rows; index += 1) {
    const json = metric(index);
    insert.run(
      createHash("sha256").update(json).digest("hex"),
      `agent-${Math.floor(index / turnsPerSession) % 7}`,
      1,
      1,
      json,
    );
  }
  prepare("COMMIT").run();
  const rebuild = timed(["rebuild"]);
  const size = statSync(ledger).size / 2 ** 20;
  console.log(`${rows} records, ${size.toFixed(0)} MiB`);
  console.log(`rebuild of the index ${rebuild.spent}`);
  for (const by of ["model", "agent", "day", "session"]) {
    console.log(`report by ${by.padEnd(10)} ${timed(["report", "--by", by, "--json"]).spent}`);
  }
  console.log(timed(["report"]).stdout);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
