// A part of the library is public from the moment its folder has an index, and not before.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "./source.js";

const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};

test("package.json exports exactly the public folders that exist", () => {
  const parts = ["core", "providers", "usage", "simulation", "testing"];
  const expected = parts
    .filter((folder) => existsSync(path.join(root, "src", folder, "index.ts")))
    .map((folder): [string, unknown] => [
      folder === "core" ? "." : `./${folder}`,
      { types: `./dist/lib/${folder}/index.d.ts`, default: `./dist/lib/${folder}/index.js` },
    ]);
  expect(manifest.exports, "edit the exports of package.json").toEqual({
    ...Object.fromEntries(expected),
    "./package.json": "./package.json",
  });
});

test("every dependency is pinned to one version", () => {
  const ranges = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    ([, range]) => !/^(?:npm:[@\w/-]+@)?\d+\.\d+\.\d+$/.test(range),
  );
  expect(ranges).toEqual([]);
});
