import { appendFileSync, mkdirSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isLeft } from "fp-ts/lib/Either.js";
import { describe, expect, test } from "vitest";
import { createRecaller } from "../../../src/shell/memory/recaller.js";
import type { StoreLimits } from "../../../src/shell/memory/stores/store.js";
import { temporaryFolder } from "../../support/sessions.js";

const NOW = Date.parse("2026-09-21T00:00:00Z");

const limits: StoreLimits = {
  textBytesMax: 1_000_000,
  noteBytesMax: 10_000,
  queryWordsMax: 64,
  freshMs: 0,
  busyMs: 100,
};

const open = (store: string, changed: Partial<StoreLimits> = {}) => {
  const logged: string[] = [];
  const recall = createRecaller({
    store,
    table: "",
    limits: { ...limits, ...changed },
    log: (_level, message, fields) => logged.push(`${message} ${JSON.stringify(fields)}`),
    now: () => NOW,
  });
  const contents = (query: string, k = 5): readonly string[] | string => {
    const recalled = recall(query, k);
    return isLeft(recalled) ? recalled.left : recalled.right.map(({ content }) => content);
  };
  return { recall, contents, logged };
};

const graphLine = {
  shed: '{"type":"entity","name":"Shed","entityType":"building","observations":["Blue was chosen","It leaks"]}',
  ann: '{"type":"entity","name":"Ann","entityType":"person","observations":["likes red"]}',
  owns: '{"type":"relation","from":"Ann","to":"Shed","relationType":"owns"}',
};
const graph = (...lines: readonly string[]): string => {
  const file = path.join(temporaryFolder(), "memory.json");
  writeFileSync(file, lines.join("\n"));
  return file;
};

describe("a folder of notes", () => {
  const folder = (): string => {
    const root = temporaryFolder({
      "shed.md": "Blue was chosen for the shed.",
      "garage.markdown": "The paint is in the garage.",
      "picture.txt": "The shed in a text file.",
      ".hidden.md": "A hidden shed.",
    });
    mkdirSync(path.join(root, "deeper", "still"), { recursive: true });
    writeFileSync(path.join(root, "deeper", "still", "roof.md"), "The roof of the shed and the roof of the house.");
    mkdirSync(path.join(root, ".git"));
    writeFileSync(path.join(root, ".git", "x.md"), "shed");
    symlinkSync(root, path.join(root, "deeper", "round"));
    return root;
  };

  test("recalls what its Markdown files say, the strongest first and no more than asked for", () => {
    const { contents } = open(folder());
    expect(contents("roof of the shed")).toEqual([
      "roof\nThe roof of the shed and the roof of the house.",
      "shed\nBlue was chosen for the shed.",
      "garage\nThe paint is in the garage.",
    ]);
    expect(contents("roof of the shed", 1)).toHaveLength(1);
    expect(contents("zebra")).toEqual([]);
    expect(contents("?!")).toEqual([]);
  });

  test("finds words whatever their case and accents", () => {
    const { contents } = open(temporaryFolder({ "a.md": "Das Café ÄRGERT niemanden." }));
    expect(contents("cafe argert")).toHaveLength(1);
    expect(contents("CAFÉ")).toHaveLength(1);
  });

  test("tells similarities from 0 to 1 that fall, and ages by the files", () => {
    const root = folder();
    utimesSync(path.join(root, "shed.md"), NOW / 1000 - 7200, NOW / 1000 - 7200);
    const recalled = open(root).recall("blue shed garage", 5);
    if (isLeft(recalled)) throw new Error(recalled.left);
    const similarities = recalled.right.map(({ similarity }) => similarity);
    expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
    expect(similarities.every((each) => each > 0 && each <= 1)).toBe(true);
    expect(recalled.right.find(({ content }) => content.startsWith("shed"))?.ageHours).toBe(2);
  });

  test("is looked at again: new, changed and removed notes are seen", () => {
    const root = folder();
    const { contents } = open(root);
    expect(contents("zebra")).toEqual([]);
    writeFileSync(path.join(root, "zebra.md"), "stripes");
    expect(contents("zebra")).toEqual(["zebra\nstripes"]);
    writeFileSync(path.join(root, "zebra.md"), "no more of it, but spots");
    expect(contents("stripes")).toEqual([]);
    expect(contents("spots")).toHaveLength(1);
    rmSync(path.join(root, "zebra.md"));
    expect(contents("spots")).toEqual([]);
  });

  test("still finds the notes that share words with one that was removed", () => {
    // A removed text that MiniSearch's `discard` leaves counted makes a common word rarer than never: below zero, and not found.
    const root = temporaryFolder({ "a.md": "blue", "b.md": "blue" });
    const { recall, contents } = open(root);
    expect(contents("blue")).toHaveLength(2);
    rmSync(path.join(root, "a.md"));
    const recalled = recall("blue", 5);
    if (isLeft(recalled)) throw new Error(recalled.left);
    expect(recalled.right).toHaveLength(1);
    expect(recalled.right[0]?.similarity).toBeGreaterThan(0);
  });

  test("takes no more text than the limit allows, the newest first, and says what it left out", () => {
    const root = temporaryFolder({ "old.md": `old ${"x ".repeat(400)}`, "new.md": `new ${"x ".repeat(400)}` });
    utimesSync(path.join(root, "old.md"), 1000, 1000);
    const { contents, logged } = open(root, { textBytesMax: 1000 });
    expect(contents("x")).toHaveLength(1);
    expect(contents("new")).toHaveLength(1);
    expect(contents("old")).toEqual([]);
    expect(logged.join("\n")).toMatch(/open.*"texts":1,"leftOut":1/);
  });
});

