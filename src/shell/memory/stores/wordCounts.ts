/** How many rows of a full-text table say a word: what makes a word telling, and a similarity a share of something. */
import { statSync } from "node:fs";
import type { SqliteReader, SqlRow } from "../../sqlite.js";
import { quotedName, type FullTextTable } from "./fullTextTable.js";

export interface Word {
  readonly quoted: string;
  /** Rows that say it. */
  readonly rows: number;
}

export interface Counts {
  /** How many rows there are, and which of the words are worth a search. */
  readonly of: (words: readonly string[]) => { readonly rows: number; readonly words: readonly Word[] };
}

/** Words whose count is kept. */
const COUNTED_MAX = 10_000;

/** Counting is half of a search's time, so what was counted holds until the file changes. */
export const createCounts = (db: SqliteReader, table: FullTextTable, file: string): Counts => {
  const name = quotedName(table.name);
  let version = "";
  let rows = 0;
  const counted = new Map<string, number>();

  const refresh = (): void => {
    const current = versionOf(file);
    if (current === version && counted.size < COUNTED_MAX) return;
    counted.clear();
    rows = countRows(db, table);
    version = current;
  };
  const count = (quoted: string): number => {
    const known = counted.get(quoted);
    if (known !== undefined) return known;
    const fresh = firstNumber(db.all(`SELECT count(*) FROM ${name} WHERE ${name} MATCH ?`, quoted));
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

const firstNumber = (rows: readonly SqlRow[]): number => Number(Object.values(rows[0] ?? {})[0] ?? 0);

/** The file and its write-ahead log: whatever is written changes one of the two. */
const versionOf = (file: string): string =>
  [file, `${file}-wal`]
    .map((each) => {
      const stats = statSync(each, { throwIfNoEntry: false });
      return stats === undefined ? "" : `${stats.ino}:${stats.mtimeMs}:${stats.size}`;
    })
    .join(" ");

const countRows = (db: SqliteReader, { name, content }: FullTextTable): number => {
  // One small row for each; without it (columnsize=0) the texts themselves have to be counted.
  const sizes = db.all("SELECT 1 FROM sqlite_schema WHERE name = ?", `${name}_docsize`).length > 0;
  const kept = content.kind === "external" ? content.table : `${name}_content`;
  return firstNumber(db.all(`SELECT count(*) FROM ${quotedName(sizes ? `${name}_docsize` : kept)}`));
};
