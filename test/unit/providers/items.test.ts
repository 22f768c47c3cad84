/**
 * What an encoder remembers of a conversation saves it work and is seen in nothing else. Kills a memory that is kept over another
 * model or catalogue, over an item that was replaced in the middle, or of a conversation that has become shorter; labels that
 * begin anew at the first new item; and one that encodes more of a growing history than its end.
 */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { HistoryItem } from "../../../src/core/history.js";
import type { Tool } from "../../../src/core/model.js";
import { toolsEncoder } from "../../../src/providers/body.js";
import { itemsEncoder } from "../../../src/providers/items.js";
import type { Label } from "../../../src/providers/labels.js";
import { tool, user } from "./fixtures.js";
import { histories } from "./histories.js";

const alphabet = { id: /^[A-Za-z0-9_-]{1,40}$/, name: /^[A-Za-z0-9_-]{1,64}$/ };
const encodeItem = (item: HistoryItem, labels: readonly Label[], encoding: string): readonly string[] => [
  JSON.stringify([item, labels]),
  encoding,
];
const encoder = () => itemsEncoder(alphabet, (encoding: string) => encoding, encodeItem);

interface Conversation {
  readonly history: readonly HistoryItem[];
  readonly tools: readonly Tool[];
}

type Change = (conversation: Conversation) => Conversation;

const toolOf = (name: string): Tool => ({ ...tool, name });
const names = fc.constantFrom("files__read", "a.b", "a b", "tfx_1_");

const changes: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: histories.map((more): Change => ({ history, tools }) => ({ history: [...history, ...more], tools })),
  },
  fc.nat({ max: 12 }).map((length): Change => ({ history, tools }) => ({ history: history.slice(0, length), tools })),
  fc.nat({ max: 12 }).map((at): Change => ({ history, tools }) => {
    const replaced = history.map((item, index) => (index === at ? user("replaced") : item));
    return { history: replaced, tools };
  }),
  fc
    .array(names, { maxLength: 3 })
    .map((offered): Change => ({ history }) => ({ history, tools: offered.map(toolOf) })),
);

it("a conversation is encoded as by an encoder that has never seen it, however it has changed", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(changes, fc.constantFrom("one", "two")), { maxLength: 12 }), (steps) => {
      const remembers = encoder();
      let conversation: Conversation = { history: [], tools: [] };
      for (const [change, encoding] of steps) {
        conversation = change(conversation);
        expect(remembers(conversation, encoding)).toEqual(encoder()(conversation, encoding));
      }
    }),
    { numRuns: 400, seed: Number(process.env["TURNFOLD_SEED"] ?? 20260901) },
  );
});

it("what an encoder has given does not change when the conversation goes on", () => {
  const encode = encoder();
  const history = [user("a")];
  const before = encode({ history, tools: [] }, "one");
  const kept = [...before];
  encode({ history: [...history, user("b")], tools: [] }, "one");
  expect(before).toEqual(kept);
});

it("each item of a growing history is encoded once", () => {
  let encoded = 0;
  const encode = itemsEncoder(
    alphabet,
    () => "",
    () => {
      encoded += 1;
      return [];
    },
  );
  let history: readonly HistoryItem[] = [];
  for (let length = 1; length <= 50; length += 1) {
    history = [...history, user(`item ${length}`)];
    encode({ history, tools: [tool] }, undefined);
  }
  expect(encoded).toBe(50);
});

// The item at which an encoder had failed was missing from every later request.
it("a conversation is whole again after an encoder has failed in the middle of it", () => {
  let fails = true;
  const encode = itemsEncoder(
    alphabet,
    () => "",
    (item) => {
      if (fails && item.kind === "user" && item.text === "b") throw new Error("ours");
      return [item.kind === "user" ? item.text : item.kind];
    },
  );
  const history = [user("a"), user("b"), user("c")];
  expect(() => encode({ history, tools: [] }, undefined)).toThrow("ours");
  fails = false;
  expect(encode({ history, tools: [] }, undefined)).toEqual(["a", "b", "c"]);
});

it("the definitions of the same tools are made once, in whatever list they come, and made anew for others", () => {
  let made = 0;
  const encode = toolsEncoder(({ name }) => {
    made += 1;
    return `"${name}"`;
  });
  const [a, b] = [toolOf("a"), toolOf("b")];
  expect(encode([a, b])).toBe('["a","b"]');
  expect(encode([a, b])).toBe('["a","b"]');
  expect(made).toBe(2);
  expect(encode([a])).toBe('["a"]');
  expect(encode([])).toBe("");
});
