import { none, some } from "fp-ts/lib/Option.js";
import { describe, expect, it } from "vitest";
import {
  assistant,
  body,
  bodyText,
  chatReply,
  dialect,
  exchange,
  failureOf,
  answer,
  NOW_MS,
  image,
  note,
  provider,
  reply,
  request,
  summaryBody,
  textPart,
  tool,
  user,
} from "./fixtures.js";
import { defaultShellLimits } from "../../../src/core/policy.js";
import { dialectFor } from "../../../src/providers/registry.js";

const chat = dialect("openai");
const call = (over: object = {}): object => ({
  id: "c1",
  type: "function",
  function: { name: "n", arguments: "{}" },
  ...over,
});
const calls = (...list: readonly object[]) =>
  reply(chat, chatReply({ content: null, tool_calls: list }, "tool_calls")).calls;

describe("Chat requests", () => {
  it("have system text, turns and tools in their places", () => {
    const history = [user("a"), assistant("b", [exchange({ id: "c1", argumentsText: '{"path":"a"}' })]), user("c")];
    expect(body(chat, history)).toEqual({
      model: "model-1",
      stream: false,
      max_completion_tokens: 4096,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "a" },
        {
          role: "assistant",
          content: "b",
          tool_calls: [{ id: "c1", type: "function", function: { name: "files__read", arguments: '{"path":"a"}' } }],
        },
        { role: "tool", tool_call_id: "c1", content: "done" },
        { role: "user", content: "c" },
      ],
      tools: [
        {
          type: "function",
          function: { name: tool.name, description: tool.description, parameters: JSON.parse(tool.schema) as unknown },
        },
      ],
      tool_choice: "auto",
    });
    const bare = body(chat, [user("a")], { tools: [], system: "" });
    expect(Object.keys(bare)).toEqual(["model", "stream", "max_completion_tokens", "messages"]);
    expect(bare["messages"]).toEqual([
      { role: "system", content: "" },
      { role: "user", content: "a" },
    ]);
  });

  it("name an image in the tool's text and attach it in a user message behind", () => {
    const sent = body(chat, [
      user("a"),
      assistant("", [exchange({ id: "c1", parts: [textPart("seen"), image("QUJD")] })]),
      user("b"),
    ]);
    expect((sent["messages"] as object[]).slice(3)).toEqual([
      {
        role: "tool",
        tool_call_id: "c1",
        content: "seen\n[Image image/png, 4 bytes of base64, provided in the next user message]",
      },
      { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,QUJD" } }] },
      { role: "user", content: "b" },
    ]);
  });

  // F12: a user message between two results of one batch made strict hosts refuse the request.
  it("keep the results of a parallel batch together and put all their images behind them", () => {
    const batch = [exchange({ id: "c1", parts: [image("QQ==")] }), exchange({ id: "c2", parts: [image("Qg==")] })];
    const messages = body(chat, [user("a"), assistant("", batch)])["messages"] as { role: string; content: unknown }[];
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "tool", "user"]);
    expect(messages.at(-1)?.content).toHaveLength(2);
  });

  it("replay unmodelled fields of a call beside its function, as they are written", () => {
    const extra =
      '{"extra_content":{"google":{"thought_signature":"s", "n":1.0}},"id":"no","__proto__":18446744073709551615}';
    const sent = bodyText(chat.encode(request([user("a"), assistant("", [exchange({ id: "c1", extra })])])));
    expect(sent).toContain(
      '[{"id":"c1","type":"function","extra_content":{"google":{"thought_signature":"s", "n":1.0}},"__proto__":18446744073709551615,"function":{"name"',
    );
  });

  it("keep arguments as they are written, inside their string", () => {
    const argumentsText = '{ "n":18446744073709551615,"f":1.0}';
    const messages = body(chat, [user("a"), assistant("", [exchange({ argumentsText })])])["messages"];
    expect(messages).toMatchObject([{}, {}, { tool_calls: [{ function: { arguments: argumentsText } }] }, {}]);
  });

  it("show a hook's objection as a closed call", () => {
    expect((body(chat, [user("a"), assistant("b"), note("not yet")])["messages"] as object[]).slice(3)).toEqual([
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "tfx_1", type: "function", function: { name: "guard___Stop", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "tfx_1", content: '{"hook":"_Stop","server":"guard","text":"not yet"}' },
    ]);
  });

  it.each([
    ["model-1", undefined, undefined],
    ["model-1", "medium", "medium"],
    ["model-1", "max", "xhigh"],
    ["gpt-5.5", "xhigh", "xhigh"],
    ["gpt-5.5", "none", "none"],
    ["gpt-5.6-sol", "max", "max"],
    ["gpt-5", "none", "minimal"],
  ])("of %s with effort %s ask for %s", (model, effort, expected) => {
    const sent = body(chat, [user("a")], { model, ...(effort === undefined ? {} : { effort }) });
    expect(sent["reasoning_effort"]).toBe(expected);
    expect(sent["model"]).toBe(model);
  });

  it.each(["auto", "mesh", "vendor/model:free"])("send the model %s verbatim", (model) => {
    expect(body(dialect("openai", model), [user("a")], { model })["model"]).toBe(model);
  });

  it("of a summary have one system and one user text, no effort and no tools", () => {
    expect(summaryBody(chat, { effort: "high" })).toEqual({
      model: "model-1",
      stream: false,
      max_completion_tokens: 1024,
      messages: [
        { role: "system", content: "Summarise." },
        { role: "user", content: "All of it." },
      ],
    });
  });

  it.each([
    ["ollama", "max_tokens", "http://127.0.0.1:11434/v1/chat/completions", "http://127.0.0.1:11434/v1"],
    [
      "huggingface",
      "max_tokens",
      "https://router.huggingface.co/v1/chat/completions",
      "https://router.huggingface.co/v1",
    ],
    [
      "deepseek",
      "max_completion_tokens",
      "https://api.deepseek.com/v1/chat/completions",
      "https://api.deepseek.com/v1",
    ],
  ] as const)("at %s limit output by %s", (name, limit, url, baseUrl) => {
    const spoken = dialectFor(provider(name, { baseUrl }), "m", false);
    expect(spoken.encode(request([user("a")])).url).toBe(url);
    const sent = body(spoken, [user("a")], { effort: "low" });
    expect(sent[limit]).toBe(4096);
    expect(sent["reasoning_effort"]).toBe(name === "deepseek" ? "low" : undefined);
  });

  it("give DeepSeek its own reasoning back between calls, and nobody else", () => {
    const deepseek = dialect("deepseek");
    const said = chatReply({ content: "", reasoning_content: "because", tool_calls: [call()] }, "tool_calls");
    const { replay } = reply(deepseek, said);
    expect(reply(chat, said).replay).toEqual(none);
    expect(bodyText(deepseek.encode(request([user("a"), assistant("", [exchange()], replay)])))).toContain(
      '"reasoning_content":"because"',
    );
    expect(bodyText(chat.encode(request([user("a"), assistant("", [exchange()], replay)])))).not.toContain("because");
  });
});

