// What we send, written down as the vendors' own types demand it: the compiler checks these literals against the official SDKs,
// the tests check that they are what the dialects send. It kills: a renamed field, a block in the wrong place, a tool of another
// dialect's shape.
import type Anthropic from "@anthropic-ai/sdk";
import { some } from "fp-ts/lib/Option.js";
import type OpenAI from "openai";
import { expect, it } from "vitest";
import {
  assistant,
  body,
  dialect,
  exchange,
  image,
  note,
  responses,
  summaryBody,
  textPart,
  tool,
  user,
} from "./fixtures.js";

const history = [
  user("look"),
  assistant("Let me see.", [
    exchange({ id: "c1", parts: [textPart("seen"), image("QUJD")] }),
    exchange({ id: "c2", isError: true }),
  ]),
  assistant("Done."),
  note("not yet"),
];
const parameters = { type: "object" as const, properties: { path: { type: "string" } } };
const named = { name: tool.name, description: tool.description };
const noteText = '{"hook":"_Stop","server":"guard","text":"not yet"}';
const imageNote = "seen\n[Image image/png, 4 bytes of base64, provided in the next user message]";
const imageUrl = "data:image/png;base64,QUJD";
const cache_control = { type: "ephemeral" as const };

it("an Anthropic request is of the SDK's type", () => {
  const model = "claude-opus-4-8";
  const json = '[{"type":"thinking","thinking":"Hm","signature":"c2ln"},"text","call","call"]';
  const [asked, looked, ...rest] = history;
  const replayed = { ...assistant(""), ...looked, replay: some({ dialect: "anthropic-messages", model, json }) };
  const expected: Anthropic.MessageCreateParamsNonStreaming = {
    model,
    max_tokens: 4096,
    thinking: { type: "adaptive", display: "summarized" },
    output_config: { effort: "high" },
    tools: [{ ...named, input_schema: parameters }],
    system: [{ type: "text", text: "Be brief.", cache_control }],
    messages: [
      { role: "user", content: [{ type: "text", text: "look" }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm", signature: "c2ln" },
          { type: "text", text: "Let me see." },
          { type: "tool_use", id: "c1", name: "files__read", input: { path: "a" } },
          { type: "tool_use", id: "c2", name: "files__read", input: { path: "a" } },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "c1",
            content: [
              { type: "text", text: "seen" },
              { type: "image", source: { type: "base64", media_type: "image/png", data: "QUJD" } },
            ],
            is_error: false,
          },
          { type: "tool_result", tool_use_id: "c2", content: [{ type: "text", text: "done" }], is_error: true },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "Done.", cache_control }] },
      { role: "user", content: [{ type: "text", text: noteText, cache_control }] },
    ],
  };
  const spoken = dialect("anthropic", model, { promptCaching: true });
  expect(body(spoken, [asked ?? user(""), replayed, ...rest], { model, effort: "high" })).toEqual(expected);
});

it("an Anthropic request with manual thinking, and a summary, are of the SDK's type", () => {
  const model = "claude-opus-4-5";
  const expected: Anthropic.MessageCreateParamsNonStreaming = {
    model,
    max_tokens: 4096,
    thinking: { type: "enabled", budget_tokens: 3072, display: "summarized" },
    system: "Be brief.",
    messages: [{ role: "user", content: [{ type: "text", text: "a" }] }],
  };
  expect(body(dialect("anthropic"), [user("a")], { model, effort: "high", tools: [] })).toEqual(expected);
  const summarised: Anthropic.MessageCreateParamsNonStreaming = {
    model,
    max_tokens: 1024,
    system: "Summarise.",
    messages: [{ role: "user", content: [{ type: "text", text: "All of it." }] }],
  };
  expect(summaryBody(dialect("anthropic"), { model })).toEqual(summarised);
});

it("a Chat request is of the SDK's type", () => {
  const call = { type: "function" as const, function: { name: "files__read", arguments: '{"path":"a"}' } };
  const expected: OpenAI.ChatCompletionCreateParamsNonStreaming = {
    model: "gpt-5",
    stream: false,
    max_completion_tokens: 4096,
    reasoning_effort: "high",
    tools: [{ type: "function", function: { ...named, parameters } }],
    tool_choice: "auto",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "look" },
      {
        role: "assistant",
        content: "Let me see.",
        tool_calls: [
          { id: "c1", ...call },
          { id: "c2", ...call },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: imageNote },
      { role: "tool", tool_call_id: "c2", content: "done" },
      { role: "user", content: [{ type: "image_url", image_url: { url: imageUrl } }] },
      { role: "assistant", content: "Done." },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "tfx_3", type: "function", function: { name: "guard___Stop", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "tfx_3", content: noteText },
    ],
  };
  expect(body(dialect("openai"), history, { model: "gpt-5", effort: "high" })).toEqual(expected);
});

it("a Responses request is of the SDK's type", () => {
  const json = '[{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"ZW5j"},"text","call","call"]';
  const [asked, looked, ...rest] = history;
  const replayed = { ...assistant(""), ...looked, replay: some({ dialect: "openai-responses", model: "gpt-5", json }) };
  // The SDK's type of a message that the assistant said wants an id and annotations, which the API does not: that one is asserted.
  const said = (text: string) =>
    ({
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text }],
    }) as unknown as OpenAI.Responses.ResponseOutputMessage;
  const expected: OpenAI.Responses.ResponseCreateParamsNonStreaming = {
    model: "gpt-5",
    max_output_tokens: 4096,
    reasoning: { effort: "high", summary: "auto" },
    store: false,
    include: ["reasoning.encrypted_content"],
    instructions: "Be brief.",
    tools: [{ type: "function", ...named, parameters, strict: false }],
    tool_choice: "auto",
    input: [
      { role: "user", content: [{ type: "input_text", text: "look" }] },
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "ZW5j" },
      said("Let me see."),
      { type: "function_call", call_id: "c1", name: "files__read", arguments: '{"path":"a"}' },
      { type: "function_call", call_id: "c2", name: "files__read", arguments: '{"path":"a"}' },
      { type: "function_call_output", call_id: "c1", output: imageNote },
      { role: "user", content: [{ type: "input_image", image_url: imageUrl, detail: "auto" }] },
      { type: "function_call_output", call_id: "c2", output: "done" },
      said("Done."),
      { type: "function_call", call_id: "tfx_3", name: "guard___Stop", arguments: "{}" },
      { type: "function_call_output", call_id: "tfx_3", output: noteText },
    ],
  };
  const spoken = responses({ baseUrl: "https://api.openai.com/v1" });
  const sent = body(spoken, [asked ?? user(""), replayed, ...rest], { model: "gpt-5", effort: "high" });
  expect(sent).toEqual(expected);
});

it("the types refuse what the APIs refuse", () => {
  // @ts-expect-error without an output limit
  const unlimited: Anthropic.MessageCreateParamsNonStreaming = { model: "m", messages: [] };
  // @ts-expect-error a result that names no call
  const orphan: OpenAI.ChatCompletionToolMessageParam = { role: "tool", content: "" };
  // @ts-expect-error a tool of Chat's shape
  const nested: OpenAI.Responses.FunctionTool = { type: "function", function: { name: "n" } };
  expect([unlimited, orphan, nested]).toHaveLength(3);
});
