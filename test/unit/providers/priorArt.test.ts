import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NAMES } from "./priorArt.names.js";
import { TABLE, type Where } from "./priorArt.table.js";

const root = new URL("../../../", import.meta.url);

/** The title stands in the file as a literal, or as the row of a table that a test runs through. */
const exists = (where: Where): boolean => {
  if ("overruled" in where) return where.overruled.includes("held by") || where.overruled.includes("model.ts");
  return readFileSync(new URL(where.file, root), "utf8").includes(JSON.stringify(where.title));
};

test("every test of the prior art's dialects is held by one of ours or overruled for a reason, each once", () => {
  const mapped = TABLE.flatMap(({ names }) => names);
  expect(NAMES).toHaveLength(282);
  expect(mapped.toSorted()).toEqual(NAMES.toSorted());
});

test("every test that is named as holding another exists", () => {
  expect(TABLE.filter((where) => !exists(where))).toEqual([]);
});
