// Reading our own sources: which files there are, and their syntax trees. The parser is the bundler's own, so that what
// a rule sees is what is built; a search for words would find them in comments, strings and property names too.

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "rolldown/parseAst";

export const root = fileURLToPath(new URL("../../../", import.meta.url));

/** A node of the tree, as far as every node is alike. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export interface Source {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  /** The folder below `src`, for example `core`; empty for a file directly in `src`. */
  readonly folder: string;
  readonly text: string;
  readonly program: Node;
}

/** Every TypeScript file below `src`, parsed. */
export function sources(): readonly Source[] {
  return readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `src/${name.split(path.sep).join("/")}`)
    .toSorted()
    .map((name) => parseSource(name, readFileSync(path.join(root, name), "utf8")));
}

export function parseSource(name: string, text: string): Source {
  const [, folder = "", ...rest] = name.split("/");
  return {
    path: name,
    folder: rest.length === 0 ? "" : folder,
    text,
    program: parseAst(text, { lang: "ts" }) as unknown as Node,
  };
}

/** Every file that is part of the repository or would become one with `git add`, in a checkout or without git. */
export function repositoryFiles(): readonly string[] {
  try {
    return execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    })
      .split("\0")
      .filter((name) => name !== "" && existsAsFile(name));
  } catch {
    const outside = /^(?:\.git|node_modules|dist|coverage|reports)(?:\/|$)|^test\/peers\/[^/]+\/node_modules\//;
    return readdirSync(root, { recursive: true, encoding: "utf8", withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
      .filter((name) => !outside.test(name));
  }
}

function existsAsFile(name: string): boolean {
  try {
    readFileSync(path.join(root, name));
    return true;
  } catch {
    return false;
  }
}

export function lineOf(source: Source, node: Node): number {
  return source.text.slice(0, node.start).split("\n").length;
}

/** Calls `visit` for each node below `node`, itself included, with the node above it and the field it stands in. */
export function walk(
  node: Node,
  visit: (node: Node, parent: Node | undefined, field: string) => void,
  parent?: Node,
  field = "",
): void {
  visit(node, parent, field);
  for (const [name, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isNode(child)) walk(child, visit, node, name);
    }
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

export interface Import {
  readonly line: number;
  /** What is imported from, or undefined where it is computed and cannot be read. */
  readonly from: string | undefined;
  /** Loaded only when the line runs. */
  readonly dynamic: boolean;
}

/** Everything a file takes from another: import and export declarations, import(), import types, import-equals, require. */
export function importsOf(source: Source): readonly Import[] {
  const found: Import[] = [];
  walk(source.program, (node) => {
    const specifier = specifierOf(node);
    if (specifier === undefined) return;
    const literal = specifier.type === "Literal" && typeof specifier["value"] === "string";
    found.push({
      line: lineOf(source, node),
      from: literal ? (specifier["value"] as string) : undefined,
      dynamic: node.type === "ImportExpression" || node.type === "CallExpression",
    });
  });
  return found;
}

function specifierOf(node: Node): Node | undefined {
  switch (node.type) {
    case "ImportDeclaration":
    case "ImportExpression":
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration":
    case "TSImportType":
      return isNode(node["source"]) ? node["source"] : undefined;
    case "TSExternalModuleReference":
      return isNode(node["expression"]) ? node["expression"] : undefined;
    case "CallExpression": {
      const callee = node["callee"];
      const [argument] = node["arguments"] as readonly unknown[];
      return isNode(callee) && callee["name"] === "require" && isNode(argument) ? argument : undefined;
    }
    default:
      return undefined;
  }
}
