// The published price list: its schema, its exactness, and what is no price list.
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { isLeft, isRight } from "fp-ts/lib/Either.js";
import { isSome, none } from "fp-ts/lib/Option.js";
import { expect, test } from "vitest";
import { publishedPrices } from "../../../src/shell/ledger/prices.js";
import { estimateCost, priceList } from "../../../src/usage/price.js";
import { readPriceFile } from "../../../src/usage/priceFile.js";

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../src/usage/${name}`, import.meta.url), "utf8"));
const file = read("prices.json") as { readonly records: readonly Record<string, unknown>[] };
const accepts = new Ajv({ strict: false }).compile(read("prices.schema.json") as object);

test("the list fits its schema, and names no model twice", () => {
  expect(accepts(file) ? [] : accepts.errors).toEqual([]);
  const keys = file.records.map(({ authority, model }) => `${String(authority)} ${String(model)}`);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.length).toBeGreaterThan(20);
});

test("the published list, which is not judged at run time, is what the codec of price files makes of it", () => {
  const records = readPriceFile(file);
  expect(isRight(records) && priceList(records.right)).toEqual(publishedPrices());
});

// Relations that every published price list of the two has had; a slip of a digit in one record breaks one of them.
test("a cached token costs less than a fresh one, a written one no less, an output one more", () => {
  const slips = file.records.filter((record) => {
    const rates = record["usdPerMillionTokens"] as Record<string, number | null>;
    const [input, output] = [rates["input"] ?? 0, rates["output"] ?? 0];
    return !(
      input > 0 &&
      output > input &&
      (rates["cacheRead"] ?? 0) < input &&
      (rates["cacheWrite"] ?? input) >= input
    );
  });
  expect(slips).toEqual([]);
});

const cost = (authority: string, model: string) =>
  estimateCost(
    publishedPrices(),
    { authority, model, cacheClass: none },
    { fresh: 1_000_000n, cacheRead: 0n, cacheWrite: 0n, output: 0n },
  );

test.each([
  ["api.anthropic.com", "claude-haiku-4-5", true],
  ["api.anthropic.com", "Claude-Haiku-4-5", false],
  ["api.anthropic.com", "claude-haiku-4-5-20251001", true],
  ["api.anthropic.com", "claude-haiku-4-5-20251002", false],
  ["api.openai.com", "claude-haiku-4-5", false],
  ["api.openai.com", "gpt-4.1", true],
  ["openrouter.ai", "gpt-4.1", false],
])("%s %s has a price: %s", (authority, model, found) => {
  expect(isSome(cost(authority, model))).toBe(found);
});

const rates = { input: 1, output: 2, cacheRead: null, cacheWrite: null };
const record = { authority: "a", model: "m", usdPerMillionTokens: rates, source: "s", retrieved: "2026-01-01" };
test.each<[string, unknown, boolean]>([
  ["whole", { records: [record] }, true],
  ["empty", { records: [] }, true],
  ["no list", {}, false],
  ["null", null, false],
  ["a negative rate", { records: [{ ...record, usdPerMillionTokens: { ...rates, input: -1 } }] }, false],
  ["a rate as text", { records: [{ ...record, usdPerMillionTokens: { ...rates, input: "1" } }] }, false],
  [
    "a rate left out",
    { records: [{ ...record, usdPerMillionTokens: { input: 1, output: 2, cacheRead: null } }] },
    false,
  ],
  ["no model", { records: [{ ...record, model: undefined }] }, false],
])("a price list is read or refused in one line: %s", (_name, json, accepted) => {
  const result = readPriceFile(json);
  expect(isRight(result)).toBe(accepted);
  expect(isLeft(result) ? result.left.split("\n") : [""]).toHaveLength(1);
});
