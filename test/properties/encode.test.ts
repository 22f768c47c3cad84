import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HistoryItem } from "../../src/core/history.js";
import type { Dialect } from "../../src/providers/dialect.js";
import { anthropicFaults, chatFaults, responsesFaults, type Fault } from "../../src/testing/requestRules/index.js";
import { bodyText, dialect, request, responses } from "../unit/providers/fixtures.js";
import { histories } from "../unit/providers/histories.js";

const runs = { numRuns: 1500, seed: Number(process.env["TURNFOLD_SEED"] ?? 20260901) };

interface Spoken {
  readonly name: string;
  readonly dialect: Dialect;
  readonly model: string;
  readonly faults: (body: string) => readonly Fault[];
}

const everyDialect: readonly Spoken[] = [
  {
    name: "Anthropic",
    model: "claude-opus-4-5",
    dialect: dialect("anthropic", "claude-opus-4-5", { promptCaching: true }),
    faults: anthropicFaults,
  },
  {
    name: "Databricks Claude",
    model: "claude-opus-4-5",
    dialect: dialect("databricks_v2", "claude-opus-4-5"),
    faults: anthropicFaults,
  },
  { name: "OpenAI Chat", model: "gpt-5", dialect: dialect("openai", "gpt-5"), faults: chatFaults },
  {
    name: "OpenRouter",
    model: "anthropic/x",
    dialect: dialect("openrouter", "anthropic/x", { promptCaching: true }),
    faults: chatFaults,
  },
  { name: "DeepSeek", model: "other", dialect: dialect("deepseek", "other"), faults: chatFaults },
  {
    name: "Databricks serving",
    model: "m",
    dialect: dialect("databricks", "m"),
    faults: (body) => chatFaults(body, true),
  },
  {
    name: "Responses",
    model: "gpt-5",
    dialect: responses({ baseUrl: "https://api.openai.com/v1" }),
    faults: responsesFaults,
  },
];

const efforts = fc.constantFrom(undefined, "none", "low", "high", "max", "absurd");
const partsOf = (model: string, effort: string | undefined) => (effort === undefined ? { model } : { model, effort });

/** The elements of the growing list, without their cache marks: a text that is a block because of its mark is the text. */
const elements = (pieces: readonly string[]): readonly string[] =>
  pieces
    .slice(1, -1)
    .filter((piece) => piece !== ",")
    .map((piece) =>
      piece
        .replaceAll(',"cache_control":{"type":"ephemeral"}', "")
        .replace(
          /^(\{"role":"(?:user|system)","content":)\[\{"type":"text","text":("(?:[^"\\]|\\.)*")\}\]\}$/,
          "$1$2}",
        ),
    );

describe.each(everyDialect)("$name", ({ dialect: spoken, faults, model }) => {
  it("any valid history is encoded as the provider's published rules demand", () => {
    fc.assert(
      fc.property(histories, efforts, (history, effort) => {
        expect(faults(bodyText(spoken.encode(request(history, partsOf(model, effort)))))).toEqual([]);
      }),
      runs,
    );
  });

  it("what was sent before is a prefix of what is sent after an append, up to moved cache marks", () => {
    fc.assert(
      fc.property(histories, histories, (history, more) => {
        const before = elements(spoken.encode(request(history, { model })).body);
        const after = elements(spoken.encode(request([...history, ...more], { model })).body);
        expect(after.slice(0, before.length)).toEqual(before);
      }),
      runs,
    );
  });

  it("encoding is a function of the request: remembered and fresh items give the same bytes", () => {
    fc.assert(
      fc.property(histories, efforts, (history, effort) => {
        const parts = partsOf(model, effort);
        const once = bodyText(spoken.encode(request(history, parts)));
        expect(bodyText(spoken.encode(request(history, parts)))).toBe(once);
        expect(bodyText(spoken.encode(request(structuredClone(history) as HistoryItem[], parts)))).toBe(once);
      }),
      { ...runs, numRuns: 300 },
    );
  });
});
