/**
 * Parties that are too heavy for everyone's install, or ask for a newer Node: each is a folder of `test/peers`, installed by the
 * first test that asks. Where that fails, its tests are skipped and say so.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { until } from "./until.js";

const INSTALL_MS = 600_000;

const takeLock = (lock: string): boolean => {
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

/** The peer's `node_modules`, once `proof` is in it; undefined if it cannot be had, which is said on stderr. */
export const installPeer = async (name: string, proof: string): Promise<string | undefined> => {
  const folder = fileURLToPath(new URL(`../peers/${name}`, import.meta.url));
  const modules = path.join(folder, "node_modules");
  const lock = path.join(folder, "node_modules.lock");
  const isThere = (): boolean => existsSync(path.join(modules, proof)) && !existsSync(lock);
  if (isThere()) return modules;
  // Test files run side by side, and one of them installs for all.
  await until("end of another's install", () => takeLock(lock) || isThere(), INSTALL_MS);
  if (isThere()) return modules;
  try {
    const args = ["install", "--no-audit", "--no-fund", "--no-package-lock"];
    await promisify(execFile)("npm", args, { cwd: folder, timeout: INSTALL_MS });
    if (existsSync(path.join(modules, proof))) return modules;
    process.stderr.write(`${name} was installed without ${proof}, its tests are skipped\n`);
  } catch (fault) {
    const why = String(fault).split("\n").slice(0, 3).join(" ");
    process.stderr.write(`${name} could not be installed, its tests are skipped: ${why}\n`);
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
  return undefined;
};
