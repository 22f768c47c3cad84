/** Test files run side by side, and what several of them need is installed by one for all. */
import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { until } from "./until.js";

export const INSTALL_MS = 600_000;

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

/** Installs unless it is there. `lock` is a folder that stands while somebody is at it: until then what is there is not whole. */
export const installOnce = async (
  lock: string,
  isThere: () => boolean,
  install: () => Promise<void>,
): Promise<void> => {
  let mine = false;
  const settled = (): boolean => (isThere() && !existsSync(lock)) || (mine = takeLock(lock));
  await until("end of another's install", settled, INSTALL_MS);
  if (!mine) return;
  try {
    // Another may have come to its end between the two looks.
    if (!isThere()) await install();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
};
