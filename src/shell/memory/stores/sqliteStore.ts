/** A SQLite file with a full-text table (FTS5), as whoever keeps it has laid it out. */
import { statSync } from "node:fs";
import { isLeft } from "fp-ts/lib/Either.js";
import { clampText, wellFormed } from "../../../core/text.js";
import { openSqliteReader, type SqliteReader, type SqlRow } from "../../sqlite.js";
import type { Memory } from "../source.js";
import { hoursSince, recordDate } from "./dates.js";
import { quotedName, readFullTextTable, type FullTextTable } from "./fullTextTable.js";
import { StoreFault, type Store, type StoreLimits } from "./store.js";
import { questionWords } from "./words.js";

/** FTS5's k1 + 1: what a word that a text says without end scores, over its inverse frequency. */
const WORD_SCORE_MAX = 2.2;
/** FTS5 counts a word of more than half of the rows for next to nothing. */
const INVERSE_FREQUENCY_MIN = 1e-6;

interface Word {
  readonly quoted: string;
  /** Rows that say it. */
  readonly rows: number;
}

const firstNumber = (rows: readonly SqlRow[]): number => Number(Object.values(rows[0] ?? {})[0] ?? 0);

/** The file and its write-ahead log: whatever is written changes one of the two. */
const versionOf = (file: string): string =>
  [file, `${file}-wal`]
    .map((each) => {
      const stats = statSync(each, { throwIfNoEntry: false });
      return stats === undefined ? "" : `${stats.ino}:${stats.mtimeMs}:${stats.size}`;
    })
    .join(" ");

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

const countRows = (db: SqliteReader, { name, content }: FullTextTable): number => {
  // One small row for each; without it (columnsize=0) the texts themselves have to be counted.
  const sizes = db.all("SELECT 1 FROM sqlite_schema WHERE name = ?", `${name}_docsize`).length > 0;
  const kept = content.kind === "external" ? content.table : `${name}_content`;
  return firstNumber(db.all(`SELECT count(*) FROM ${quotedName(sizes ? `${name}_docsize` : kept)}`));
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

interface Counts {
  /** How many rows there are, and which of the words are worth a search. */
  readonly of: (words: readonly string[]) => { readonly rows: number; readonly words: readonly Word[] };
}

/** Counting is half of a search's time, so what was counted holds until the file changes. */
const createCounts = (db: SqliteReader, { name, ...table }: FullTextTable, file: string): Counts => {
  let version = "";
  let rows = 0;
  const counted = new Map<string, number>();

  const refresh = (): void => {
    const current = versionOf(file);
    if (current === version) return;
    counted.clear();
    rows = countRows(db, { name, ...table });
    version = current;
  };
  const count = (quoted: string): number => {
    const known = counted.get(quoted);
    if (known !== undefined) return known;
    const fresh = firstNumber(
      db.all(`SELECT count(*) FROM ${quotedName(name)} WHERE ${quotedName(name)} MATCH ?`, quoted),
    );
    counted.set(quoted, fresh);
    return fresh;
  };

  return {
    of: (words) => {
      refresh();
      const known = words
        .map((word) => ({ quoted: `"${word}"`, rows: count(`"${word}"`) }))
        .filter((word) => word.rows > 0);
      // A word of more than half of the rows would rank them all and decide nothing, as long as there is another.
      const telling = known.filter((word) => word.rows * 2 <= rows);
      return { rows, words: telling.length > 0 ? telling : known };
    },
  };
};
