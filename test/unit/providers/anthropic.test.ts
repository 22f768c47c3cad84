import { describe, expect, it } from "vitest";
import { some } from "fp-ts/lib/Option.js";
import {
  assistant,
  body,
  bodyText,
  dialect,
  exchange,
  image,
  messagesReply,
  note,
  reply,
  request,
  summaryBody,
  textPart,
  user,
} from "./fixtures.js";

const plain = dialect("anthropic");
const caching = dialect("anthropic", "model-1", { promptCaching: true });
const mark = { cache_control: { type: "ephemeral" } };

const THINKING = '{"type":"thinking","thinking":"Hm 1.0","signature":"c2ln"}';
const replayed = (model = "claude-opus-4-5") =>
  some({ dialect: "anthropic-messages", model, json: `[${THINKING},"text","call"]` });

describe("Anthropic requests", () => {
  it("put text and image of a tool result inside it, in order", () => {
    const sent = body(plain, [
      user("look"),
      assistant("", [exchange({ id: "t1", parts: [textPart("seen"), image("QUJD")] })]),
    ]);
    expect(sent["messages"]).toEqual([
      { role: "user", content: [{ type: "text", text: "look" }] },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "files__read", input: { path: "a" } }] },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "t1",
            content: [
              { type: "text", text: "seen" },
              { type: "image", source: { type: "base64", media_type: "image/png", data: "QUJD" } },
            ],
            is_error: false,
          },
        ],
      },
    ]);
    expect(sent["tools"]).toEqual([
      {
        name: "files__read",
        description: "Reads a file.",
        input_schema: { type: "object", properties: { path: { type: "string" } } },
      },
    ]);
  });

  it("mark the system block and the last block of the two newest messages when caching is on, and no other", () => {
    const history = [
      user("a"),
      assistant("b"),
      user("c"),
      assistant("d", [exchange({ id: "t1" }), exchange({ id: "t2" })]),
    ];
    const sent = body(caching, history);
    expect(sent["system"]).toEqual([{ type: "text", text: "Be brief.", ...mark }]);
    const messages = sent["messages"] as { content: object[] }[];
    const marks = messages.map(({ content }) => content.map((block) => "cache_control" in block));
    expect(marks).toEqual([[false], [false], [false], [false, false, true], [false, true]]);
    expect(sent).not.toHaveProperty("tools.0.cache_control");
  });

  it("mark one message when there is only one, and never make a block of an empty system text", () => {
    const sent = body(caching, [user("a")], { system: "" });
    expect(sent["system"]).toBe("");
    expect(sent["messages"]).toEqual([{ role: "user", content: [{ type: "text", text: "a", ...mark }] }]);
  });

  it("carry no mark when caching is off, and none in a summary", () => {
    expect(bodyText(plain.encode(request([user("a")])))).not.toContain("cache_control");
    expect(body(plain, [user("a")])["system"]).toBe("Be brief.");
    expect(summaryBody(caching)).toEqual({
      model: "model-1",
      max_tokens: 1024,
      system: "Summarise.",
      messages: [{ role: "user", content: [{ type: "text", text: "All of it." }] }],
    });
  });

  it.each([
    ["claude-3-7-sonnet", undefined, 4096, undefined, undefined],
    ["claude-3-7-sonnet", "high", 4096, { type: "enabled", budget_tokens: 3072, display: "summarized" }, undefined],
    ["claude-3-7-sonnet", "high", 2047, undefined, undefined],
    ["claude-3-7-sonnet", "high", 2048, { type: "enabled", budget_tokens: 1024, display: "summarized" }, undefined],
    ["claude-3-7-sonnet", "high", 65_536, { type: "enabled", budget_tokens: 32_768, display: "summarized" }, undefined],
    ["claude-3-7-sonnet", "low", 4096, { type: "enabled", budget_tokens: 1024, display: "summarized" }, undefined],
    ["claude-opus-4-7", "medium", 4096, { type: "adaptive", display: "summarized" }, { effort: "medium" }],
    ["claude-opus-4-5", "high", 32_768, { type: "enabled", budget_tokens: 31_744, display: "summarized" }, undefined],
    ["claude-opus-4-5-20251101", "high", 32_768, undefined, undefined],
    ["gpt-5", "high", 4096, undefined, undefined],
    ["claude-opus-4-8", "xhigh", 4096, { type: "adaptive", display: "summarized" }, { effort: "xhigh" }],
    ["claude-opus-4-8", "max", 4096, { type: "adaptive", display: "summarized" }, { effort: "max" }],
    ["claude-sonnet-4-6", "xhigh", 4096, { type: "adaptive", display: "summarized" }, { effort: "high" }],
    ["databricks-claude-opus-4-8", "max", 4096, { type: "adaptive", display: "summarized" }, { effort: "max" }],
    ["claude-opus-4-8", "none", 4096, undefined, undefined],
    ["claude-opus-4-8", "minimal", 4096, undefined, undefined],
    ["claude-opus-4-8", "absurd", 4096, undefined, undefined],
  ])(
    "%s with effort %s and %i output tokens thinks as its family does",
    (model, effort, maxOutputTokens, thinking, outputConfig) => {
      const sent = body(plain, [user("a")], { model, maxOutputTokens, ...(effort === undefined ? {} : { effort }) });
      expect(sent["thinking"]).toEqual(thinking);
      expect(sent["output_config"]).toEqual(outputConfig);
      expect(sent["model"]).toBe(model);
      expect(sent["max_tokens"]).toBe(maxOutputTokens);
    },
  );

  it("splice arguments and schemas as they are written, with every digit", () => {
    const argumentsText = '{"n":18446744073709551615, "f":1.0,"z":-0}';
    const text = bodyText(plain.encode(request([user("a"), assistant("", [exchange({ argumentsText })])])));
    expect(text).toContain(`"input":${argumentsText}}`);
  });

  it("replay signed reasoning verbatim and in order to the same model, and drop it whole for another", () => {
    const history = [user("a"), assistant("said", [exchange({ id: "t1" })], replayed())];
    const sent = bodyText(plain.encode(request(history, { model: "claude-opus-4-5" })));
    expect(sent).toContain(`"content":[${THINKING},{"type":"text","text":"said"},{"type":"tool_use","id":"t1"`);
    expect(bodyText(plain.encode(request(history, { model: "claude-opus-4-6" })))).not.toContain("thinking");
  });

  it("replay reasoning between text and call where it stood, and drop all of it where none would follow", () => {
    const other = THINKING.replace("Hm", "So");
    const replay = (json: string) => some({ dialect: "anthropic-messages", model: "model-1", json });
    const between = assistant("said", [exchange({ id: "t1" })], replay(`[${THINKING},"text",${other},"call"]`));
    expect(bodyText(plain.encode(request([user("a"), between])))).toContain(
      `[${THINKING},{"type":"text","text":"said"},${other},{"type":"tool_use"`,
    );
    const last = assistant("said", [], replay(`[${THINKING},"text",${other},"call"]`));
    expect(bodyText(plain.encode(request([user("a"), last])))).toContain('"content":[{"type":"text","text":"said"}]');
    // What was redacted from the text, or is missing of it, moves nothing.
    const textless = assistant("", [exchange({ id: "t1" })], replay(`["text",${THINKING},"call"]`));
    expect(bodyText(plain.encode(request([user("a"), textless])))).toContain(
      `"content":[${THINKING},{"type":"tool_use"`,
    );
  });

  it("turn manual thinking off when the newest calls have no reasoning before them, and on again with the next answer", () => {
    const parts = { model: "claude-opus-4-5", effort: "high" };
    const bare = [user("a"), assistant("", [exchange({ id: "t1" })], replayed("claude-opus-4-6"))];
    expect(body(plain, bare, parts)["thinking"]).toBeUndefined();
    expect(body(plain, [...bare, user("steered")], parts)["thinking"]).toBeUndefined();
    expect(body(plain, [...bare, assistant("done"), user("next")], parts)["thinking"]).toBeDefined();
    const led = [
      user("a"),
      assistant("", [exchange({ id: "t1" })], replayed()),
      assistant("", [exchange({ id: "t2" })]),
    ];
    expect(body(plain, led, parts)["thinking"]).toBeDefined();
    // Adaptive thinking demands nothing of earlier replies.
    expect(body(plain, bare, { model: "claude-opus-4-8", effort: "high" })["thinking"]).toBeDefined();
  });

  it("show a hook's objection as a closed call, and as the user's message where calls must follow reasoning", () => {
    const said = '{"hook":"_Stop","server":"guard","text":"not yet"}';
    const history = [user("a"), assistant("done"), note("not yet")];
    expect((body(plain, history)["messages"] as object[]).slice(2)).toEqual([
      { role: "assistant", content: [{ type: "tool_use", id: "tfx_1", name: "guard___Stop", input: {} }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "tfx_1", content: [{ type: "text", text: said }], is_error: false },
        ],
      },
    ]);
    const thinking = body(plain, history, { model: "claude-opus-4-5", effort: "high" });
    expect((thinking["messages"] as object[]).slice(2)).toEqual([
      { role: "user", content: [{ type: "text", text: said }] },
    ]);
  });
});

