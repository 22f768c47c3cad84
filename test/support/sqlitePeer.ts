/**
 * SQLite for tests: `node:sqlite` where this Node has it, else better-sqlite3, which is installed (and compiled, for a minute)
 * by the first test that asks. Without either, those tests are skipped and say so.
 */
import Module from "node:module";
import path from "node:path";
import { isLeft } from "fp-ts/lib/Either.js";
import { findSqlite, type OpenSqlite } from "../../src/shell/sqlite.js";
import { installPeer } from "./peer.js";

export interface SqlitePeer {
  readonly open: OpenSqlite;
  /** For the environment of a program that is to find it as well. */
  readonly env: Readonly<Record<string, string>>;
}

const compiled = path.join("better-sqlite3", "build", "Release", "better_sqlite3.node");

/** Makes what stands in `NODE_PATH` known to this process, which has read it long ago. */
const searchAlso = (nodePath: string): void => {
  process.env["NODE_PATH"] = nodePath;
  (Module as unknown as { readonly _initPaths: () => void })._initPaths();
};

export const sqlitePeer = async (): Promise<SqlitePeer | undefined> => {
  const own = findSqlite();
  if (!isLeft(own)) return { open: own.right, env: {} };
  const modules = await installPeer("better-sqlite3", compiled);
  if (modules === undefined) return undefined;
  searchAlso(modules);
  const found = findSqlite();
  return isLeft(found) ? undefined : { open: found.right, env: { NODE_PATH: modules } };
};
