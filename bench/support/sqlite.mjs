// SQLite for rows that need a large file of it: node:sqlite where the runtime has it, else better-sqlite3 of test/peers, which is
// installed there first if need be.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {{ readonly exec: (sql: string) => void, readonly prepare: (sql: string) => { run: (...values: unknown[]) => unknown }, readonly close: () => void }} Database */

const peer = fileURLToPath(new URL("../../test/peers/better-sqlite3/", import.meta.url));
const modules = path.join(peer, "node_modules");

/** Where the program finds the package as well. */
export const sqlitePath = { NODE_PATH: modules };

const builtIn = () =>
  /** @type {any} */ (process.getBuiltinModule?.(/** @type {"node:module"} */ ("node:sqlite")))?.DatabaseSync;

const fromPeer = () => {
  if (!existsSync(path.join(modules, "better-sqlite3"))) {
    console.error("installing better-sqlite3, which compiles for a minute");
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock"], { cwd: peer, stdio: "ignore" });
  }
  return createRequire(path.join(peer, "package.json"))("better-sqlite3");
};

/** @param {string} file @returns {Database} */
export const openDatabase = (file) => {
  const Opened = builtIn() ?? fromPeer();
  return new Opened(file);
};
