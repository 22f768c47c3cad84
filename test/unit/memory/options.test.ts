import { homedir } from "node:os";
import path from "node:path";
import { isLeft } from "fp-ts/lib/Either.js";
import { describe, expect, test } from "vitest";
import { readMemoryOptions } from "../../../src/shell/memory/options.js";

const read = (argv: readonly string[], fallback = ""): unknown => {
  const options = readMemoryOptions(argv, fallback);
  return isLeft(options) ? options.left : options.right;
};
const serve = (store: string, topK = 5, table = "") => ({ kind: "serve", store, table, topK });

describe("the command line", () => {
  test("takes a store, how much to recall and which table", () => {
    expect(read(["--store", "/notes"])).toEqual(serve("/notes"));
    expect(read(["--top-k", "3", "--store", "/notes", "--table", "t"])).toEqual(serve("/notes", 3, "t"));
    expect(read(["--store", "notes"])).toEqual(serve(path.resolve("notes")));
    expect(read(["--store", "~/notes"])).toEqual(serve(path.join(homedir(), "notes")));
    expect(read(["--help"])).toEqual({ kind: "help" });
    expect(read(["-h", "--store", "/x"])).toEqual({ kind: "help" });
  });

  test("takes the store of the environment where none is named", () => {
    expect(read([], "/notes")).toEqual(serve("/notes"));
    expect(read(["--store", "/mine"], "/notes")).toEqual(serve("/mine"));
    expect(read([])).toMatch(/no store/);
  });

  test("passes over the word acp, in any case, at any place, any number of times", () => {
    expect(read(["acp", "--store", "/notes", "ACP", "Acp"])).toEqual(serve("/notes"));
  });

  test.each([
    [["--top-k", "0", "--store", "/x"], /--top-k/],
    [["--top-k", "-1", "--store", "/x"], /top-k/],
    [["--top-k", "many", "--store", "/x"], /--top-k/],
    [["--store", "/x", "--top-k"], /top-k/],
    [["--store", "/x", "--wat"], /wat/],
    [["--store", "/x", "other"], /"other"/],
  ])("%j is told what is wrong with it", (argv, expected) => {
    expect(read(argv)).toMatch(expected);
  });
});
