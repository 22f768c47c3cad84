/** Process groups: a server is started in one of its own, and everything it starts ends with it (F77). */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const POLL_MS = 25;
/** After KILL only the kernel's own work is left to wait for. */
const KILLED_MS = 1000;

/** False when no process of the group can be signalled any more. */
const signalGroup = (group: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    // ESRCH: nobody is left. EPERM: macOS says so of a group that holds only zombies.
    return false;
  }
};

/**
 * Linux lets zombies be signalled. Orphans become that for as long as the first process takes to collect them, which in a
 * container without an init is for ever; so they are looked for where Linux shows them.
 */
const onlyZombies = (group: number): boolean => {
  if (process.platform !== "linux") return false;
  const members = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => statOf(pid))
    .filter(({ ofGroup }) => ofGroup === group);
  return members.every(({ state }) => state === "Z" || state === "X");
};

const statOf = (pid: string): { readonly state: string; readonly ofGroup: number } => {
  try {
    // "pid (name) state parent group …", and the name may hold anything.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state = "", , ofGroup = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state, ofGroup: Number(ofGroup) };
  } catch {
    return { state: "X", ofGroup: 0 };
  }
};

/** Whether anything of the group still runs. */
export const groupAlive = (group: number): boolean => signalGroup(group, 0) && !onlyZombies(group);

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const goneWithin = async (group: number, ms: number): Promise<boolean> => {
  for (const end = performance.now() + ms; groupAlive(group); await delay(POLL_MS)) {
    if (performance.now() >= end) return false;
  }
  return true;
};

/** Windows has no groups to signal: the tree below the process is ended by force once its time is over. */
const endTree = async (group: number, graceMs: number): Promise<boolean> => {
  const alive = (): boolean => {
    try {
      return process.kill(group, 0);
    } catch {
      return false;
    }
  };
  for (const end = performance.now() + graceMs; alive() && performance.now() < end;) await delay(POLL_MS);
  await new Promise<void>((resolve) => {
    const killer = spawn("taskkill", ["/T", "/F", "/PID", String(group)], { stdio: "ignore", windowsHide: true });
    killer.on("error", () => resolve());
    killer.on("exit", () => resolve());
  });
  return !alive();
};

/**
 * Waits for the group to leave by itself, `graceMs`; then TERM, `graceMs`; then KILL. True when nothing of it is left. Whoever
 * calls this has closed the server's stdin.
 */
export const endGroup = async (group: number, graceMs: number): Promise<boolean> => {
  if (process.platform === "win32") return endTree(group, graceMs);
  if (await goneWithin(group, graceMs)) return true;
  signalGroup(group, "SIGTERM");
  if (await goneWithin(group, graceMs)) return true;
  signalGroup(group, "SIGKILL");
  return goneWithin(group, KILLED_MS);
};
