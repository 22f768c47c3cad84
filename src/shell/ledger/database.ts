/** The ledger's SQLite file, opened for writing by any number of processes at once. */
import path from "node:path";
import { makeDirectory } from "../directory.js";
import { type Either, isLeft, left, right } from "fp-ts/lib/Either.js";
import { SHELL_LIMITS } from "../../core/policy.js";
import { findSqlite, type SqliteHandle, type SqlRow, type SqlValue, type Statement } from "../sqlite.js";

/** Integers are read as bigint. Every method throws what SQLite says. */
export interface Database {
  readonly all: (sql: string, ...values: readonly SqlValue[]) => readonly SqlRow[];
  /** The number of rows that were changed. */
  readonly run: (sql: string, ...values: readonly SqlValue[]) => number;
  /** All or nothing. The write lock is taken first, so that nobody can come between what is read and what is written. */
  readonly transaction: <A>(work: () => A) => A;
  readonly close: () => void;
}

const statements = (handle: SqliteHandle): ((sql: string) => Statement) => {
  const known = new Map<string, Statement>();
  return (sql) => {
    const found = known.get(sql);
    if (found !== undefined) return found;
    const statement = handle.prepare(sql);
    // On a statement that reads nothing either may refuse; there is nothing to convert then.
    if (/^\s*(?:SELECT|PRAGMA)/.test(sql)) {
      statement.setReadBigInts?.(true);
      statement.safeIntegers?.(true);
    }
    known.set(sql, statement);
    return statement;
  };
};

const databaseOf = (handle: SqliteHandle): Database => {
  const prepare = statements(handle);
  const run = (sql: string, ...values: readonly SqlValue[]): number => Number(prepare(sql).run(...values).changes);
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a row is an object with a member for each column
    all: (sql, ...values) => prepare(sql).all(...values) as readonly SqlRow[],
    run,
    transaction: (work) => {
      run("BEGIN IMMEDIATE");
      try {
        const result = work();
        run("COMMIT");
        return result;
      } catch (fault) {
        // SQLite may have rolled back already (a full disk); then there is nothing left to undo.
        try {
          run("ROLLBACK");
        } catch {
          // The first fault is the one to tell.
        }
        throw fault;
      }
    },
    close: () => {
      handle.close();
    },
  };
};

/** What SQLite means, for whoever has to mend it. */
export const describeFault = (file: string, fault: unknown): string => {
  const text = fault instanceof Error ? fault.message : String(fault);
  const [, meaning] = FAULTS.find(([pattern]) => pattern.test(text)) ?? [undefined, undefined];
  return meaning === undefined
    ? `the ledger ${file} cannot be used: ${text}`
    : `the ledger ${file} ${meaning} (${text})`;
};

const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/locked|busy/i, "is locked by another program"],
  [/readonly|read-only/i, "is read-only"],
  [/disk is full|full/i, "is on a full disk"],
  [/unable to open/i, "cannot be opened"],
  [/malformed|not a database/i, "is damaged or no SQLite file"],
];

/** Opens or creates the file and its folder. Left: one line for a person. */
export const openDatabase = (file: string): Either<string, Database> => {
  const open = findSqlite();
  if (isLeft(open)) return open;
  try {
    makeDirectory(path.dirname(file));
    const database = databaseOf(open.right(file, { readOnly: false, busyMs: SHELL_LIMITS.ledgerBusyMs.default }));
    // Readers never wait for a writer. Each commit reaches the disk, since the outbox is emptied after it.
    database.all("PRAGMA journal_mode = WAL");
    database.run("PRAGMA synchronous = FULL");
    return right(database);
  } catch (fault) {
    return left(describeFault(file, fault));
  }
};
