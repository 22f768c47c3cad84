/**
 * SQLite for tests: `node:sqlite` where this Node has it, else better-sqlite3, which is installed (and compiled, for a minute)
 * by the first test that asks. Without either, those tests are skipped and say so.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import Module from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isLeft } from "fp-ts/lib/Either.js";
import { findSqlite, type OpenSqlite } from "../../src/shell/sqlite.js";
import { until } from "./until.js";

export interface SqlitePeer {
  readonly open: OpenSqlite;
  /** For the environment of a program that is to find it as well. */
  readonly env: Readonly<Record<string, string>>;
}

const folder = fileURLToPath(new URL("../peers/better-sqlite3", import.meta.url));
const modules = path.join(folder, "node_modules");
const compiled = path.join(modules, "better-sqlite3", "build", "Release", "better_sqlite3.node");
const lock = path.join(folder, "node_modules.lock");
const INSTALL_MS = 600_000;

const takeLock = (): boolean => {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    // Whoever was killed in the middle of it has left the lock behind.
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > INSTALL_MS) rmSync(lock, { recursive: true, force: true });
    return false;
  }
};

const install = async (): Promise<string | undefined> => {
  if (existsSync(compiled)) return undefined;
  // Test files run side by side, and one of them compiles for all.
  const mine = await until("end of another's install", () => takeLock() || existsSync(compiled), INSTALL_MS);
  if (!mine || existsSync(compiled)) return undefined;
  try {
    await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock"], {
      cwd: folder,
      timeout: INSTALL_MS,
    });
    return existsSync(compiled) ? undefined : "it did not compile";
  } catch (fault) {
    return String(fault).split("\n").slice(0, 3).join(" ");
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
};

/** Makes what stands in `NODE_PATH` known to this process, which has read it long ago. */
const searchAlso = (nodePath: string): void => {
  process.env["NODE_PATH"] = nodePath;
  (Module as unknown as { readonly _initPaths: () => void })._initPaths();
};

export const sqlitePeer = async (): Promise<SqlitePeer | undefined> => {
  const own = findSqlite();
  if (!isLeft(own)) return { open: own.right, env: {} };
  const fault = await install();
  if (fault !== undefined) {
    process.stderr.write(`better-sqlite3 could not be installed, its tests are skipped: ${fault}\n`);
    return undefined;
  }
  searchAlso(modules);
  const found = findSqlite();
  return isLeft(found) ? undefined : { open: found.right, env: { NODE_PATH: modules } };
};
