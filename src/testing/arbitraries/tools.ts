/** Catalogues out of one small universe of tools, so that calls hit, miss and outlive what is registered. */
import * as fc from "fast-check";
import type { Hook, ResultPart, Tool, ToolOutcome } from "../../core/index.js";
import { text, word } from "./text.js";

const tool = (name: string, readOnly: boolean, builtIn: boolean): Tool => ({
  name,
  description: `What ${name} does.`,
  schema: '{"type":"object"}',
  readOnly,
  builtIn,
});

export const universe: readonly Tool[] = [
  tool("fs__read", true, false),
  tool("fs__write", false, false),
  tool("dev__shell", false, false),
  tool("load_skill", true, true),
];

export const hookUniverse: readonly Hook[] = [
  { server: "fs", point: "_Stop" },
  { server: "dev", point: "_Stop" },
  { server: "fs", point: "_PostCompact" },
];

/** Names that models call: registered or not, a hook's, none at all. */
export const calledName: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...universe.map(({ name }) => name)) },
  { weight: 2, arbitrary: fc.constantFrom("ghost__tool", "fs___Stop", "", "toString", "__proto__") },
);

/** Argument texts: objects with what matters inside, and all the ways of being none. */
export const argumentsText: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      "{}",
      '{"path":"a"}',
      '{"command":"ls"}',
      '{"command":"messages send hi"}',
      '{"n":12345678901234567890}',
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom("", "null", " ") },
  {
    weight: 3,
    arbitrary: fc.constantFrom('{"a":1', "[1]", "3", '"x"', '{"a":1}}', '{"a":1}<|end|>', "{'a':1}", "true"),
  },
  { weight: 1, arbitrary: text },
);

const part: fc.Arbitrary<ResultPart> = fc.oneof(
  { weight: 5, arbitrary: text.map((said) => ({ kind: "text" as const, text: said })) },
  { weight: 1, arbitrary: fc.constant({ kind: "image" as const, mimeType: "image/png", dataBase64: "iVBORw0KGgo=" }) },
);

export const toolOutcome: fc.Arbitrary<ToolOutcome> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("result" as const),
      parts: fc.array(part, { maxLength: 3 }),
      isError: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom("rejected" as const, "failed" as const, "timedOut" as const),
      message: word,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "cancelled" as const }) },
);

/** A part of the universe; one description may differ, which makes it another definition of the same tool. */
export const catalog = fc.record({
  tools: fc
    .tuple(fc.subarray([...universe]), fc.boolean())
    .map(([tools, renewed]) =>
      renewed ? tools.map((one, at) => (at === 0 ? { ...one, description: "Renewed." } : one)) : tools,
    ),
  hooks: fc.subarray([...hookUniverse]),
  complete: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
});

export const wholeCatalog = { tools: universe, hooks: hookUniverse, complete: true };
