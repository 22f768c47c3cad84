import { none, some } from "fp-ts/lib/Option.js";
import { describe, expect, it } from "vitest";
import { membersOf, objectWith, takeApart } from "../../../src/core/rawJson.js";
import { counter, sumOf } from "../../../src/providers/counters.js";
import type { Members } from "../../../src/providers/parts.js";
import { chatReply, dialect, messagesReply, reply, responses, responsesReply } from "./fixtures.js";

const members = (text: string): Members => membersOf(takeApart(text, JSON.parse(text), objectWith()));

const u64Max = 18446744073709551615n;
const absent = { input: { kind: "absent" }, output: none, cacheRead: none, cacheWrite: none, total: none };

describe("a token count", () => {
  it.each([
    ["0", some(0n)],
    ["1234", some(1234n)],
    ["18446744073709551615", some(u64Max)],
    ["18446744073709551616", none],
    ["-0", none],
    ["-5", none],
    ["12.5", none],
    ["1.0", none],
    ["1e3", none],
    ["1e308", none],
    ['"1234"', none],
    ["null", none],
    ["true", none],
    ["[1]", none],
  ])("written as %s is %o", (json, expected) => {
    expect(counter(members(`{"n":${json},"d":{"n":${json}}}`), "n")).toEqual(expected);
    expect(counter(members(`{"n":${json},"d":{"n":${json}}}`), "d.n")).toEqual(expected);
  });

  it("is absent where nothing is said", () => {
    expect(counter(members("{}"), "n")).toEqual(none);
    expect(counter(members("[]"), "n")).toEqual(none);
  });
});

describe("a sum of counts", () => {
  it.each([
    [[], { kind: "absent" }],
    [[none, none], { kind: "absent" }],
    [[some(42n)], { kind: "exact", tokens: 42n }],
    [[some(100n), none, some(50n)], { kind: "exact", tokens: 150n }],
    [[some(u64Max)], { kind: "exact", tokens: u64Max }],
    [[some(u64Max), some(1n)], { kind: "overflowed" }],
  ])("of %o is %o", (parts, expected) => {
    expect(sumOf(parts)).toEqual(expected);
  });
});

const said = { content: "a" };
const chatUsage = (usage: object) => reply(dialect("openai"), chatReply(said, "stop", usage)).usage;
const responsesUsage = (usage: object | null) => reply(responses(), responsesReply([], { usage })).usage;

describe("usage of Chat Completions", () => {
  it("takes prompt, completion and total tokens, and derives no total", () => {
    expect(chatUsage({ prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 })).toEqual({
      ...absent,
      input: { kind: "exact", tokens: 10n },
      output: some(4n),
      total: some(14n),
    });
    expect(chatUsage({ prompt_tokens: 10, completion_tokens: 4 }).total).toEqual(none);
  });

  it("takes cached tokens from either spelling, never from both, and never adds them to the prompt's", () => {
    const nested = { prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 } };
    expect(chatUsage({ prompt_tokens: 10, ...nested })).toMatchObject({ cacheRead: some(3n), cacheWrite: some(2n) });
    expect(chatUsage({ prompt_tokens: 10, cache_read_input_tokens: 9, ...nested })).toMatchObject({
      input: { kind: "exact", tokens: 10n },
      cacheRead: some(9n),
    });
    expect(
      chatUsage({ prompt_tokens: 1, prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 5 } }),
    ).toMatchObject({
      cacheRead: some(0n),
      cacheWrite: some(5n),
    });
    expect(chatUsage({ prompt_tokens: 1 })).toMatchObject({ cacheRead: none, cacheWrite: none });
  });

  // F47: usage that was null, missing or inside the choice was added up as zero.
  it("is absent where it is null or missing, and found inside the choice", () => {
    const spoken = dialect("openai");
    expect(reply(spoken, { choices: [{ message: said, finish_reason: "stop" }], usage: null }).usage).toEqual(absent);
    expect(reply(spoken, { choices: [{ message: said, finish_reason: "stop" }] }).usage).toEqual(absent);
    const inside = { choices: [{ message: said, finish_reason: "stop", usage: { prompt_tokens: 2 } }] };
    expect(reply(spoken, inside).usage.input).toEqual({ kind: "exact", tokens: 2n });
  });
});

describe("usage of Responses and Anthropic", () => {
  it("Responses takes input, output, total and cached tokens, and knows no cache writes", () => {
    const usage = { input_tokens: 10, output_tokens: 4, total_tokens: 14, input_tokens_details: { cached_tokens: 3 } };
    expect(responsesUsage(usage)).toEqual({
      input: { kind: "exact", tokens: 10n },
      output: some(4n),
      cacheRead: some(3n),
      cacheWrite: none,
      total: some(14n),
    });
    expect(responsesUsage({ input_tokens: 10 }).total).toEqual(none);
    expect(
      responsesUsage({ cache_read_input_tokens: 1, input_tokens_details: { cached_tokens: 3 } }).cacheRead,
    ).toEqual(some(1n));
  });

  it("is absent, never zero, where nothing is reported", () => {
    expect(responsesUsage(null)).toEqual(absent);
    expect(reply(dialect("anthropic"), messagesReply([{ type: "text", text: "a" }])).usage).toEqual(absent);
    expect(reply(dialect("anthropic"), { content: [{ type: "text", text: "a" }] }).usage).toEqual(absent);
  });
});
