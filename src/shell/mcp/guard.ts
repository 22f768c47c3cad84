/**
 * Servers die with the agent, also when it is killed with KILL and can do nothing any more: a small shell waits on a pipe that
 * the kernel closes with the agent, and then ends the process groups that it was told of, as `endGroup` would.
 *
 * Why not a parent-death signal: the kernel sends it to the direct child alone, so a server behind a wrapper (`npx`, `uvx`,
 * `sh -c`) would live on (seen with `setpriv --pdeathsig`), and macOS has none. The limit of this one: without `/bin/sh`, or
 * when somebody kills the shell as well, servers only see the end of their stdin.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import type { Log } from "../log.js";

/** A second each for leaving by itself and for TERM, as at shutdown. Portable shell: no arrays, no `--` before a signal of 0. */
const SCRIPT = `
groups=
while read -r order id; do
  case $order in
    add) groups="$groups $id" ;;
    drop) kept=; for group in $groups; do [ "$group" = "$id" ] || kept="$kept $group"; done; groups=$kept ;;
  esac
done
alive() { for group in $groups; do kill -s 0 -- "-$group" 2>/dev/null && return 0; done; return 1; }
for signal in NONE TERM KILL; do
  [ $signal = NONE ] || for group in $groups; do kill -s $signal -- "-$group" 2>/dev/null; done
  tenths=0
  while [ $tenths -lt 10 ] && alive; do sleep 0.1; tenths=$((tenths + 1)); done
done
`;

/** One for the whole process: groups that must not outlive it, and the shell that sees to it while there are any. */
const guarded = new Set<number>();
let shell: ChildProcess | undefined;

const tell = (order: "add" | "drop", group: number): void => {
  shell?.stdin?.write(`${order} ${group}\n`);
};

export const guardGroup = (group: number, log: Log): void => {
  if (process.platform === "win32") return;
  guarded.add(group);
  if (shell === undefined) startShell(log);
  else tell("add", group);
};

export const unguardGroup = (group: number): void => {
  if (!guarded.delete(group)) return;
  tell("drop", group);
  if (guarded.size > 0) return;
  shell?.stdin?.end();
  shell = undefined;
};

const startShell = (log: Log): void => {
  // A session of its own: whoever kills the agent's group leaves the guard alive, which is the case it is there for.
  const started = spawn("/bin/sh", ["-c", SCRIPT], {
    detached: true,
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"],
  });
  shell = started;
  const lost = (why: string): void => {
    if (shell !== started) return;
    shell = undefined;
    log("warn", "servers would survive a KILL of the agent: their guard has ended", { why });
  };
  started.on("error", (fault) => lost(fault.message));
  started.on("exit", () => lost("it exited"));
  started.stdin.on("error", (fault) => lost(fault.message));
  // It must not keep the agent alive: the agent ends, the pipe closes, the guard does its work.
  started.unref();
  if (started.stdin instanceof Socket) started.stdin.unref();
  for (const group of guarded) tell("add", group);
};
