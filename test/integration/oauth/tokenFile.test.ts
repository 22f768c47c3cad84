import { chmodSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as O from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import { readTokenFile, writeTokenFile } from "../../../src/shell/oauth/tokenFile.js";
import { folder } from "./folder.js";

const token = (accessToken: string) => ({ accessToken, refreshToken: O.some("r"), expiresAt: O.none });
const modeOf = (file: string) => statSync(file).mode & 0o777;

test("a login is written for its owner only, in folders that are made, and leaves nothing beside it", async () => {
  const file = path.join(folder(), "a", "b", "login.json");
  await writeTokenFile(file, token("one"));
  expect(await readTokenFile(file)).toEqual(O.some(token("one")));
  expect(modeOf(file)).toBe(0o600);
  expect(modeOf(path.dirname(file))).toBe(0o700);
  expect(readdirSync(path.dirname(file))).toEqual(["login.json"]);
});

describe("a file that others may read", () => {
  test("is replaced by another when it is written", async () => {
    const file = path.join(folder(), "login.json");
    writeFileSync(file, "{}", { mode: 0o644 });
    const before = statSync(file).ino;
    await writeTokenFile(file, token("one"));
    expect([modeOf(file), statSync(file).ino === before]).toEqual([0o600, false]);
  });

  test("is tightened when it is read, the same file", async () => {
    const file = path.join(folder(), "login.json");
    await writeTokenFile(file, token("one"));
    chmodSync(file, 0o644);
    const before = statSync(file).ino;
    expect(await readTokenFile(file)).toEqual(O.some(token("one")));
    expect([modeOf(file), statSync(file).ino]).toEqual([0o600, before]);
  });
});

test("a symbolic link is no login, wherever it points", async () => {
  const at = folder();
  await writeTokenFile(path.join(at, "real.json"), token("one"));
  symlinkSync(path.join(at, "real.json"), path.join(at, "login.json"));
  expect(await readTokenFile(path.join(at, "login.json"))).toEqual(O.none);
});

test("neither is a folder, nor what is not there", async () => {
  const at = folder();
  expect(await readTokenFile(at)).toEqual(O.none);
  expect(await readTokenFile(path.join(at, "none.json"))).toEqual(O.none);
});

test("of sixteen writers at once each succeeds, and the file is one of theirs", async () => {
  const file = path.join(folder(), "login.json");
  const names = Array.from({ length: 16 }, (_, index) => `token-${index}`);
  await Promise.all(names.map((name) => writeTokenFile(file, token(name))));
  const read = await readTokenFile(file);
  expect(names).toContain(O.isSome(read) ? read.value.accessToken : "");
  expect(readdirSync(path.dirname(file))).toEqual(["login.json"]);
});
