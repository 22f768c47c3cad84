// A repository is read on other machines than the one it was written on.

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { repositoryFiles, root } from "./source.js";

// The words are put together here so that this file does not hold what it looks for.
const home = ["work", "root", "home", "Users"].join("|");
const machinePath = new RegExp(String.raw`(?<![\w.\-/@}])/(?:${home})(?:/|\b)`);
const registryHost = new RegExp(
  String.raw`\b(?:${["registry", "npm", "packages"].join("|")})\.[a-z0-9-]+\.(?:org|com|net|io|dev|cloud)\b`,
);

interface Line {
  readonly at: string;
  readonly text: string;
}

function lines(): readonly Line[] {
  return repositoryFiles().flatMap((name) =>
    readFileSync(path.join(root, name), "utf8")
      .split("\n")
      .map((text, index) => ({ at: `${name}:${index + 1}`, text })),
  );
}

test("no file names a path of a machine", () => {
  const found = lines().filter(({ text }) => machinePath.test(text));
  expect(found.map(({ at, text }) => `${at}: ${text.trim().slice(0, 100)}`)).toEqual([]);
});

test("no file names a package registry's host", () => {
  const configured = process.env["npm_config_registry"];
  const host = configured === undefined ? undefined : new URL(configured).host;
  const found = lines().filter(({ text }) => registryHost.test(text) || (host !== undefined && text.includes(host)));
  expect(found.map(({ at }) => at)).toEqual([]);
});

test("the lock file records no download address", () => {
  const lock = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly resolved?: string }>>;
  };
  expect(Object.keys(lock.packages).filter((name) => lock.packages[name]?.resolved !== undefined)).toEqual([]);
});

test("continuous integration runs exactly the test command that the README promises", () => {
  const command = "npm ci && npm test";
  expect(readFileSync(path.join(root, "README.md"), "utf8")).toContain(`\n${command}\n`);
  expect(readFileSync(path.join(root, ".ci/run"), "utf8")).toContain(`bash -c '${command}'`);
});
