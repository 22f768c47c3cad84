// A SQLite file as somebody else keeps it, through whichever SQLite this machine has.
import {
  copyFileSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  utimesSync,
  writeSync,
  closeSync,
  statSync,
} from "node:fs";
import path from "node:path";
import { isLeft } from "fp-ts/lib/Either.js";
import { afterEach, describe, expect, test } from "vitest";
import { createRecaller } from "../../../src/shell/memory/recaller.js";
import type { SqliteHandle } from "../../../src/shell/sqlite.js";
import { temporaryFolder } from "../../support/sessions.js";
import { sqlitePeer } from "../../support/sqlitePeer.js";

const peer = await sqlitePeer();
const NOW = Date.parse("2026-09-21T00:00:00Z");

const opened: SqliteHandle[] = [];
afterEach(() => {
  for (const handle of opened.splice(0)) handle.close();
});

const writer = (file: string): SqliteHandle => {
  if (peer === undefined) throw new Error("no SQLite");
  const handle = peer.open(file, { readOnly: false, busyMs: 0 });
  opened.push(handle);
  return handle;
};

const database = (...statements: readonly string[]): string => {
  const file = path.join(temporaryFolder(), "notes.db");
  const db = writer(file);
  for (const statement of statements) run(db, statement);
  return file;
};
const run = (db: SqliteHandle, sql: string): void => {
  // One of the two libraries wants `run` where no rows come back.
  (db.prepare(sql) as unknown as { readonly run: () => void }).run();
};

const notes = [
  "CREATE VIRTUAL TABLE notes USING fts5(title, body, updated_at UNINDEXED, tokenize = 'porter unicode61')",
  "INSERT INTO notes VALUES ('Shed', 'Blue was chosen on Tuesday.', '2026-09-20 00:00:00'), ('Garage', 'The paint is in the garage.', '2026-09-01'), ('Roof', 'The roof leaks.', NULL), ('Roof again', 'The roof of the shed is mended.', '1770091506')",
];

const open = (store: string, table = "", busyMs = 100) => {
  const recall = createRecaller({
    store,
    table,
    limits: { textBytesMax: 1e6, noteBytesMax: 10_000, queryWordsMax: 64, freshMs: 0, busyMs },
    log: () => undefined,
    now: () => NOW,
  });
  const contents = (query: string, k = 5): readonly string[] | string => {
    const recalled = recall(query, k);
    return isLeft(recalled) ? recalled.left : recalled.right.map(({ content }) => content);
  };
  return { recall, contents };
};

