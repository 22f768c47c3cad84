/** Any history that the core could hold, and some more: ids and names as providers send them at their worst. */
import * as fc from "fast-check";
import { none, some } from "fp-ts/lib/Option.js";
import type { AssistantItem, HistoryItem, ResultPart, ToolExchange } from "../../../src/core/history.js";
import type { ReplayData } from "../../../src/core/model.js";

export const texts: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(" ", "\n", "", "text", '{"a":"}]}"}', "é\u2028", "\ud800"),
);

const ids = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom("", "call_1", "call_2", "tfx_1", "tfx_2", "call|1", "x".repeat(450), "2968-Ab"),
  },
  texts,
);
const names = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("files__read", "", "a.b", "a b", "tfx_1_", "n".repeat(200)) },
  texts,
);

const argumentTexts = fc.oneof(
  fc.json().map((json) => `{"a":${json}}`),
  fc.constantFrom("{}", '{\n"a": 1.0,"a":-0}', '{"n":18446744073709551615}'),
);

const parts: fc.Arbitrary<ResultPart> = fc.oneof(
  texts.map((text): ResultPart => ({ kind: "text", text })),
  fc
    .constantFrom("image/png", "image/webp")
    .map((mimeType): ResultPart => ({ kind: "image", mimeType, dataBase64: "QUJD" })),
);

const exchanges: fc.Arbitrary<ToolExchange> = fc.record({
  call: fc.record({
    key: texts,
    providerId: ids,
    name: names,
    argumentsText: argumentTexts,
    extra: fc.constantFrom("", "{}", '{"thoughtSignature":"s"}', '{"__proto__":1,"id":"no","1":[1.0]}'),
  }),
  outcome: fc.oneof(
    fc.constant({ kind: "open" } as const),
    fc.record({
      kind: fc.constant("closed" as const),
      result: fc.record({ parts: fc.array(parts, { maxLength: 3 }), isError: fc.boolean() }),
    }),
  ),
});

/** Opaque blocks of each dialect, as their decoders store them. */
const THINKING = '{"type":"thinking","thinking":"t","signature":"c2ln"}';
const REDACTED = '{"type":"redacted_thinking","data":"ZGF0YQ=="}';
const REASONING = '{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"ZW5j"}';
const blockLists: Readonly<Record<string, readonly string[]>> = {
  "anthropic-messages": [
    `[${THINKING},"text","call"]`,
    `[${THINKING},${REDACTED},"call","call"]`,
    `["text",${THINKING}]`,
  ],
  "openai-responses": [`[${REASONING},"call"]`, `[${REASONING},"text",${REASONING},"call"]`, `[${REASONING}]`],
  "openrouter-chat": ['[{"type":"reasoning.encrypted","data":"x"}]'],
  "deepseek-chat": ['"because"'],
};

const replays: fc.Arbitrary<ReplayData> = fc.constantFrom(...Object.keys(blockLists)).chain((dialect) =>
  fc.record({
    dialect: fc.constant(dialect),
    model: fc.constantFrom("claude-opus-4-5", "gpt-5", "other"),
    json: fc.constantFrom(...(blockLists[dialect] ?? ["[]"])),
  }),
);

const assistants: fc.Arbitrary<AssistantItem> = fc
  .record({
    kind: fc.constant("assistant" as const),
    turn: fc.constant(1),
    text: texts,
    exchanges: fc.array(exchanges, { maxLength: 3 }),
    replay: fc.option(replays, { nil: undefined }).map((replay) => (replay === undefined ? none : some(replay))),
  })
  .map((item) => (item.text.trim() === "" && item.exchanges.length === 0 ? { ...item, text: "said" } : item));

const items: fc.Arbitrary<HistoryItem> = fc.oneof(
  assistants,
  texts.map((text): HistoryItem => ({ kind: "user", turn: 1, origin: "steer", text })),
  fc
    .record({ server: names, text: texts })
    .map(({ server, text }): HistoryItem => ({ kind: "hookNote", turn: 1, hook: "_Stop", server, text })),
);

/** Begins with a prompt, as every turn does; nothing else is sure. */
export const histories: fc.Arbitrary<readonly HistoryItem[]> = fc
  .tuple(texts, fc.array(items, { maxLength: 8 }))
  .map(([text, rest]) => [{ kind: "user", turn: 1, origin: "prompt", text }, ...rest]);
