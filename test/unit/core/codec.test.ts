import { isLeft, isRight } from "fp-ts/lib/Either.js";
import { none, some } from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import { effectCodec, eventCodec, explain, sessionCodec, type Codec } from "../../../src/core/codec.js";
import { COUNTER_MAX, defaultPolicy, initialSession, type Event } from "../../../src/core/index.js";

const session = initialSession({
  id: "s",
  policy: defaultPolicy,
  system: "be brief",
  settings: { model: "m", effort: none, windowTokens: 1000, maxOutputTokens: 100, authority: some("api.example") },
});

const replied: Event = {
  type: "modelReplied",
  effect: 3,
  turn: 1,
  attempts: { tries: 2, waitedMs: 500.5 },
  reply: {
    text: "a lone \ud800 surrogate",
    reasoning: "",
    calls: [],
    stop: { kind: "unknown", raw: "pause" },
    usage: {
      input: { kind: "exact", tokens: COUNTER_MAX },
      output: some(0n),
      cacheRead: none,
      cacheWrite: none,
      total: none,
    },
    replay: none,
  },
};

const throughJson = <A>(codec: Codec<A>, value: A): unknown => {
  const read = codec.decode(JSON.parse(JSON.stringify(codec.encode(value))));
  return isRight(read) ? read.right : explain(read.left);
};

const fault = <A>(codec: Codec<A>, value: unknown): string => {
  const read = codec.decode(value);
  return isLeft(read) ? explain(read.left) : "it decoded";
};

/** The event as JSON with one value of its usage replaced. */
const withInputTokens = (tokens: unknown): unknown => {
  const json = JSON.parse(JSON.stringify(eventCodec.encode(replied))) as {
    reply: { usage: { input: { tokens: unknown } } };
  };
  json.reply.usage.input.tokens = tokens;
  return json;
};

describe("codec", () => {
  test("a session, and a counter at its maximum inside an event, survive JSON", () => {
    expect(throughJson(sessionCodec, session)).toEqual(session);
    expect(throughJson(eventCodec, replied)).toEqual(replied);
  });

  test("what no type allows is refused with the path to it", () => {
    const at = "event.reply.usage.input.tokens: expected a decimal string of at most 2^64 - 1, got";
    expect(fault(eventCodec, withInputTokens("18446744073709551616"))).toBe(`${at} "18446744073709551616"`);
    for (const wrong of ["-1", "01", "1.5", "1e3", "", " 1", 7, null]) {
      expect(fault(eventCodec, withInputTokens(wrong))).toContain(at);
    }
  });

  test("an unknown key, a missing key and an unknown variant are errors", () => {
    expect(fault(eventCodec, { type: "cancelRequested", drainMs: 1, late: true })).toBe(
      "event.late: expected no such key, only drainMs, got true",
    );
    expect(fault(eventCodec, { type: "cancelRequested" })).toBe("event.drainMs: expected a finite number, got nothing");
    expect(fault(eventCodec, { type: "toString" })).toMatch(
      /^event\.type: expected one of promptReceived, .*"toString"$/,
    );
    expect(fault(eventCodec, [])).toBe("event: expected event, got a list of 0");
  });

  test("a number that JSON would turn into null is refused", () => {
    expect(fault(eventCodec, { type: "cancelRequested", drainMs: Number.NaN })).toContain("got NaN");
    expect(fault(effectCodec, { type: "startTimer", ms: 1, id: 2 ** 53, turn: 1 })).toContain("effect.id");
  });

  test("errors are shown in one short line, bigint and cyclic values included", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    const line = fault(eventCodec, {
      type: "promptReceived",
      request: 10n,
      runId: cyclic,
      text: "x",
      a: 1,
      b: 2,
      c: 3,
      d: 4,
    });
    expect(line).toContain(
      "event.request: expected a string, got 10n; event.runId: expected a string, got a value of type object",
    );
    expect(line).toMatch(/; and 1 more$/);
  });
});
