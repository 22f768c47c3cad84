/** Bounds on time are for a machine of its own; on a busy one they grow with what a fresh process takes to start. */
import { spawnSync } from "node:child_process";

/** What `node -e 0` takes on two idle cores, generously. */
const IDLE_MS = 80;

const startMs = (): number => {
  const at = performance.now();
  spawnSync(process.execPath, ["-e", "0"]);
  return performance.now() - at;
};

const slowness = Math.max(1, Math.max(startMs(), startMs()) / IDLE_MS);

/** `ms` as this machine is now. */
export const within = (ms: number): number => Math.ceil(ms * slowness);
