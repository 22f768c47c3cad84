/** Looking for processes that a test left behind. */
import { readdirSync, readFileSync } from "node:fs";

/**
 * Living processes whose environment holds `mark` (Linux; elsewhere none are found). A child inherits the mark from its server,
 * whatever group or session it moves to, so nothing that was started can hide.
 */
export const processesWith = (mark: string): readonly number[] => {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && read(`/proc/${pid}/environ`).includes(mark));
};

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

/** Open descriptors of this process. */
export const openDescriptors = (): number => readdirSync("/proc/self/fd").length;

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(read(`/proc/${pid}/status`));
  } catch {
    return false;
  }
};