describe("Chat replies", () => {
  it("are read from a text or from blocks, reasoning apart", () => {
    expect(reply(chat, chatReply({ content: "hello" }))).toMatchObject({
      text: "hello",
      reasoning: "",
      stop: { kind: "end" },
    });
    const blocks = [
      { type: "reasoning", summary: [{ type: "summary_text", text: "r1" }, { text: "r2" }] },
      { type: "reasoning", text: "r3" },
      { type: "text", text: "a" },
      { text: "b" },
    ];
    expect(reply(chat, chatReply({ content: blocks }))).toMatchObject({ text: "a\nb", reasoning: "r1\nr2\nr3" });
    expect(reply(chat, chatReply({ content: 5 }))).toMatchObject({ text: "" });
  });

  it("take reasoning from the first place that has some", () => {
    const content = [{ type: "reasoning", text: "c" }];
    expect(reply(chat, chatReply({ content, reasoning: "b", reasoning_content: "a" })).reasoning).toBe("a");
    expect(reply(chat, chatReply({ content, reasoning: "b", reasoning_content: "" })).reasoning).toBe("b");
    expect(reply(chat, chatReply({ content })).reasoning).toBe("c");
  });

  it("keep unmodelled fields of a call as they are written, and none of the modelled ones", () => {
    const json =
      '{"choices":[{"finish_reason":"tool_calls","message":{"tool_calls":[{"id":"c","type":"function","index":0,"sig":{"b":1.0,"1":18446744073709551615},"function":{"name":"n","arguments":"{}"}}]}}]}';
    expect(reply(chat, json).calls[0]?.extra).toBe('{"index":0,"sig":{"b":1.0,"1":18446744073709551615}}');
    expect(calls(call())[0]?.extra).toBe("");
  });

  // F22, F23: an empty argument string never ran, and an object in its place killed the process.
  it.each([
    [{ name: "n", arguments: "" }, ""],
    [{ name: "n", arguments: null }, ""],
    [{ name: "n" }, ""],
    [{ name: "n", arguments: { a: 1 } }, '{"a":1}'],
    [{ name: "n", arguments: [1] }, "[1]"],
    [{ name: "n", arguments: 3 }, "3"],
    [{ name: "n", arguments: '{"a":1}}' }, '{"a":1}}'],
    [{ name: "n", arguments: "{nonsense" }, "{nonsense"],
  ])("give the arguments of %o to the core as %s", (called, expected) => {
    expect(calls(call({ function: called }))[0]?.argumentsText).toBe(expected);
  });

  // F18: a call with empty id and name was stored, and every later request was refused.
  it("turn whatever stands among the calls into a call, so that it can be refused by name", () => {
    const got = reply(
      chat,
      chatReply(
        { tool_calls: [null, {}, call({ id: "", function: { name: "", arguments: "{}" } }), call()] },
        "tool_calls",
      ),
    );
    expect(got.calls.map(({ providerId, name }) => [providerId, name])).toEqual([
      ["", ""],
      ["", ""],
      ["", ""],
      ["c1", "n"],
    ]);
  });

  it("keep calls with broken arguments of a reply that was cut off for the core to drop", () => {
    const cut = call({ function: { name: "n", arguments: '{"a":' } });
    const got = reply(chat, chatReply({ content: "so far", tool_calls: [cut] }, "length"));
    expect(got).toMatchObject({ text: "so far", stop: { kind: "cutOff", by: "outputLimit" } });
  });

  it.each([
    ["stop", { kind: "end" }],
    ["end_turn", { kind: "end" }],
    ["tool_calls", { kind: "toolUse" }],
    ["tool_use", { kind: "toolUse" }],
    ["length", { kind: "cutOff", by: "outputLimit" }],
    ["max_tokens", { kind: "cutOff", by: "outputLimit" }],
    ["model_context_window_exceeded", { kind: "cutOff", by: "contextWindow" }],
    ["content_filter", { kind: "refusal" }],
    ["refusal", { kind: "refusal" }],
    ["eos", { kind: "unknown", raw: "eos" }],
    ["constructor", { kind: "unknown", raw: "constructor" }],
    [null, { kind: "unknown", raw: "" }],
  ])("that stop with %s mean %o", (finish, stop) => {
    expect(reply(chat, chatReply({ content: "a" }, finish)).stop).toEqual(stop);
  });

  it("take an empty message with a stop reason as a reply, and one without as none", () => {
    expect(reply(chat, chatReply({ content: "" }))).toMatchObject({ text: "", calls: [], stop: { kind: "end" } });
    expect(failureOf(chat, answer(200, chatReply({ content: "" }, null)))).toMatchObject({ kind: "badReply" });
  });

  it("show a refusal that comes in a field of its own", () => {
    expect(reply(chat, chatReply({ content: null, refusal: "I will not." }))).toMatchObject({
      text: "I will not.",
      stop: { kind: "refusal" },
    });
  });

  it("make lone surrogates legible everywhere, inside arguments too", () => {
    const got = reply(
      chat,
      '{"choices":[{"finish_reason":"stop","message":{"content":"\\ud800","tool_calls":[{"id":"\\udc00","function":{"name":"n","arguments":"{\\"a\\":\\"\\\\ud800\\"}"}}]}}]}',
    );
    expect(got.text).toBe("\uFFFD");
    expect(got.calls[0]).toMatchObject({ providerId: "\uFFFD", argumentsText: '{"a":"\\ufffd"}' });
  });

  it("keep no reasoning details, whatever they look like", () => {
    expect(reply(chat, chatReply({ content: "a", reasoning_details: [{ type: "reasoning.text" }] })).replay).toEqual(
      none,
    );
  });
});

