/** A SQLite file with a full-text table (FTS5), as whoever keeps it has laid it out. */
import { statSync } from "node:fs";
import { isLeft } from "fp-ts/lib/Either.js";
import { clampText, wellFormed } from "../../../core/text.js";
import { openSqliteReader, type SqliteReader, type SqlRow } from "../../sqlite.js";
import type { Memory } from "../source.js";
import { hoursSince, recordDate } from "./dates.js";
import { quotedName, readFullTextTable, type FullTextTable } from "./fullTextTable.js";
import { createCounts, type Counts, type Word } from "./wordCounts.js";
import { StoreFault, type Store, type StoreLimits } from "./store.js";
import { questionWords } from "./words.js";

/** FTS5's k1 + 1: what a word that a text says without end scores, over its inverse frequency. */
const WORD_SCORE_MAX = 2.2;
/** FTS5 counts a word of more than half of the rows for next to nothing. */
const INVERSE_FREQUENCY_MIN = 1e-6;

const chooseTable = (db: SqliteReader, wanted: string): FullTextTable => {
  const rows = db.all("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'create virtual table%'");
  const tables = rows.flatMap(({ name, sql }) => readFullTextTable(String(name), String(sql)) ?? []);
  const names = tables.map(({ name }) => name).join(", ");
  const fitting = wanted === "" ? tables : tables.filter(({ name }) => name === wanted);
  const [table, ...others] = fitting;
  if (table === undefined) {
    throw new StoreFault(
      names === ""
        ? "the store has no full-text table (FTS5)"
        : `the store has no full-text table of that name; it has ${names}`,
    );
  }
  if (others.length > 0) throw new StoreFault(`the store has several full-text tables (${names}); --table chooses one`);
  if (table.content.kind === "none") throw new StoreFault("the store's full-text table keeps no texts");
  return table;
};

interface Connection {
  readonly db: SqliteReader;
  readonly table: FullTextTable;
  readonly counts: Counts;
  /** Of the file that is read, whatever has its name by now. */
  readonly inode: number;
}

const connect = (file: string, wantedTable: string, busyMs: number): Connection => {
  const inode = statSync(file).ino;
  const opened = openSqliteReader(file, busyMs);
  if (isLeft(opened)) throw new StoreFault(opened.left);
  const db = opened.right;
  try {
    const table = chooseTable(db, wantedTable);
    return { db, table, counts: createCounts(db, table, file), inode };
  } catch (fault) {
    db.close();
    throw fault;
  }
};

export const openSqliteStore = (file: string, wantedTable: string, limits: StoreLimits): Store => {
  let connection = connect(file, wantedTable, limits.busyMs);

  /** Others' writes are seen by themselves; a file that was put in this one's place is not. */
  const current = (): Connection => {
    if (statSync(file).ino === connection.inode) return connection;
    connection.db.close();
    connection = connect(file, wantedTable, limits.busyMs);
    return connection;
  };

  const memory = ({ db, table }: Connection, id: RowId, similarity: number, now: number): readonly Memory[] => {
    const [row] = db.all(`SELECT * FROM ${quotedName(table.name)} WHERE rowid = ?`, id);
    if (row === undefined) return [];
    const text = table.columns.flatMap((column) => said(row[column])).join("\n");
    const at = recordDate({ ...rowBehind(db, table, id), ...row }) ?? statSync(file).mtimeMs;
    const content = clampText(wellFormed(text), limits.noteBytesMax, "\n[the rest is left out]");
    return [{ content, similarity, ageHours: hoursSince(at, now) }];
  };

  return {
    recall: (query, k, now) => {
      const using = current();
      const { rows, words } = using.counts.of(questionWords(query, limits.queryWordsMax, asWritten));
      if (words.length === 0) return [];
      const ideal = idealScore(rows, words);
      return search(using, words, k).flatMap(({ id, score }) =>
        memory(using, id, Math.min(1, Math.max(0, -score / ideal)), now),
      );
    },
    report: () => ({ kind: "sqlite", texts: connection.counts.of([]).rows, leftOut: 0 }),
    close: () => {
      connection.db.close();
    },
  };
};

/** What counts as the same word is for the table's own tokenizer to say. */
const asWritten = (word: string): string => word;

type RowId = number | bigint;

/** The best rows, by their numbers only: what they say is read of those that are shown. */
const search = (
  { db, table }: Connection,
  words: readonly Word[],
  k: number,
): readonly { readonly id: RowId; readonly score: number }[] => {
  const name = quotedName(table.name);
  const rows = db.all(
    `SELECT rowid AS id, rank AS score FROM ${name} WHERE ${name} MATCH ? ORDER BY rank LIMIT ?`,
    words.map(({ quoted }) => quoted).join(" OR "),
    k,
  );
  return rows.flatMap(({ id, score }) =>
    typeof id === "number" || typeof id === "bigint" ? [{ id, score: Number(score) }] : [],
  );
};

/** The same row in the table that keeps the texts; a date may stand there and not in the full-text table. */
const rowBehind = (db: SqliteReader, { content }: FullTextTable, id: RowId): SqlRow => {
  if (content.kind !== "external") return {};
  const [row = {}] = db.all(`SELECT * FROM ${quotedName(content.table)} WHERE ${quotedName(content.rowId)} = ?`, id);
  return row;
};

/** What a full-text column can hold that is text; a blob is none. */
const said = (value: unknown): readonly string[] =>
  typeof value === "string" || typeof value === "number" || typeof value === "bigint" ? [String(value)] : [];

const idealScore = (rows: number, words: readonly Word[]): number => {
  let sum = 0;
  for (const word of words) {
    sum += Math.max(INVERSE_FREQUENCY_MIN, Math.log((rows - word.rows + 0.5) / (word.rows + 0.5)));
  }
  return sum * WORD_SCORE_MAX;
};
