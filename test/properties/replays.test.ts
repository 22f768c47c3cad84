// Event logs of bugs that were found and fixed, shrunk: each is played again and judged by every invariant. `npm run fuzz` writes
// such a log when it finds something; once the bug is fixed the log gets a name and stays.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { eventCodec, explain, sessionCodec, type Codec } from "../../src/core/codec.js";
import { step } from "../../src/core/index.js";
import { faultsOf, observable, repeatable, runEvents } from "../../src/testing/index.js";

const folder = path.join(import.meta.dirname, "../replays");
const files = readdirSync(folder).filter((name) => name.endsWith(".ndjson"));

const decoded = <A>(codec: Codec<A>, line: string): A => {
  const read = codec.decode(JSON.parse(line));
  if (read._tag === "Left") throw new Error(explain(read.left));
  return read.right;
};

describe("replays of fixed bugs", () => {
  test.each(files)("%s", (name) => {
    const [first = "", ...lines] = readFileSync(path.join(folder, name), "utf8").trimEnd().split("\n");
    const events = lines.map((line) => decoded(eventCodec, line));
    const run = runEvents(step, decoded(sessionCodec, first), events);
    expect(faultsOf({ ...observable, ...repeatable(step) }, run)).toEqual([]);
  });
});