describe("OpenRouter", () => {
  const router = dialect("openrouter");
  const caching = dialect("openrouter", "anthropic/claude-x", { promptCaching: true });

  it.each([
    ["with tools and effort", [tool], "high", { effort: "high" }],
    ["with tools, without effort", [tool], undefined, undefined],
    ["without tools, with effort", [], "max", { effort: "max" }],
    ["without both", [], undefined, undefined],
  ])("%s: limit by max_tokens, effort as chosen, no provider filter", (_name, tools, effort, reasoning) => {
    const sent = body(router, [user("a")], { tools, ...(effort === undefined ? {} : { effort }) });
    expect(sent["reasoning"]).toEqual(reasoning);
    expect(sent).toMatchObject({ max_tokens: 4096 });
    for (const name of ["provider", "reasoning_effort", "max_completion_tokens"]) expect(sent).not.toHaveProperty(name);
    expect("tools" in sent).toBe(tools.length > 0);
  });

  it("marks system text, the two newest user texts and the last tool for Anthropic's models", () => {
    const history = [user("a"), user("b"), assistant("", [exchange({ parts: [image()] })]), user("c")];
    const sent = body(caching, history, {
      model: "anthropic/claude-x",
      tools: [tool, { ...tool, name: "files__write" }],
    });
    const messages = sent["messages"] as { role: string; content: unknown }[];
    const marked = messages.map(({ content }) => JSON.stringify(content).includes("cache_control"));
    // system, a, b, assistant, tool, images, c: the images' message takes no slot.
    expect(marked).toEqual([true, false, true, false, false, false, true]);
    expect(messages[2]?.content).toEqual([{ type: "text", text: "b", cache_control: { type: "ephemeral" } }]);
    expect(sent["tools"]).toMatchObject([
      { function: { name: "files__read" } },
      { function: { cache_control: { type: "ephemeral" } } },
    ]);
    expect(JSON.stringify((sent["tools"] as object[])[0])).not.toContain("cache_control");
  });

  it("marks nothing when caching is off, for other vendors' models, and no empty system text", () => {
    const plain = bodyText(router.encode(request([user("a")], { model: "anthropic/claude-x" })));
    expect(plain).not.toContain("cache_control");
    expect(plain).toContain('"max_tokens"');
    expect(bodyText(caching.encode(request([user("a")], { model: "google/x" })))).not.toContain("cache_control");
    const empty = body(caching, [user("a")], { model: "anthropic/claude-x", system: "" });
    expect(empty["messages"]).toMatchObject([{ role: "system", content: "" }, {}]);
  });

  it("budgets the reasoning of a summary apart from its text", () => {
    expect(summaryBody(router)).toMatchObject({ max_tokens: 2048, reasoning: { max_tokens: 1024, exclude: true } });
    expect(summaryBody(router)).not.toHaveProperty("provider");
  });

  it("names the application in its headers", () => {
    const { headers } = router.encode(request([user("a")]));
    expect(headers).toMatchObject({ "x-openrouter-title": "Turnfold" });
    expect(headers["http-referer"]).toMatch(/^https:/);
  });

  it("gets reasoning details back as they came, before the results of their calls", () => {
    const details = '[{"type":"reasoning.encrypted","data":"x","n":1.0}]';
    const json = `{"choices":[{"finish_reason":"tool_calls","message":{"content":"","reasoning_details":${details},"tool_calls":[{"id":"c1","function":{"name":"files__read","arguments":"{}"}}]}}]}`;
    const { replay } = reply(router, json);
    expect(replay).toEqual(some({ dialect: "openrouter-chat", model: "model-1", json: details }));
    const history = [user("a"), assistant("", [exchange({ id: "c1" })], replay)];
    const sent = bodyText(router.encode(request(history)));
    expect(sent).toContain(`"reasoning_details":${details}`);
    expect(sent.indexOf(details)).toBeLessThan(sent.indexOf('"role":"tool"'));
    for (const other of [chat, dialect("anthropic"), dialect("databricks")]) {
      expect(bodyText(other.encode(request(history)))).not.toContain("reasoning.encrypted");
    }
  });

  it("asks Anthropic's models for no reasoning behind calls that have none, and shows them a hook's objection as a message", () => {
    const json = '[{"type":"reasoning.encrypted","data":"x"}]';
    const parts = { model: "anthropic/claude-x", effort: "high" };
    const replay = some({ dialect: "openrouter-chat", model: parts.model, json });
    const reasoned = [user("a"), assistant("", [exchange({ id: "c1" })], replay)];
    const bare = [user("a"), assistant("", [exchange({ id: "c1" })])];
    expect(body(router, reasoned, parts)).toHaveProperty("reasoning");
    expect(body(router, bare, parts)).not.toHaveProperty("reasoning");
    expect(body(router, bare, { ...parts, model: "openai/x" })).toHaveProperty("reasoning");
    expect(body(router, [...bare, assistant("done"), user("next")], parts)).toHaveProperty("reasoning");
    const objected = [...reasoned, assistant("done"), note("not yet")];
    expect((body(router, objected, parts)["messages"] as object[]).at(-1)).toMatchObject({ role: "user" });
    expect((body(router, objected, { model: parts.model })["messages"] as object[]).at(-1)).toMatchObject({
      role: "tool",
    });
  });

  it.each([[null], [{ type: "reasoning.text" }], ["text"]])("keeps no reasoning details of the shape %o", (details) => {
    expect(reply(router, chatReply({ content: "a", reasoning_details: details })).replay).toEqual(none);
    expect(bodyText(router.encode(request([user("a"), assistant("b")])))).not.toContain("reasoning_details");
  });
});

