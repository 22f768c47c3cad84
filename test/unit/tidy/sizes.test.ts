// Somebody must be able to read the whole code in an evening. A file that grows past its limit holds a second concept.

import { expect, test } from "vitest";
import { lineOf, sources, walk, type Node, type Source } from "./source.js";

const coreMeanBytesMax = 5 * 1024;
const fileBytesMax = 12 * 1024;

/** Files that may be larger, each with its own limit and why. Empty is best. */
const exceptions: Readonly<Record<string, { readonly bytesMax: number; readonly because: string }>> = {};

const bytes = (source: Source) => new TextEncoder().encode(source.text).length;

test("the files of the core are small on average", () => {
  const core = sources().filter((source) => source.folder === "core");
  const mean = core.reduce((sum, source) => sum + bytes(source), 0) / Math.max(1, core.length);
  expect(mean, "mean bytes of a file in src/core: cut a concept out of the largest").toBeLessThan(coreMeanBytesMax);
});

test("no file is larger than its limit", () => {
  const tooLarge = sources()
    .map((source) => ({
      path: source.path,
      bytes: bytes(source),
      max: exceptions[source.path]?.bytesMax ?? fileBytesMax,
    }))
    .filter((file) => file.bytes > file.max)
    .map((file) => `${file.path}: ${file.bytes} bytes, at most ${file.max}: one concept a file`);
  expect(tooLarge).toEqual([]);
});

test("every exception is still needed", () => {
  const sizes = new Map(sources().map((source) => [source.path, bytes(source)]));
  expect(Object.keys(exceptions).filter((name) => (sizes.get(name) ?? 0) <= fileBytesMax)).toEqual([]);
});

test("the sizes of files and functions are reported", () => {
  const all = sources();
  const functions = all.flatMap(functionsOf).toSorted((a, b) => b.lines - a.lines);
  const folders = [...new Set(all.map((source) => source.folder))].map((folder) => {
    const sizes = all.filter((source) => source.folder === folder).map(bytes);
    const lines = functions.filter((f) => f.folder === folder).map((f) => f.lines);
    const sum = sizes.reduce((a, b) => a + b, 0);
    const median = lines[Math.floor(lines.length / 2)] ?? 0;
    return (
      `  src/${folder}: ${sizes.length} files, ${sum} bytes, mean ${Math.round(sum / sizes.length)}, ` +
      `largest ${Math.max(...sizes)}; ${lines.length} functions, median ${median} lines, longest ${lines[0] ?? 0}`
    );
  });
  const longest = functions.slice(0, 8).map((f) => `  ${f.lines} lines: ${f.name} (${f.path}:${f.line})`);
  process.stdout.write(`${["sizes by folder", ...folders, "longest functions", ...longest].join("\n")}\n`);
  expect(folders.length).toBeGreaterThan(0);
});

interface MeasuredFunction {
  readonly name: string;
  readonly path: string;
  readonly folder: string;
  readonly line: number;
  readonly lines: number;
}

/** Every function that is longer than one line. */
function functionsOf(source: Source): readonly MeasuredFunction[] {
  const found: MeasuredFunction[] = [];
  walk(source.program, (node, parent) => {
    if (!/^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return;
    const lines = source.text.slice(node.start, node.end).split("\n").length;
    if (lines === 1) return;
    found.push({
      name: nameOf(node) ?? nameOf(parent) ?? "(anonymous)",
      path: source.path,
      folder: source.folder,
      line: lineOf(source, node),
      lines,
    });
  });
  return found;
}

function nameOf(node: Node | undefined): string | undefined {
  const named = (node?.["id"] ?? node?.["key"]) as { readonly name?: unknown } | null | undefined;
  return typeof named?.name === "string" ? named.name : undefined;
}