describe.skipIf(peer === undefined)("a SQLite store", () => {
  test("recalls what its full-text table holds, by its own tokenizer, with its own dates", () => {
    const file = database(...notes);
    utimesSync(file, NOW / 1000 - 3600, NOW / 1000 - 3600);
    const recalled = open(file).recall("blue roofs of a shed", 5);
    if (isLeft(recalled)) throw new Error(recalled.left);
    expect(recalled.right.map(({ content }) => content)).toEqual([
      "Shed\nBlue was chosen on Tuesday.",
      "Roof again\nThe roof of the shed is mended.",
      "Roof\nThe roof leaks.",
    ]);
    expect(recalled.right[0]?.ageHours).toBe(24);
    expect(recalled.right[2]?.ageHours).toBeCloseTo(1, 3);
    const similarities = recalled.right.map(({ similarity }) => similarity);
    expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
    expect(similarities.every((each) => each > 0 && each <= 1)).toBe(true);
  });

  test("takes a question for words, never for a query", () => {
    const { contents } = open(database(...notes));
    for (const query of ['"', "NEAR(roof", "title: *", "roof AND NOT", "a-b OR", "'; DROP TABLE notes; --", "^roof*"]) {
      expect(Array.isArray(contents(query)), query).toBe(true);
    }
    expect(contents("?")).toEqual([]);
    expect(contents("zebra")).toEqual([]);
    expect(contents("the", 2)).toHaveLength(2);
  });

  test("leaves it to the table what counts as the same word", () => {
    const strict = database(
      `CREATE VIRTUAL TABLE t USING fts5(x, tokenize = "unicode61 remove_diacritics 0")`,
      "INSERT INTO t VALUES ('Café bleu'), ('Cafe rouge')",
    );
    expect(open(strict).contents("CAFÉ")).toEqual(["Café bleu"]);
    const parts = database(
      "CREATE VIRTUAL TABLE t USING fts5(x, tokenize = 'trigram')",
      "INSERT INTO t VALUES ('wheelbarrow')",
    );
    expect(open(parts).contents("barrow")).toEqual(["wheelbarrow"]);
  });

  test("may keep its texts in a table of its own, where the dates are", () => {
    const file = database(
      "CREATE TABLE memory(key INTEGER PRIMARY KEY, text TEXT, created_at INTEGER)",
      `INSERT INTO memory VALUES (7, 'Blue was chosen.', ${NOW / 1000 - 7200}), (9, 'Red was not.', NULL)`,
      "CREATE VIRTUAL TABLE \"memory fts\" USING fts5(text, content='memory', content_rowid='key')",
      'INSERT INTO "memory fts"("memory fts") VALUES (\'rebuild\')',
    );
    const recalled = open(file).recall("blue", 5);
    expect(recalled).toMatchObject({ right: [{ content: "Blue was chosen.", ageHours: 2 }] });
  });

  test("with several full-text tables asks which, and is told", () => {
    const file = database(...notes, "CREATE VIRTUAL TABLE other USING fts5(x)", "INSERT INTO other VALUES ('a zebra')");
    expect(open(file).contents("zebra")).toBe(
      "the store has several full-text tables (notes, other); --table chooses one",
    );
    expect(open(file, "other").contents("zebra")).toEqual(["a zebra"]);
    expect(open(file, "wrong").contents("zebra")).toMatch(/no full-text table of that name; it has notes, other/);
  });

  test("without a full-text table, or with one that keeps no texts, is words", () => {
    expect(open(database("CREATE TABLE t(x)")).contents("x")).toMatch(/no full-text table/);
    expect(open(database("CREATE VIRTUAL TABLE t USING fts5(x, content='')")).contents("x")).toMatch(/keeps no texts/);
  });

  test("is read while another writes, and what was written is found", () => {
    const file = database("PRAGMA journal_mode = WAL", ...notes);
    const { contents } = open(file);
    expect(contents("zebra")).toEqual([]);
    const db = writer(file);
    run(db, "INSERT INTO notes VALUES ('New', 'A zebra.', NULL)");
    expect(contents("zebra")).toEqual(["New\nA zebra."]);
    run(db, "BEGIN IMMEDIATE");
    run(db, "DELETE FROM notes WHERE title = 'New'");
    expect(contents("zebra")).toEqual(["New\nA zebra."]);
    run(db, "COMMIT");
    expect(contents("zebra")).toEqual([]);
  });

  test("that another file takes the place of is read from then on", () => {
    const file = database(...notes);
    const { contents } = open(file);
    expect(contents("zebra")).toEqual([]);
    renameSync(database("CREATE VIRTUAL TABLE t USING fts5(x)", "INSERT INTO t VALUES ('zebra')"), file);
    expect(contents("zebra")).toEqual(["zebra"]);
  });

  test("that is locked is words, and answers when the lock is gone", () => {
    const file = database(...notes);
    const db = writer(file);
    run(db, "BEGIN EXCLUSIVE");
    const { contents } = open(file);
    expect(contents("garage")).toBe("the store cannot be read: database is locked");
    run(db, "COMMIT");
    expect(contents("garage")).toHaveLength(1);
    run(db, "BEGIN EXCLUSIVE");
    expect(contents("garage")).toBe("the store cannot be read: database is locked");
  });

  test("that is damaged or half written is words, and answers when it is whole again", () => {
    const whole = database(...notes);
    const file = path.join(temporaryFolder(), "damaged.db");
    copyFileSync(whole, file);
    const descriptor = openSync(file, "r+");
    writeSync(descriptor, Buffer.alloc(3000, 0x5a), 0, 3000, 100);
    closeSync(descriptor);
    const damaged = open(file);
    expect(damaged.contents("garage")).toMatch(/^the store cannot be read: /);
    copyFileSync(whole, file);
    expect(damaged.contents("garage")).toHaveLength(1);

    truncateSync(file, 1000);
    const half = open(file);
    expect(half.contents("garage")).toMatch(/^the store (?:cannot be read: |has no full-text table)/);
    copyFileSync(whole, file);
    expect(half.contents("garage")).toHaveLength(1);
  });

  test("is not changed by being read, and could not be", () => {
    const file = database(...notes);
    const before = readFileSync(file);
    const { mtimeMs } = statSync(file);
    open(file).contents("roof");
    const handle = peer?.open(file, { readOnly: true, busyMs: 100 });
    if (handle === undefined) throw new Error("no SQLite");
    for (const write of ["DELETE FROM notes", "INSERT INTO notes VALUES ('a', 'b', 'c')", "CREATE TABLE t(x)"]) {
      expect(() => {
        run(handle, write);
      }).toThrow(/readonly/);
    }
    handle.close();
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
  });
});
