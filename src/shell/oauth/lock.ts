/**
 * A lock between processes, held while one of them renews a login: the others wait and then find the new token in the file.
 * Node has no lock that the system gives back when a process dies, so the lock is a file with its holder's process id, and one
 * whose holder is gone, or that is older than anybody may hold it, is broken.
 */
import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { makeDirectory } from "../directory.js";
import * as E from "fp-ts/lib/Either.js";

export interface LockTimes {
  /** How often a waiting process looks. */
  readonly pollMs: number;
  /** How long it waits at most. */
  readonly waitMs: number;
  /** How old a lock may be before it is taken for forgotten; more than its holder may need. */
  readonly staleMs: number;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** Whether the file was made, that is: whether the lock is ours now. */
const create = (file: string): boolean => {
  try {
    const descriptor = openSync(file, "wx", 0o600);
    writeSync(descriptor, `${process.pid}\n`);
    closeSync(descriptor);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
};

/** A holder writes its id right after making the file; until then its age decides. */
const isForgotten = (file: string, staleMs: number): boolean => {
  try {
    if (Date.now() - statSync(file).mtimeMs > staleMs) return true;
    const text = readFileSync(file, "utf8");
    return text.endsWith("\n") && !isAlive(Number(text));
  } catch {
    return false;
  }
};

const BREAKING_MS = 10_000;

/**
 * Two processes that find a forgotten lock must not remove each other's new one: breaking is itself done under a lock, which
 * is held for the moment of a few calls only.
 */
const breakForgotten = (file: string, staleMs: number): void => {
  const breaking = `${file}.break`;
  if (!create(breaking)) {
    if (isForgotten(breaking, BREAKING_MS)) rmSync(breaking, { force: true });
    return;
  }
  try {
    if (isForgotten(file, staleMs)) rmSync(file, { force: true });
  } finally {
    rmSync(breaking, { force: true });
  }
};

/** Runs `work` while the lock is held. Left: it could not be had in time, or its folder does not let us. */
export const withLock = async <A>(
  file: string,
  times: LockTimes,
  work: () => Promise<A>,
): Promise<E.Either<string, A>> => {
  try {
    makeDirectory(path.dirname(file));
    const giveUpAt = Date.now() + times.waitMs;
    while (!create(file)) {
      if (Date.now() > giveUpAt) return E.left(`another process holds the lock ${file}`);
      if (isForgotten(file, times.staleMs)) breakForgotten(file, times.staleMs);
      // eslint-disable-next-line no-await-in-loop -- waiting is what this loop is for
      await pause(times.pollMs);
    }
  } catch (error) {
    return E.left(`the lock ${file} cannot be made (${codeOf(error)})`);
  }
  try {
    return E.right(await work());
  } finally {
    rmSync(file, { force: true });
  }
};
