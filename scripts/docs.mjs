// Fills the generated parts of the documents: what stands between `<!-- generated:NAME -->` and
// `<!-- /generated:NAME -->`. With --check nothing is written, and a part that is not what the code says fails.
//
// A new part is one function in scripts/docs/generators.mjs and one pair of markers in a document.

import { readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as prettier from "prettier";
import { generators } from "./docs/generators.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const marker = /<!-- generated:([\w-]+) -->[^]*?<!-- \/generated:\1 -->/g;

/** The documents that may hold generated parts. */
async function documents() {
  const folder = await readdir(path.join(root, "docs"), { recursive: true }).catch(() => []);
  return ["README.md", "AGENTS.md", ...folder.map((name) => path.join("docs", name))].filter((name) =>
    name.endsWith(".md"),
  );
}

/**
 * @param {string} name
 * @param {string} text
 * @param {Set<string>} used
 */
async function filled(name, text, used) {
  let result = text;
  for (const [whole, part = ""] of text.matchAll(marker)) {
    const generate = generators.get(part);
    if (generate === undefined) throw new Error(`${name}: nothing generates "${part}"`);
    used.add(part);
    const generated = `<!-- generated:${part} -->\n\n${(await generate()).trim()}\n\n<!-- /generated:${part} -->`;
    result = result.replace(whole, () => generated);
  }
  // The same form that `npm run format` gives it, so that the two never disagree.
  return result === text ? text : prettier.format(result, { ...(await prettier.resolveConfig(name)), filepath: name });
}

const check = process.argv.includes("--check");
/** @type {Set<string>} */
const used = new Set();
/** @type {string[]} */
const stale = [];
for (const name of await documents()) {
  const file = path.join(root, name);
  const text = await readFile(file, "utf8");
  const wanted = await filled(name, text, used);
  if (wanted === text) continue;
  stale.push(name);
  if (!check) await writeFile(file, wanted);
}
const unused = [...generators.keys()].filter((part) => !used.has(part));
if (unused.length > 0) throw new Error(`No document has a place for: ${unused.join(", ")}`);
if (stale.length > 0)
  console.error(check ? `stale, run npm run docs: ${stale.join(", ")}` : `rewritten: ${stale.join(", ")}`);
if (check && stale.length > 0) process.exitCode = 1;
