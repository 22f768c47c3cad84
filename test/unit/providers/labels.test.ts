import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Alphabet, createLabeller } from "../../../src/providers/labels.js";
import type { HistoryItem } from "../../../src/core/history.js";
import type { Tool } from "../../../src/core/model.js";
import { assistant, exchange, note, tool, user } from "./fixtures.js";
import { histories } from "./histories.js";

const alphabet = { id: /^[A-Za-z0-9_-]{1,40}$/, name: /^[A-Za-z0-9_-]{1,64}$/ };
const labelsOf = (history: readonly HistoryItem[], tools: readonly Tool[], known: Alphabet) =>
  history.map(createLabeller(tools, known));
const idsOf = (...ids: readonly string[]): readonly string[] =>
  labelsOf(
    [
      user("a"),
      assistant(
        "",
        ids.map((id) => exchange({ id })),
      ),
    ],
    [tool],
    alphabet,
  ).flatMap((labels) => labels.map(({ id }) => id));
const namesOf = (...names: readonly string[]): readonly string[] =>
  labelsOf(
    [
      user("a"),
      assistant(
        "",
        names.map((name) => exchange({ name })),
      ),
    ],
    [tool],
    alphabet,
  ).flatMap((labels) => labels.map(({ name }) => name));

describe("labels on the wire", () => {
  it("are the provider's own where they are legal and new", () => {
    expect(idsOf("call_1", "toolu_01-x")).toEqual(["call_1", "toolu_01-x"]);
    expect(namesOf("files__read", "gone__tool", "files__read")).toEqual(["files__read", "gone__tool", "files__read"]);
  });

  // F15: two calls of one reply had the same id, and one result overwrote the other. F20: an id of another provider broke the
  // pattern of the next one, or lost to its neighbour when it was cut.
  it("are ours where they repeat, are empty, too long, of another alphabet, or look like ours", () => {
    expect(idsOf("edit:22", "edit:22", "a", "a", "", "x".repeat(41), "tfx_3")).toEqual([
      "tfx_1",
      "tfx_2",
      "a",
      "tfx_4",
      "tfx_5",
      "tfx_6",
      "tfx_7",
    ]);
    expect(namesOf("a.b", "a b", "a.b", "", "tfx_1_a_b")).toEqual([
      "tfx_1_a_b",
      "tfx_2_a_b",
      "tfx_1_a_b",
      "tfx_3_",
      "tfx_4_tfx_1_a_b",
    ]);
  });

  it("name a hook by its server", () => {
    expect(labelsOf([note("x", "my server")], [], alphabet)).toEqual([
      [{ id: "tfx_1", name: "tfx_1_my_server___Stop" }],
    ]);
  });

  it("are legal, unique for calls, injective for names, and stay when history grows", () => {
    fc.assert(
      fc.property(histories, histories, (history, more) => {
        const before = labelsOf(history, [], alphabet);
        const all = labelsOf([...history, ...more], [], alphabet);
        expect(all.slice(0, before.length)).toEqual(before);
        const flat = all.flat();
        expect(flat.every(({ id, name }) => alphabet.id.test(id) && alphabet.name.test(name))).toBe(true);
        expect(new Set(flat.map(({ id }) => id)).size).toBe(flat.length);
        const names = [...history, ...more].flatMap((item) =>
          item.kind === "assistant"
            ? item.exchanges.map(({ call }) => call.name)
            : item.kind === "hookNote"
              ? [`${item.server}__${item.hook}`]
              : [],
        );
        const pairs = new Set(names.map((name, index) => JSON.stringify([name, flat[index]?.name])));
        expect(pairs.size).toBe(new Set(names).size);
        expect(new Set(flat.map(({ name }) => name)).size).toBe(new Set(names).size);
      }),
      { numRuns: 300, seed: Number(process.env["TURNFOLD_SEED"] ?? 20260901) },
    );
  });
});