describe("a reply of very many parts", () => {
  const decoded = (text: string) => chat.decode(answer(200, text), "model-1", NOW_MS);

  // Five million empty objects fit into 16 MiB, and what was made of them took all the memory that the process had.
  it("is taken up to the limit, and refused above it as a reply that would come again", () => {
    // Beside the blocks: choices, its one element, the element's two members and the message's one.
    const others = 5;
    const withBlocks = (blocks: number): string =>
      JSON.stringify({
        choices: [{ message: { content: Array.from({ length: blocks }, () => ({})) }, finish_reason: "stop" }],
      });
    const { replyPartsMax } = defaultShellLimits;
    expect(decoded(withBlocks(replyPartsMax - others)).kind).toBe("reply");
    const refused = decoded(withBlocks(replyPartsMax - others + 1));
    expect(refused).toMatchObject({ kind: "failure", failure: { kind: "badReply" }, retry: { kind: "never" } });
  });

  it("of which two members are called alike once they are well-formed is read as if they had been written so", () => {
    const written = '{"choices":[{"message":{"tool_calls":[{"\\udfff":1,"\\ud800":2,"function":{"name":"n"}}]}}]}';
    const read = decoded(written);
    expect(read.kind === "reply" && read.reply.calls[0]?.extra).toBe('{"\ufffd":2}');
  });
});
