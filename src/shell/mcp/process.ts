/** One server's process: started without a shell in a process group of its own, ended together with that group. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { type Either, left, right } from "fp-ts/lib/Either.js";
import { endGroup, groupAlive } from "./group.js";
import { guardGroup, unguardGroup } from "./guard.js";
import type { Log } from "../log.js";
import { windowsCommand } from "./windows.js";

export interface ServerProcess {
  readonly group: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** How the process itself ended, as words for a message: "exited with code 3". Its children may live on. */
  readonly exited: Promise<string>;
  /** Closes stdin, waits `graceMs`, TERM, `graceMs`, KILL, all to the group. Resolves when nothing of it is left. */
  readonly end: (graceMs: number) => Promise<void>;
}

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** The process, or one line of why there is none. */
export const startProcess = async (command: Command, log: Log): Promise<Either<string, ServerProcess>> => {
  try {
    const child = spawnChild(command);
    const fault = await spawnFault(child);
    return fault === undefined && child.pid !== undefined
      ? right(running(child, child.pid, log))
      : left(startFault(command, fault));
  } catch (fault) {
    return left(startFault(command, fault));
  }
};

const spawnChild = (command: Command): Child => {
  const { file, args, verbatim } =
    process.platform === "win32"
      ? windowsCommand(command)
      : { file: command.command, args: command.args, verbatim: false };
  return spawn(file, args, {
    cwd: command.cwd,
    env: command.env,
    // Its own session, hence its own group; a console of its own on Windows, which `windowsHide` keeps out of sight.
    detached: process.platform !== "win32",
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
    windowsVerbatimArguments: verbatim,
  });
};

const spawnFault = (child: Child): Promise<Error | undefined> =>
  new Promise((resolve) => {
    child.once("spawn", () => resolve(undefined));
    // Stays for good: a later fault (a signal that could not be sent) must not bring the agent down.
    child.on("error", resolve);
  });

const startFault = (command: Command, fault: unknown): string => {
  const code = fault instanceof Error && "code" in fault ? fault.code : undefined;
  if (code === "ENOENT") return `command not found: ${command.command}`;
  if (code === "EACCES") return `not allowed to run ${command.command}`;
  return `cannot start ${command.command}: ${fault instanceof Error ? fault.message : String(fault)}`;
};

const running = (child: Child, group: number, log: Log): ServerProcess => {
  guardGroup(group, log);
  // Once the group has been seen empty its number may be given to others: it is never signalled again.
  let gone = false;
  const leave = (): void => {
    gone = true;
    unguardGroup(group);
  };
  const exited = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => {
      if (process.platform !== "win32" && !groupAlive(group)) leave();
      resolve(signal === null ? `exited with code ${code ?? "unknown"}` : `was ended by ${signal}`);
    });
  });
  const end = async (graceMs: number): Promise<void> => {
    child.stdin.destroy();
    if (gone) return;
    const empty = await endGroup(group, graceMs);
    if (!empty) log("error", "processes of an MCP server survived KILL", { group });
    leave();
    // A grandchild outside the group may hold the pipes; nothing of them is wanted any more.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  return { group, stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, exited, end };
};