describe("Anthropic replies", () => {
  // Text is kept as it is written, and a strict reader of JSON refuses the escape of half a character.
  it("make lone surrogates legible in what is sent again as it came, and in nothing else of it", () => {
    const block = String.raw`{"type":"thinking","thinking":"\ud83d\ude00 \ud83d \\ud83d","signature":"c2ln"}`;
    const call = String.raw`{"type":"tool_use","id":"1","name":"n","input":{ "b":1.0, "\udc00":"\udbff" }}`;
    const got = reply(plain, `{"stop_reason":"tool_use","content":[${block},${call}]}`);
    expect(got.calls[0]?.argumentsText).toBe(String.raw`{ "b":1.0, "\ufffd":"\ufffd" }`);
    expect(got.replay).toMatchObject(
      some({ json: `[${block.replace(String.raw`\ud83d \\`, String.raw`\ufffd \\`)},"call"]` }),
    );
    expect(got.reasoning).toBe("\ud83d\ude00 \ufffd \\ud83d");
  });

  it("join texts without a separator and thoughts by line, and keep the order of blocks for replay", () => {
    const content =
      '[{"type":"thinking","thinking":"a","signature":"s", "n":1.0},{"type":"redacted_thinking","data":"x"},{"type":"text","text":"He"},{"type":"text","text":"llo"},{"type":"thinking","thinking":"b","signature":"t"},{"type":"tool_use","id":"t1","name":"n","input":{"n":18446744073709551615}},{"type":"novelty"}]';
    const got = reply(plain, `{"content":${content},"stop_reason":"tool_use"}`);
    expect(got).toMatchObject({ text: "Hello", reasoning: "a\nb", stop: { kind: "toolUse" } });
    expect(got.calls).toEqual([
      { providerId: "t1", name: "n", argumentsText: '{"n":18446744073709551615}', extra: "" },
    ]);
    expect(got.replay).toEqual(
      some({
        dialect: "anthropic-messages",
        model: "model-1",
        json: '[{"type":"thinking","thinking":"a","signature":"s", "n":1.0},{"type":"redacted_thinking","data":"x"},"text","text",{"type":"thinking","thinking":"b","signature":"t"},"call"]',
      }),
    );
  });

  // F58: a stream that ended before the signature left reasoning that no provider takes back, and the session was dead.
  it("keep unsigned reasoning for display only", () => {
    const got = reply(
      plain,
      messagesReply([
        { type: "thinking", thinking: "a", signature: "" },
        { type: "text", text: "b" },
      ]),
    );
    expect(got).toMatchObject({ reasoning: "a", replay: { _tag: "None" } });
  });

  it("give arguments as they came: nothing for null and the empty string (F22), JSON text for whatever is no object", () => {
    const calls = [{}, { input: null }, { input: "" }, { input: [1] }, { input: "{}" }, { id: 7 }].map((over) => ({
      type: "tool_use",
      name: "n",
      ...over,
    }));
    expect(reply(plain, messagesReply(calls)).calls.map((call) => call.argumentsText)).toEqual([
      "",
      "",
      "",
      "[1]",
      '"{}"',
      "",
    ]);
    expect(reply(plain, messagesReply(calls)).calls.map((call) => call.providerId)).toEqual(["", "", "", "", "", "7"]);
  });

  it("leave the calls of a reply that was cut off to the core, broken as they may be", () => {
    const cut = messagesReply(
      [
        { type: "text", text: "so far" },
        { type: "tool_use", id: "", name: "", input: 5 },
      ],
      "max_tokens",
    );
    expect(reply(plain, cut)).toMatchObject({ text: "so far", stop: { kind: "cutOff", by: "outputLimit" } });
  });

  it("count input with cache reads and writes in it, and never report a total", () => {
    const usage = {
      input_tokens: 100,
      cache_read_input_tokens: 900,
      cache_creation_input_tokens: 50,
      output_tokens: 7,
      total_tokens: 1,
    };
    expect(reply(plain, messagesReply([{ type: "text", text: "a" }], "end_turn", usage)).usage).toEqual({
      input: { kind: "exact", tokens: 1050n },
      output: some(7n),
      cacheRead: some(900n),
      cacheWrite: some(50n),
      total: { _tag: "None" },
    });
  });

  it("flag an input sum over 64 bits, keep the output, and take a single large figure exactly", () => {
    const answer = (usage: string): string => `{"content":[],"stop_reason":"end_turn","usage":${usage}}`;
    const over = reply(
      plain,
      answer('{"input_tokens":18446744073709551615,"cache_read_input_tokens":1,"output_tokens":5}'),
    );
    expect(over.usage).toMatchObject({ input: { kind: "overflowed" }, output: some(5n) });
    const exact = reply(plain, answer('{"input_tokens":18446744073709551615}'));
    expect(exact.usage.input).toEqual({ kind: "exact", tokens: 18446744073709551615n });
  });
});
