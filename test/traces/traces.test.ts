// Golden traces: the behaviour of the loop, written as commands and what comes of them. `npm run traces -- --update` prints them
// anew; a change in a golden file is a change of behaviour and is reviewed as one.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { playTrace } from "./language/play.js";

const folder = path.join(import.meta.dirname, "golden");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".txt"))
  .toSorted();

describe("traces", () => {
  test.each(files)("%s", async (name) => {
    const file = path.join(folder, name);
    const { text, faults } = playTrace(readFileSync(file, "utf8"));
    expect(faults).toEqual([]);
    await expect(text).toMatchFileSnapshot(file);
  });
});