describe("a knowledge graph", () => {
  test("recalls entities with what is observed of them and how they stand to others", () => {
    const { contents } = open(graph(graphLine.shed, graphLine.ann, graphLine.owns));
    expect(contents("blue")).toEqual(["Shed (building)\nBlue was chosen\nIt leaks\nAnn owns Shed"]);
    expect(contents("red")).toEqual(["Ann (person)\nlikes red\nAnn owns Shed"]);
  });

  test("recalls a relation between things that it has no entities of", () => {
    expect(
      open(graph(graphLine.shed, '{"type":"relation","from":"Bob","to":"Eve","relationType":"knows"}')).contents("eve"),
    ).toEqual(["Bob knows Eve"]);
  });

  test("that is written anew is read anew", () => {
    const file = graph(graphLine.shed);
    const { contents } = open(file);
    expect(contents("red")).toEqual([]);
    appendFileSync(file, `\n${graphLine.ann}`);
    expect(contents("red")).toHaveLength(1);
  });

  test("that is half written is words, and the whole one is read the next time", () => {
    const file = graph(graphLine.shed, graphLine.ann);
    const { contents } = open(file);
    expect(contents("red")).toHaveLength(1);
    truncateSync(file, graphLine.shed.length + 20);
    expect(contents("blue")).toBe("the store is half written; ask again in a moment");
    writeFileSync(file, `${graphLine.shed}\n${graphLine.ann}`);
    expect(contents("red")).toHaveLength(1);
  });

  test("with a line that is none of a graph is damaged, and the line is named", () => {
    expect(open(graph(graphLine.shed, "oops", graphLine.ann)).contents("blue")).toMatch(/damaged: line 2/);
  });

  test("that is too large is not read", () => {
    expect(open(graph(graphLine.shed), { textBytesMax: 50 }).contents("blue")).toMatch(/larger than 50 bytes/);
  });
});

describe("a store that cannot be used is an answer in words, without its path, and tried again", () => {
  const root = temporaryFolder({
    "empty.db": "",
    "text.txt": "just some text",
    "other.json": '{"type":"something"}',
    "array.json": "[1]",
  });

  test.each([
    ["missing.db", /does not exist/],
    ["text.txt/below", /does not exist/],
    ["empty.db", /empty file/],
    ["text.txt", /unknown kind/],
    ["other.json", /unknown kind/],
    ["array.json", /unknown kind/],
  ])("%s", (name, expected) => {
    const { contents } = open(path.join(root, name));
    expect(contents("x")).toMatch(expected);
    expect(contents("x")).not.toContain(root);
  });

  test("/dev/null, which is no file", () => {
    expect(open("/dev/null").contents("x")).toMatch(/neither a folder nor a file/);
  });

  test("once it is there it is used", () => {
    const store = path.join(temporaryFolder(), "later");
    const { contents } = open(store);
    expect(contents("shed")).toMatch(/does not exist/);
    mkdirSync(store);
    writeFileSync(path.join(store, "a.md"), "shed");
    expect(contents("shed")).toHaveLength(1);
    rmSync(store, { recursive: true });
    expect(contents("shed")).toMatch(/does not exist/);
  });
});
