// What the pure folders may not even mention. A clock, a random number or the environment in a reducer makes a replay
// differ from the run; a class, a cast or an escape from exhaustiveness takes from the compiler what it could prove.

import { expect, test } from "vitest";
import { isNode, lineOf, parseSource, sources, walk, type Node, type Source } from "./source.js";

/** Folders without IO, clock, randomness and environment. */
const withoutWorld = ["core", "providers", "usage", "simulation", "testing"];
/** Folders that are also plain functions over plain data, checked to the end. */
const plain = ["core", "providers", "usage"];

const event = "let it come in with an event";
const effect = "return an effect; the shell does it";

/** Names of the world, each with what to use instead. */
const world: Readonly<Record<string, string>> = {
  Date: `${event} (\`at\`)`,
  performance: `${event} (\`at\`)`,
  process: `${event} or with the policy`,
  globalThis: "name what you need from it, if it is allowed",
  global: "name what you need from it, if it is allowed",
  setTimeout: "return startTimer",
  setInterval: "return startTimer",
  setImmediate: effect,
  queueMicrotask: effect,
  fetch: effect,
  crypto: `${event}; ids are minted from the session's counter`,
  Buffer: "Uint8Array with TextEncoder, by way of text.ts",
  console: "return a log effect",
  require: "import",
  eval: "nothing: data is not code",
  WeakRef: "nothing: what is collected when is not ours to know",
  FinalizationRegistry: "nothing: what is collected when is not ours to know",
  Intl: "nothing: the result depends on the machine",
};

/** Members that read the world through a name that is itself harmless. */
const members: Readonly<Record<string, string>> = {
  "Math.random": `${event} (a seed)`,
  toLocaleString: "toString: the result depends on the machine",
  toLocaleLowerCase: "toLowerCase: the result depends on the machine",
  toLocaleUpperCase: "toUpperCase: the result depends on the machine",
  localeCompare: "compare with <: the result depends on the machine",
};

/** Syntax, by the node's type. */
const syntax: Readonly<Record<string, (node: Node) => string | undefined>> = {
  ClassDeclaration: () => "class: use a plain type and functions over it",
  ClassExpression: () => "class: use a plain type and functions over it",
  TSAnyKeyword: () => "any: use unknown and decode it, or say the type",
  TSNonNullExpression: () => "non-null assertion: match on the Option, or handle undefined",
  SwitchCase: (node) =>
    node["test"] === null
      ? "default in a switch: list every case and end with assertNever; for open sets of strings use a table"
      : undefined,
  MetaProperty: () => "import.meta: files are the shell's",
};

const comment = /@ts-(?:ignore|nocheck|expect-error)|(?:oxlint|eslint)-disable/;

function faults(source: Source): readonly string[] {
  if (!withoutWorld.includes(source.folder)) return [];
  const found: string[] = [];
  const report = (node: Node, what: string) => found.push(`${source.path}:${lineOf(source, node)}: ${what}`);
  walk(source.program, (node, parent, field) => {
    const name = node.type === "Identifier" && refersToVariable(parent, field) ? String(node["name"]) : "";
    if (Object.hasOwn(world, name)) report(node, `${name}: ${world[name]}`);
    const member = memberOf(node);
    for (const banned of [member, member.split(".").at(-1) ?? ""]) {
      if (Object.hasOwn(members, banned)) report(node, `${banned}: ${members[banned]}`);
    }
    if (!plain.includes(source.folder)) return;
    const fault = Object.hasOwn(syntax, node.type) ? syntax[node.type]?.(node) : undefined;
    if (fault !== undefined) report(node, fault);
  });
  const lines = plain.includes(source.folder) ? source.text.split("\n") : [];
  lines.forEach((line, index) => {
    if (comment.test(line))
      found.push(`${source.path}:${index + 1}: a switched-off check: mend what it complains about`);
  });
  return found;
}

/** Whether an identifier in this place of its parent names a variable or a type, and not a property. */
function refersToVariable(parent: Node | undefined, field: string): boolean {
  if (parent === undefined || parent["computed"] === true) return true;
  if (field === "property" || field === "right")
    return parent.type !== "MemberExpression" && parent.type !== "TSQualifiedName";
  if (field !== "key") return field !== "label" && field !== "imported" && field !== "exported";
  // `{ process }` reads the variable of that name; `{ process: 1 }` and `process: string` in a type do not.
  return parent["shorthand"] === true && parent["value"] === undefined;
}

/** `Math.random` for a member expression that says so, however it is written; otherwise empty. */
function memberOf(node: Node): string {
  if (node.type !== "MemberExpression") return "";
  const { object, property } = node;
  if (!isNode(object) || !isNode(property)) return "";
  const owner = object["name"];
  const name = node["computed"] === true ? property["value"] : property["name"];
  return typeof name === "string" ? `${typeof owner === "string" ? owner : ""}.${name}` : "";
}

test("the pure folders name nothing of the world and escape no check", () => {
  expect(sources().flatMap(faults)).toEqual([]);
});

test.each([
  ["core", "const now = Date.now();", "Date"],
  ["core", "type Instant = Date;", "Date"],
  ["core", "const a = { process };", "process"],
  ["core", "const roll = Math.random();", "Math.random"],
  ["core", 'const roll = Math["random"]();', "Math.random"],
  ["core", "setTimeout(f, 1);", "startTimer"],
  ["core", "const a = b.localeCompare(c);", "localeCompare"],
  ["core", "class A {}", "class"],
  ["core", "let a: any;", "any"],
  ["core", "const a = b as any;", "any"],
  ["core", "const a = b!;", "non-null"],
  ["providers", "switch (a) { case 1: break; default: f(); }", "assertNever"],
  ["usage", "// oxlint-disable-next-line\nconst a = 1;", "switched-off"],
  ["simulation", "const a = process.env;", "process"],
  ["testing", "console.log(1);", "log effect"],
])("in src/%s the line %s is a fault", (folder, text, expected) => {
  const found = faults(parseSource(`src/${folder}/a.ts`, text));
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(expected);
});

test.each([
  ["core", "// Date, any! and process are only words here.\nconst a = 'new Date() as any';"],
  ["core", "type A = { process: string; Date: number }; const b = a.process + a.console;"],
  ["core", "const a = { default: 1, fetch: 2 };"],
  ["shell", "const a = new Date() as any; class B {}"],
  ["simulation", "class World {}"],
])("in src/%s the text %s is none", (folder, text) => {
  expect(faults(parseSource(`src/${folder}/a.ts`, text))).toEqual([]);
});
