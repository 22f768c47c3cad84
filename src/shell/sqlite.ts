/**
 * SQLite by whatever this installation has: `node:sqlite` where the runtime has it, else better-sqlite3, which is no dependency
 * of ours because it compiles for a minute. Both are synchronous; whoever must stay responsive opens a database in a worker.
 */
import { createRequire } from "node:module";
import { type Either, isLeft, left, right } from "fp-ts/lib/Either.js";

export type SqlValue = null | number | bigint | string | Uint8Array;
export type SqlRow = Readonly<Record<string, unknown>>;

/** All that a reader may do. Every method throws what SQLite says. */
export interface SqliteReader {
  readonly all: (sql: string, ...values: readonly SqlValue[]) => readonly SqlRow[];
  readonly close: () => void;
}

export interface Statement {
  readonly all: (...values: readonly SqlValue[]) => unknown;
  readonly run: (...values: readonly SqlValue[]) => { readonly changes: number | bigint };
  /** Integers as bigint: the one that node:sqlite has, and better-sqlite3's. */
  readonly setReadBigInts?: (on: boolean) => unknown;
  readonly safeIntegers?: (on: boolean) => unknown;
}
export interface SqliteHandle {
  readonly prepare: (sql: string) => Statement;
  readonly close: () => void;
}
export interface SqliteOptions {
  readonly readOnly: boolean;
  /** How long a locked database is waited for. */
  readonly busyMs: number;
}
/** Throws what SQLite says. */
export type OpenSqlite = (file: string, options: SqliteOptions) => SqliteHandle;

export const NO_SQLITE =
  "SQLite needs Node 22.13 or newer, or better-sqlite3 12 beside turnfold (npm install better-sqlite3@12)";

/* oxlint-disable typescript/no-unsafe-type-assertion -- what the two modules export is known from their documentation */
const builtIn = (): OpenSqlite | undefined => {
  const found = withoutWarning(() => process.getBuiltinModule("node:sqlite" as "node:module") as unknown);
  if (found === undefined) return undefined;
  const { DatabaseSync } = found as { DatabaseSync: new (file: string, options: object) => SqliteHandle };
  // The option `timeout` came later than the module; older ones ignore it.
  return (file, { readOnly, busyMs }) => withBusy(new DatabaseSync(file, { readOnly, timeout: busyMs }), busyMs);
};

/** That the module is young is nothing that a person could act on, and stderr may be a client's log. */
const withoutWarning = <A>(load: () => A): A => {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
};

const installed = (): OpenSqlite | undefined => {
  // Kept from the bundler, which would look for the package at build time. NODE_PATH counts.
  const load = createRequire(import.meta.url);
  try {
    const Database = load("better-sqlite3") as new (file: string, options: object) => SqliteHandle;
    return (file, { readOnly, busyMs }) => new Database(file, { readonly: readOnly, timeout: busyMs });
  } catch {
    return undefined;
  }
};
/* oxlint-enable typescript/no-unsafe-type-assertion */

const withBusy = (handle: SqliteHandle, busyMs: number): SqliteHandle => {
  handle.prepare(`PRAGMA busy_timeout = ${Math.trunc(busyMs)}`).all();
  return handle;
};

/** The one that is there, or one line that says what to install. */
export const findSqlite = (): Either<string, OpenSqlite> => {
  const open = builtIn() ?? installed();
  return open === undefined ? left(NO_SQLITE) : right(open);
};

/** Opens an existing file; nothing that is written through it could reach the disk. Throws what SQLite says. */
export const openSqliteReader = (file: string, busyMs: number): Either<string, SqliteReader> => {
  const open = findSqlite();
  if (isLeft(open)) return open;
  const handle = open.right(file, { readOnly: true, busyMs });
  return right({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a row is an object with a member for each column
    all: (sql, ...values) => handle.prepare(sql).all(...values) as readonly SqlRow[],
    close: () => {
      handle.close();
    },
  });
};
