// The direction of imports is what makes the core run the same in a subprocess, a simulation and a fuzzer (the table of
// the design). It kills: a codec in the core that reaches for node:buffer, a dialect that imports the shell's HTTP,
// a deep import that works under vitest and fails in plain Node.

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { importsOf, parseSource, root, sources, type Source } from "./source.js";

interface Rule {
  /** Folders of `src` beside its own. */
  readonly folders: readonly string[];
  readonly packages: readonly string[];
  /** `node:` modules. */
  readonly node: boolean;
}

const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  readonly dependencies: Readonly<Record<string, string>>;
};

const rules: Readonly<Record<string, Rule>> = {
  core: { folders: [], packages: ["immer", "fp-ts", "io-ts"], node: false },
  usage: { folders: ["core"], packages: ["fp-ts", "io-ts"], node: false },
  providers: { folders: ["core"], packages: ["fp-ts", "io-ts"], node: false },
  shell: {
    folders: ["core", "usage", "providers", "simulation"],
    packages: Object.keys(manifest.dependencies),
    node: true,
  },
  simulation: { folders: ["core", "providers", "usage"], packages: ["fp-ts", "io-ts"], node: false },
  testing: { folders: ["core", "providers", "simulation"], packages: ["fast-check"], node: false },
};

/** Modules of fp-ts and io-ts that plain Node can import; neither has an exports map that would say so. */
const importable: Readonly<Record<string, RegExp>> = {
  "fp-ts": /^fp-ts\/lib\/\w+\.js$/,
  "io-ts": /^io-ts(?:\/lib\/\w+\.js)?$/,
};

/** The faults of one file's imports, one line each; empty when there are none. */
function faults(source: Source): readonly string[] {
  const rule = rules[source.folder];
  if (rule === undefined) {
    return [`${source.path}: no rule for this place; the folders of src are ${Object.keys(rules).join(", ")}`];
  }
  return importsOf(source).flatMap(({ from, line }) => {
    const at = `${source.path}:${line}`;
    if (from === undefined)
      return [`${at}: import of a computed name; write a literal, so that the bundler can read it`];
    const fault = faultOf(source, rule, from);
    return fault === undefined ? [] : [`${at}: ${fault}`];
  });
}

function faultOf(source: Source, rule: Rule, from: string): string | undefined {
  const allowed = [
    `src/${source.folder} may import itself`,
    ...rule.folders.map((folder) => `src/${folder}`),
    ...rule.packages,
    ...(rule.node ? ["node:*"] : []),
  ].join(", ");
  if (from.startsWith(".")) {
    // Data of the program: the bundle holds it. The library is not bundled, and plain Node warns of such an import.
    const data = rule.node && from.endsWith(".json");
    if (!data && !from.endsWith(".js")) return `"${from}" needs its extension: plain Node resolves ./x.js only`;
    const target = path.posix.normalize(path.posix.join(path.posix.dirname(source.path), from)).split("/");
    const inside = target[0] === "src" && target.length > 2;
    const folder = inside ? (target[1] ?? "") : "";
    return folder === source.folder || rule.folders.includes(folder)
      ? undefined
      : `"${from}" is not allowed; ${allowed}`;
  }
  if (from.startsWith("node:")) return rule.node ? undefined : `"${from}" is not allowed; ${allowed}`;
  const name = from
    .split("/")
    .slice(0, from.startsWith("@") ? 2 : 1)
    .join("/");
  if (!rule.packages.includes(name)) return `"${from}" is not allowed; ${allowed}`;
  const form = importable[name];
  return form === undefined || form.test(from)
    ? undefined
    : `"${from}" fails in plain Node or loads far too much; use ${form}`;
}

test("every import of src follows the table of the design", () => {
  expect(sources().flatMap(faults)).toEqual([]);
});

test.each([
  ["src/core/a.ts", 'import type { Log } from "../shell/log.js";', "../shell/log.js"],
  ["src/core/a.ts", 'type Log = import("../shell/log.js").Log;', "../shell/log.js"],
  ["src/core/a.ts", 'export * from "../providers/index.js";', "../providers/index.js"],
  ["src/core/a.ts", 'import { Buffer } from "node:buffer";', "node:buffer"],
  ["src/core/a.ts", 'import { right } from "fp-ts/Either";', "plain Node"],
  ["src/core/a.ts", 'import { either } from "fp-ts";', "plain Node"],
  ["src/core/a.ts", 'import { step } from "./step";', "extension"],
  ["src/core/a.ts", 'import { version } from "../../package.json.js";', "not allowed"],
  ["src/providers/a.ts", 'const http = await import("undici");', "undici"],
  ["src/shell/a.ts", 'import * as fc from "fast-check";', "fast-check"],
  ["src/shell/a.ts", 'import { arbitrary } from "../testing/index.js";', "../testing/index.js"],
  ["src/shell/a.ts", "const m = await import(name);", "computed"],
  ["src/shell/a.ts", 'import fs from "fs";', '"fs" is not allowed'],
  ["src/a.ts", "", "no rule for this place"],
])("in %s the line %s is a fault", (name, text, expected) => {
  const found = faults(parseSource(name, text));
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(expected);
});
