import { isLeft } from "fp-ts/lib/Either.js";
import { expect, test } from "vitest";
import { readAskOptions } from "../../../src/shell/cli/askOptions.js";
import { runReplay } from "../../../src/shell/cli/replay.js";
import { readMemoryOptions } from "../../../src/shell/memory/options.js";

// Node words an option whose value looks like another option in three lines, and they went to stderr as they were.
test("an option whose value looks like an option is told in one line, and replay exits with 2", async () => {
  const ask = readAskOptions(["--cwd", "-1", "hello"]);
  const memory = readMemoryOptions(["--store", "-1"], "");
  const told: string[] = [];
  const cli = { out: () => undefined, err: (line: string) => void told.push(line) };
  expect(await runReplay(["--state", "-1", "file"], cli)).toBe(2);
  for (const read of [ask, memory]) told.push(isLeft(read) ? read.left : "accepted");
  expect(told).toHaveLength(3);
  for (const line of told) expect(line).toMatch(/^[^\n]*'--(state|cwd|store)/);
  for (const line of told) expect(line).not.toContain("\n");
});
