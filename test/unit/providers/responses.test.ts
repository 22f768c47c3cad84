import { none, some } from "fp-ts/lib/Option.js";
import { describe, expect, it } from "vitest";
import {
  assistant,
  body,
  bodyText,
  dialect,
  exchange,
  failureOf,
  answer,
  image,
  note,
  reply,
  request,
  responses,
  responsesReply,
  summaryBody,
  textPart,
  tool,
  user,
} from "./fixtures.js";

const spoken = responses();
const text = (said: string): object => ({ type: "message", content: [{ type: "output_text", text: said }] });
const functionCall = (over: object = {}): object => ({
  type: "function_call",
  call_id: "c1",
  name: "n",
  arguments: "{}",
  ...over,
});
const REASONING =
  '{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"why"}],"encrypted_content":"ZW5j"}';

describe("Responses requests", () => {
  it("have instructions, flat tools and no field of another dialect", () => {
    const sent = body(spoken, [user("a")]);
    expect(sent).toEqual({
      model: "model-1",
      max_output_tokens: 4096,
      instructions: "Be brief.",
      tools: [
        {
          type: "function",
          name: tool.name,
          description: tool.description,
          parameters: JSON.parse(tool.schema) as unknown,
          strict: false,
        },
      ],
      tool_choice: "auto",
      input: [{ role: "user", content: [{ type: "input_text", text: "a" }] }],
    });
    expect(Object.keys(body(spoken, [user("a")], { tools: [] }))).toEqual([
      "model",
      "max_output_tokens",
      "instructions",
      "input",
    ]);
  });

  it("show text, call and output in this order, arguments as a string", () => {
    const history = [user("a"), assistant("b", [exchange({ id: "c1", argumentsText: '{"n":1.0}' })])];
    expect((body(spoken, history)["input"] as object[]).slice(1)).toEqual([
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "b" }] },
      { type: "function_call", call_id: "c1", name: "files__read", arguments: '{"n":1.0}' },
      { type: "function_call_output", call_id: "c1", output: "done" },
    ]);
  });

  it("leave an empty text out and keep its call", () => {
    expect(
      (body(spoken, [user("a"), assistant(" ", [exchange({ id: "c1" })])])["input"] as object[]).slice(1),
    ).toMatchObject([{ type: "function_call" }, { type: "function_call_output" }]);
  });

  it("put an image behind the output that brought it", () => {
    const history = [user("a"), assistant("", [exchange({ id: "c1", parts: [textPart("seen"), image("QUJD")] })])];
    expect((body(spoken, history)["input"] as object[]).slice(2)).toEqual([
      {
        type: "function_call_output",
        call_id: "c1",
        output: "seen\n[Image image/png, 4 bytes of base64, provided in the next user message]",
      },
      { role: "user", content: [{ type: "input_image", image_url: "data:image/png;base64,QUJD", detail: "auto" }] },
    ]);
  });

  it("show a hook's objection as a closed call", () => {
    expect((body(spoken, [user("a"), assistant("b"), note("no")])["input"] as object[]).slice(2)).toEqual([
      { type: "function_call", call_id: "tfx_1", name: "guard___Stop", arguments: "{}" },
      { type: "function_call_output", call_id: "tfx_1", output: '{"hook":"_Stop","server":"guard","text":"no"}' },
    ]);
  });

  it.each([
    ["model-1", undefined, "auto", undefined],
    ["model-1", "low", "auto", { effort: "low", summary: "auto" }],
    ["model-1", "low", "detailed", { effort: "low", summary: "detailed" }],
    ["model-1", "low", "concise", { effort: "low", summary: "concise" }],
    ["gpt-5.5", "xhigh", "auto", { effort: "xhigh", summary: "auto" }],
    ["gpt-5", "minimal", "auto", { effort: "minimal", summary: "auto" }],
    ["gpt-5.5", "max", "auto", { effort: "xhigh", summary: "auto" }],
    ["gpt-5.6-sol", "max", "auto", { effort: "max", summary: "auto" }],
  ] as const)("of %s with effort %s and summary %s reason by %o", (model, effort, thinkingSummary, reasoning) => {
    const sent = body(responses({ thinkingSummary }), [user("a")], {
      model,
      ...(effort === undefined ? {} : { effort }),
    });
    expect(sent["reasoning"]).toEqual(reasoning);
  });

  it("are stateless on OpenAI's own host, and ask reasoning models there for encrypted reasoning", () => {
    const openai = responses({ baseUrl: "https://api.openai.com/v1" });
    expect(body(openai, [user("a")], { model: "gpt-5" })).toMatchObject({
      store: false,
      include: ["reasoning.encrypted_content"],
    });
    expect(body(openai, [user("a")], { model: "gpt-4o" })).toMatchObject({ store: false });
    expect(body(openai, [user("a")], { model: "gpt-4o" })).not.toHaveProperty("include");
    expect(body(spoken, [user("a")], { model: "gpt-5" })).not.toHaveProperty("store");
    expect(summaryBody(openai)).toMatchObject({ store: false });
  });

  it("of a summary are two texts", () => {
    expect(summaryBody(spoken, { effort: "high" })).toEqual({
      model: "model-1",
      max_output_tokens: 1024,
      instructions: "Summarise.",
      input: "All of it.",
    });
  });

  it("replay encrypted reasoning before what it led to, for the same model only", () => {
    const got = reply(
      spoken,
      `{"object":"response","status":"completed","output":[${REASONING},${JSON.stringify(functionCall())}]}`,
    );
    expect(got).toMatchObject({
      reasoning: "why",
      replay: some({ dialect: "openai-responses", json: `[${REASONING},"call"]` }),
    });
    const history = [user("a"), assistant("", [exchange({ id: "c1" })], got.replay)];
    expect(bodyText(spoken.encode(request(history)))).toContain(`${REASONING},{"type":"function_call"`);
    expect(
      (body(spoken, history)["input"] as object[]).map((item) => ("type" in item ? item.type : "message")),
    ).toEqual(["message", "reasoning", "function_call", "function_call_output"]);
    expect(bodyText(spoken.encode(request(history, { model: "model-2" })))).not.toContain("rs_1");
    expect(bodyText(dialect("anthropic").encode(request(history)))).not.toContain("rs_1");
  });
});

