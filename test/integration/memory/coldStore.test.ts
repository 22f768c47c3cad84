// The built program over a SQLite file: what has to hold however large the file is, and what is said where there is no SQLite.
import { statSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type BuzzClient, buzzClient, HANDSHAKE_MS } from "../../support/buzzClient.js";
import { mention } from "../../support/buzzPrompt.js";
import { startClient } from "../../support/rawClient.js";
import { temporaryFolder } from "../../support/sessions.js";
import { sqlitePeer } from "../../support/sqlitePeer.js";

const peer = await sqlitePeer();
let client: BuzzClient | undefined;
afterEach(() => client?.raw.process.kill("SIGKILL"));

const SQL: readonly string[] = [
  "CREATE VIRTUAL TABLE notes USING fts5(body, updated_at UNINDEXED)",
  "INSERT INTO notes VALUES ('Blue was chosen for the shed.', '2026-09-20'), ('Paint is in the garage.', '2026-09-01')",
];

/** A store of two notes, and of as much else as is asked for. */
const database = (bytesBeside: number): string => {
  if (peer === undefined) throw new Error("no SQLite");
  const file = path.join(temporaryFolder(), "notes.db");
  const db = peer.open(file, { readOnly: false, busyMs: 0 });
  const beside = [`CREATE TABLE beside(bytes BLOB)`, `INSERT INTO beside VALUES (zeroblob(${bytesBeside}))`];
  for (const sql of ["PRAGMA journal_mode = OFF", ...SQL, ...(bytesBeside > 0 ? beside : [])]) {
    (db.prepare(sql) as unknown as { readonly run: () => void }).run();
  }
  db.close();
  return file;
};

describe.skipIf(peer === undefined)("the memory agent over SQLite", () => {
  test("shakes hands at once before 500 MB of a store that it has never opened, then answers from it", async () => {
    const store = database(500_000_000);
    expect(statSync(store).size).toBeGreaterThan(500_000_000);
    client = buzzClient(startClient({ args: ["memory", "--store", store, "--top-k", "1"], env: { ...peer?.env } }));
    const began = performance.now();
    expect(await client.handshake()).toMatchObject({ agentInfo: { name: "turnfold-memory" } });
    const session = await client.newSession();
    expect(performance.now() - began).toBeLessThan(HANDSHAKE_MS);
    expect(client.raw.stderr()).not.toContain("opening");
    expect(await client.prompt(session, mention("which colour for the shed?"))).toBe("end_turn");
    expect(client.said(session)).toMatch(
      /^1 memory for "which colour for the shed\?":\n\n1\. \[\d+% · .*\] Blue was chosen/,
    );
    expect(client.raw.stderr()).toMatch(/read only kind=sqlite texts=2/);
    expect(await client.raw.end()).toMatchObject({ code: 0 });
  });
});

describe.skipIf((peer?.env["NODE_PATH"] ?? "") === "")("without a SQLite", () => {
  test("the answer says what to install, and the turn ends", async () => {
    client = buzzClient(startClient({ args: ["memory", "--store", database(0)] }));
    await client.handshake();
    const session = await client.newSession();
    expect(await client.prompt(session, ["which colour?"])).toBe("end_turn");
    expect(client.said(session)).toMatch(/^Recall failed: SQLite needs Node .* or better-sqlite3 12/);
    expect(await client.raw.end()).toMatchObject({ code: 0 });
  });
});
