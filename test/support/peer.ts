/**
 * Parties that are too heavy for everyone's install, or ask for a newer Node: each is a folder of `test/peers`, installed by the
 * first test that asks. Where that fails, its tests are skipped and say so.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { INSTALL_MS, installOnce } from "./installOnce.js";

/** The peer's `node_modules`, once `proof` is in it; undefined if it cannot be had, which is said on stderr. */
export const installPeer = async (name: string, proof: string): Promise<string | undefined> => {
  const folder = fileURLToPath(new URL(`../peers/${name}`, import.meta.url));
  const modules = path.join(folder, "node_modules");
  const lock = path.join(folder, "node_modules.lock");
  const isThere = (): boolean => existsSync(path.join(modules, proof));
  try {
    const args = ["install", "--no-audit", "--no-fund", "--no-package-lock"];
    await installOnce(lock, isThere, async () => {
      await promisify(execFile)("npm", args, { cwd: folder, timeout: INSTALL_MS });
    });
    if (isThere()) return modules;
    process.stderr.write(`${name} was installed without ${proof}, its tests are skipped\n`);
  } catch (fault) {
    const why = String(fault).split("\n").slice(0, 3).join(" ");
    process.stderr.write(`${name} could not be installed, its tests are skipped: ${why}\n`);
  }
  return undefined;
};