describe("Responses replies", () => {
  it("with text alone have ended", () => {
    const got = reply(spoken, responsesReply([text("He"), text("llo")], { error: null }));
    expect(got).toMatchObject({ text: "Hello", calls: [], stop: { kind: "end" } });
  });

  it("with a call wait for it, and an empty reasoning item is nothing to show", () => {
    const got = reply(
      spoken,
      responsesReply([{ type: "reasoning", summary: [] }, functionCall({ arguments: '{"a":1}' }), { type: "novelty" }]),
    );
    expect(got).toMatchObject({ reasoning: "", stop: { kind: "toolUse" }, replay: none });
    expect(got.calls).toEqual([{ providerId: "c1", name: "n", argumentsText: '{"a":1}', extra: "" }]);
  });

  it("that hit the output limit are cut off", () => {
    const over = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    expect(reply(spoken, responsesReply([text("so far"), functionCall({ arguments: '{"a":' })], over))).toMatchObject({
      text: "so far",
      stop: { kind: "cutOff", by: "outputLimit" },
    });
    const filtered = { status: "incomplete", incomplete_details: { reason: "content_filter" } };
    expect(reply(spoken, responsesReply([text("a")], filtered)).stop).toEqual({
      kind: "unknown",
      raw: "content_filter",
    });
  });

  it("give malformed arguments to the core as they are", () => {
    expect(reply(spoken, responsesReply([functionCall({ arguments: "{nonsense" })])).calls[0]?.argumentsText).toBe(
      "{nonsense",
    );
    expect(reply(spoken, responsesReply([functionCall({ arguments: "" })])).calls[0]?.argumentsText).toBe("");
    expect(reply(spoken, responsesReply([functionCall({ arguments: { a: 1 } })])).calls[0]?.argumentsText).toBe(
      '{"a":1}',
    );
  });

  it("that failed are failures with the provider's words", () => {
    const failed = { object: "response", status: "failed", error: { code: "server_error", message: "It broke." } };
    expect(failureOf(spoken, answer(200, failed))).toMatchObject({
      kind: "serverError",
      message: expect.stringContaining("It broke.") as string,
    });
    expect(failureOf(spoken, answer(200, { object: "response", status: "failed" }))).toMatchObject({
      kind: "serverError",
    });
  });

  it("without output are none, unless they are complete", () => {
    expect(reply(spoken, responsesReply([])).stop).toEqual({ kind: "end" });
    expect(failureOf(spoken, answer(200, responsesReply([], { status: "in_progress" })))).toMatchObject({
      kind: "badReply",
    });
    expect(failureOf(spoken, answer(200, { status: "completed" }))).toMatchObject({ kind: "badReply" });
  });

  it("show a refusal", () => {
    const refusal = { type: "message", content: [{ type: "refusal", refusal: "I will not." }] };
    expect(reply(spoken, responsesReply([refusal]))).toMatchObject({ text: "I will not.", stop: { kind: "refusal" } });
  });
});
