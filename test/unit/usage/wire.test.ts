// Decoding of notifications and of the published record (spec/usage.md 1.3, 1.6, 3.8, 4.2).
import { isLeft, isRight } from "fp-ts/lib/Either.js";
import { isSome, none, some, toNullable } from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import { parseJson, type Json } from "../../../src/core/json.js";
import { decodeMetric, encodeMetric, stopReasonOf } from "../../../src/usage/metric.js";
import { readSnapshot } from "../../../src/usage/notification.js";
import { readRow } from "../../../src/usage/row.js";
import { adapterOf, harnessName, readPromptUsage, readStandardCost } from "../../../src/usage/standard.js";
import { rfc3339Seconds } from "../../../src/usage/timestamp.js";
import { figures, metric, type Figures } from "./build.js";

const json = (text: string): Json => {
  const parsed = parseJson(text);
  if (isLeft(parsed)) throw new Error(parsed.left);
  return parsed.right;
};
const read = (text: string): Figures | null => {
  const snapshot = readSnapshot(json(text));
  return isLeft(snapshot) ? null : figures(some(snapshot.right.counts));
};

test.each<[string, string, Figures | null]>([
  ["null is absent", '{"accumulatedInputTokens":null,"accumulatedOutputTokens":0}', { out: 0 }],
  ["unknown keys are ignored", '{"accumulatedInputTokens":1,"x":{}}', { in: 1 }],
  ["used and contextLimit do not count", '{"used":"?","contextLimit":-1,"accumulatedInputTokens":1}', { in: 1 }],
  ["2^64 - 1", '{"accumulatedInputTokens":18446744073709551615}', { in: 18446744073709551615n }],
  ["2^53 + 1 without loss", '{"accumulatedOutputTokens":9007199254740993}', { out: 9007199254740993n }],
  ["2^64", '{"accumulatedInputTokens":18446744073709551616}', null],
  ["negative", '{"accumulatedInputTokens":-1,"accumulatedOutputTokens":1}', null],
  ["fractional", '{"accumulatedInputTokens":1.5}', null],
  ["a string", '{"accumulatedCachedInputTokens":"5"}', null],
  ["an object", '{"accumulatedTotalTokens":{}}', null],
  ["true", '{"accumulatedCacheWriteTokens":true}', null],
  ["a rounded huge number", '{"accumulatedInputTokens":1e19}', null],
  ["a cost that is a string", '{"accumulatedCost":"1"}', null],
  ["a negative cost is unknown", '{"accumulatedInputTokens":1,"accumulatedCost":-0.5}', { in: 1 }],
  ["an infinite cost is unknown", '{"accumulatedInputTokens":1,"accumulatedCost":1e999}', { in: 1 }],
  ["no object", "[]", {}],
])("a notification: %s", (_name, text, expected) => {
  expect(read(text)).toEqual(expected);
});

test.each<[string, string, string | null]>([
  ["whole", '{"authority":"a","model":"m"}', "m"],
  ["without model: absent, and the counters stay (decision 2)", '{"authority":"a"}', null],
  ["of a wrong type", '"a/m"', null],
  ["with a class that is no string", '{"authority":"a","model":"m","cacheClass":5}', null],
  ["null", "null", null],
])("an identity %s", (_name, text, model) => {
  const snapshot = readSnapshot(json(`{"accumulatedInputTokens":7,"pricingIdentity":${text}}`));
  expect(isRight(snapshot)).toBe(true);
  if (isLeft(snapshot)) return;
  expect(figures(some(snapshot.right.counts))).toEqual({ in: 7 });
  expect(isSome(snapshot.right.identity) ? snapshot.right.identity.value.model : null).toBe(model);
});

describe("standard ACP", () => {
  const usage = (adapter: string, text: string) => figures(readPromptUsage(adapterOf(adapter), json(text)));
  test("the vectors of 1.6", () => {
    const claude =
      '{"inputTokens":100,"outputTokens":20,"totalTokens":175,"cachedReadTokens":30,"cachedWriteTokens":25}';
    expect(usage("claude-agent-acp", claude)).toEqual({ in: 155, out: 20, r: 30, w: 25 });
    const codex = '{"inputTokens":90,"outputTokens":10,"totalTokens":140,"cachedReadTokens":40}';
    expect(usage("codex-acp", codex)).toEqual({ in: 130, out: 10, total: 140, r: 40 });
    expect(usage("gemini", claude)).toBeNull();
  });
  test("an overflow makes all of the prompt unknown", () => {
    expect(usage("codex", '{"inputTokens":18446744073709551615,"outputTokens":1,"cachedReadTokens":1}')).toBeNull();
  });
  test.each<[string, string, number | null]>([
    ["US dollars", '{"cost":{"amount":0.5,"currency":"USD"}}', 0.5],
    ["another currency (decision 13)", '{"cost":{"amount":0.5,"currency":"EUR"}}', null],
    ["negative", '{"cost":{"amount":-1,"currency":"USD"}}', null],
    ["infinite", '{"cost":{"amount":1e999,"currency":"USD"}}', null],
    ["none", "{}", null],
  ])("a cost: %s", (_name, text, expected) => {
    expect(toNullable(readStandardCost(json(text)))).toBe(expected);
  });
  test("the adapter goes by the command's name", () => {
    expect(harnessName("/opt/bin/codex-acp")).toBe("codex-acp");
    expect(harnessName("C:\\tools\\claude-code-acp.CMD")).toBe("claude-code-acp");
    expect(adapterOf("claude-code-acp").cost).toBe(true);
    expect(adapterOf("codex").cost).toBe(false);
    expect(adapterOf("constructor").promptUsage).toBe(false);
  });
});

