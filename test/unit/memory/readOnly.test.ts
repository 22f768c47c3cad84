// A memory is somebody else's file. It is opened read only, and there is no code that could write to it: both, because some
// libraries look at how a file was opened and some at what they are told to do.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../tidy/source.js";

const folder = path.join(root, "src/shell/memory");
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .map((name) => path.join(folder, name))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => ({ file: path.relative(root, file), text: readFileSync(file, "utf8") }));

const READING = new Set(["closeSync", "openSync", "readSync", "readdirSync", "readFileSync", "statSync"]);
const FILE_IMPORT = /import\s*(?:type\s*)?\{([^}]*)\}\s*from\s*"node:fs(?:\/promises)?"/g;

test("nothing of the memory agent can write to a file", () => {
  const imported = sources.flatMap(({ text }) =>
    [...text.matchAll(FILE_IMPORT)].flatMap(([, names = ""]) => names.split(",").map((name) => name.trim())),
  );
  expect(imported.length).toBeGreaterThan(5);
  expect(imported.filter((name) => name !== "" && !READING.has(name))).toEqual([]);
  const other = sources.filter(({ text }) =>
    /from "(?:node:)?fs(?:\/promises)?"/.test(text.replaceAll(FILE_IMPORT, "")),
  );
  expect(other.map(({ file }) => file)).toEqual([]);
  const opened = sources.flatMap(({ text }) =>
    [...text.matchAll(/openSync\(([^)]*)\)/g)].map(([, given = ""]) => given),
  );
  expect(opened).toEqual(['file, "r"']);
});

test("nothing of the memory agent asks SQLite for anything but rows, through a connection that has nothing else", () => {
  const asked = sources.flatMap(({ text }) =>
    [...text.matchAll(/\.all\(\s*["'`]\s*(\w+)/g)].map(([, word = ""]) => word.toUpperCase()),
  );
  expect(asked.length).toBeGreaterThan(5);
  expect(new Set(asked)).toEqual(new Set(["SELECT"]));
  const others = /\b(?:findSqlite|SqliteHandle|DatabaseSync)\b|\.(?:prepare|run)\(/;
  expect(sources.filter(({ text }) => others.test(text)).map(({ file }) => file)).toEqual([]);
});
