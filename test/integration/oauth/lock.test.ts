import { spawn } from "node:child_process";
import { existsSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as E from "fp-ts/lib/Either.js";
import { expect, test } from "vitest";
import { withLock } from "../../../src/shell/oauth/lock.js";
import { folder } from "./folder.js";

const times = { pollMs: 5, waitMs: 5000, staleMs: 60_000 };

/** A process that has run and is gone: nobody has its id now. */
const deadPid = (): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ["-e", ""]);
    child.on("exit", () => resolve(child.pid ?? 0));
  });

test("one holds it at a time, and everyone gets it", async () => {
  const file = path.join(folder(), "new", "login.json.lock");
  let holders = 0;
  let most = 0;
  const work = async () => {
    holders += 1;
    most = Math.max(most, holders);
    await new Promise((resolve) => setImmediate(resolve));
    holders -= 1;
    return "done";
  };
  const all = await Promise.all(Array.from({ length: 8 }, () => withLock(file, times, work)));
  expect(all).toEqual(Array.from({ length: 8 }, () => E.right("done")));
  expect(most).toBe(1);
  expect(existsSync(file)).toBe(false);
});

test("one that a living process holds is waited for, but not for ever", async () => {
  const file = path.join(folder(), "lock");
  writeFileSync(file, `${process.pid}\n`);
  expect(await withLock(file, { ...times, waitMs: 50 }, () => Promise.resolve(1))).toEqual(
    E.left(`another process holds the lock ${file}`),
  );
  expect(existsSync(file)).toBe(true);
});

test("one whose holder is gone is broken", async () => {
  const file = path.join(folder(), "lock");
  writeFileSync(file, `${await deadPid()}\n`);
  expect(await withLock(file, times, () => Promise.resolve(1))).toEqual(E.right(1));
});

test("one that is older than anybody may hold it is broken", async () => {
  const file = path.join(folder(), "lock");
  writeFileSync(file, `${process.pid}\n`);
  utimesSync(file, 1, 1);
  expect(await withLock(file, times, () => Promise.resolve(1))).toEqual(E.right(1));
});

test("many that find it forgotten still hold it one at a time", async () => {
  const file = path.join(folder(), "lock");
  writeFileSync(file, `${await deadPid()}\n`);
  let holders = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, (holders += 1));
    await new Promise((resolve) => setTimeout(resolve, 2));
    holders -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, () => withLock(file, times, work)));
  expect(most).toBe(1);
});

test("a folder that cannot be made is told", async () => {
  const file = path.join(folder(), "file");
  writeFileSync(file, "");
  const locked = await withLock(path.join(file, "lock"), times, () => Promise.resolve(1));
  expect(E.isLeft(locked) ? locked.left : "").toContain("cannot be made");
});