describe("the published record", () => {
  const full = metric(3, { turn: { in: 1, out: 2, r: 0 }, cum: { in: 5, out: 6, cost: 0.5 }, id: "m", model: "x" });
  const text = (value: typeof full): string => {
    const encoded = encodeMetric(value);
    if (isLeft(encoded)) throw new Error(encoded.left);
    return encoded.right;
  };

  test("it comes back as it was", () => {
    const decoded = decodeMetric(text(full));
    expect(decoded).toEqual({ _tag: "Right", right: full });
  });

  test("its members are those of 3.8", () => {
    expect(JSON.parse(text(full))).toEqual({
      harness: "buzz-agent",
      timestamp: "2026-08-01T00:00:00.000Z",
      model: "x",
      channelId: null,
      sessionId: "s1",
      turnSeq: 3,
      turnId: null,
      turn: { inputTokens: 1, outputTokens: 2, totalTokens: null, costUsd: null, cacheReadTokens: 0 },
      cumulative: { inputTokens: 5, outputTokens: 6, totalTokens: null, costUsd: 0.5 },
      deltaReliable: true,
      stopReason: "end_turn",
      pricingIdentity: { authority: "api.anthropic.com", model: "m" },
    });
  });

  test("without identity the member is left out, an unreliable turn is null, an unknown snapshot too", () => {
    const encoded = JSON.parse(text(metric(1, { turn: { in: 1 }, cum: {}, reliable: false }))) as Record<
      string,
      unknown
    >;
    expect(encoded["turn"]).toBeNull();
    expect(encoded["cumulative"]).toBeNull();
    expect("pricingIdentity" in encoded).toBe(false);
  });

  test.each([-0.1, Infinity, Number.NaN])("a cost of %s is refused when writing", (cost) => {
    expect(isLeft(encodeMetric(metric(1, { turn: { cost } })))).toBe(true);
    expect(isLeft(encodeMetric(metric(1, { cum: { cost } })))).toBe(true);
  });

  const stored = (members: string): string => `{"harness":"h","timestamp":"2026-08-01T00:00:00Z",${members}}`;
  test.each(['"turn":{"costUsd":-1}', '"cumulative":{"costUsd":1e999},"sessionId":"s","turnSeq":1'])(
    "a cost of %s is refused when reading",
    (members) => {
      expect(isLeft(decodeMetric(stored(members)))).toBe(true);
    },
  );

  test("a missing deltaReliable is true, an unknown stop reason is unknown", () => {
    const decoded = decodeMetric(stored('"turn":{"inputTokens":4},"stopReason":"bored"'));
    expect(isRight(decoded) ? [decoded.right.deltaReliable, decoded.right.stopReason] : []).toEqual([
      true,
      some("unknown"),
    ]);
    expect(["end_turn", "max_tokens", "cancelled", "refusal", "max_turn_requests"].map(stopReasonOf)).toEqual([
      "end_turn",
      "max_tokens",
      "cancelled",
      "unknown",
      "unknown",
    ]);
  });

  // The table of 4.2.
  test.each<[string, string, boolean]>([
    ["no JSON", "{", false],
    ["no harness", '{"timestamp":"2026-08-01T00:00:00Z"}', false],
    ["no RFC 3339 time", '{"harness":"h","timestamp":"yesterday"}', false],
    ["cumulative without session", stored('"cumulative":{"inputTokens":1},"turnSeq":1'), false],
    ["cumulative without sequence", stored('"cumulative":{"inputTokens":1},"sessionId":"s"'), false],
    ["a turn alone", stored('"turn":{"inputTokens":1}'), true],
    ["neither", stored('"x":1'), true],
    ["a token that is negative", stored('"turn":{"inputTokens":-1}'), false],
  ])("validity: %s", (_name, json, valid) => {
    expect(isRight(readRow("id", "a", json))).toBe(valid);
  });
});

test.each<[string, number | null]>([
  ["1970-01-01T00:00:00Z", 0],
  ["2026-08-01T00:00:00.000Z", 1785542400],
  ["2026-08-01T02:30:00+02:30", 1785542400],
  ["2024-02-29T23:59:60Z", 1709251200],
  ["1969-12-31T23:59:59Z", -1],
  ["2000-02-29t00:00:00z", 951782400],
  ["2100-02-29T00:00:00Z", null],
  ["2026-13-01T00:00:00Z", null],
  ["2026-08-01T24:00:00Z", null],
  ["2026-08-01T00:00:00", null],
  ["2026-08-01", null],
])("the time %s", (text, seconds) => {
  expect(toNullable(rfc3339Seconds(text))).toBe(seconds);
  expect(rfc3339Seconds("")).toEqual(none);
});
