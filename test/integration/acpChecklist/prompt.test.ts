/** `spec/acp.md` section 4, prompt and updates. Names begin with the numbers of the items. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Frame, RawClient } from "../../support/rawClient.js";
import { type ScriptedModel, startScriptedModel } from "../../support/scriptedModel.js";
import { everythingServer, initialized, kinds, newSession, prompt } from "../../support/sessions.js";

let model: ScriptedModel;
let client: RawClient;

beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(async () => model.close());
afterEach(() => client.process.kill("SIGKILL"));

const blocks = async (sessionId: string, prompt: unknown): Promise<Frame> =>
  client.request("session/prompt", { sessionId, prompt });
const lastUserText = (): string => model.requests.at(-1)?.body.messages.at(-1).content;
const of = (kind: string): readonly Frame[] => client.updates().filter((update) => update.sessionUpdate === kind);

describe("session/prompt", () => {
  test("63, 64, 65, 70: text comes as chunks under one id, before the response, and nothing behind it", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client);
    const text = "😀é".repeat(60_000);
    const thinking = { role: "assistant", content: text, reasoning_content: "hm" };
    model.say({
      status: 200,
      body: JSON.stringify({
        id: "c",
        object: "chat.completion",
        created: 1,
        model: "m",
        choices: [{ index: 0, finish_reason: "stop", message: thinking }],
      }),
    });
    const answer = await prompt(client, sessionId, "long");
    const [thought, ...more] = of("agent_thought_chunk");
    const messages = of("agent_message_chunk");
    expect(more).toEqual([]);
    expect(messages.map((chunk) => chunk.content.text).join("")).toBe(text);
    expect(new Set(messages.map((chunk) => chunk.messageId)).size).toBe(1);
    expect(thought.messageId).not.toBe(messages[0].messageId);
    for (const chunk of messages) expect(Buffer.byteLength(JSON.stringify(chunk.content.text))).toBeLessThan(64 * 1024);
    expect(client.frames.at(-1)).toBe(answer);
    await client.request("nothing/such", {});
    expect(client.frames.at(-2)).toBe(answer);
    await client.end();
  });

  test("66, 67: links and embedded texts reach the model, other blocks are refused by name and change nothing", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client);
    model.say({ text: "ok" });
    await blocks(sessionId, [
      { type: "text", text: "Look:" },
      { type: "resource_link", uri: "file:///a/b.ts", name: "b.ts" },
      { type: "resource", resource: { uri: "file:///c.md", text: "inside", mimeType: "text/plain" } },
    ]);
    expect(lastUserText()).toBe(
      "Look:\n[resource: file:///a/b.ts]\n[resource: file:///c.md]\ninside\n[end of resource: file:///c.md]",
    );
    const seen = model.requests.length;
    const bad: readonly (readonly [unknown, string])[] = [
      [[{ type: "image", mimeType: "image/png", data: "AAAA" }], "image"],
      [[{ type: "audio", mimeType: "audio/wav", data: "AAAA" }], "audio"],
      [
        [
          { type: "text", text: "x" },
          { type: "resource", resource: { uri: "file:///x", blob: "AA" } },
        ],
        "resource",
      ],
      [[{ type: "hologram" }], "hologram"],
      [[{ type: "text" }], "text"],
      [[7], "type"],
      ["hello", "array"],
    ];
    for (const [prompt, word] of bad) {
      const { error } = await blocks(sessionId, prompt);
      expect(error).toMatchObject({ code: -32602 });
      expect(error.message).toContain(word);
    }
    expect(model.requests).toHaveLength(seen);
    await client.end();
  });

  test("68: an empty prompt is -32602, a large one and slash commands are answered", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client);
    model.say({ text: "ok" });
    for (const empty of [[], [{ type: "text", text: " \n" }], undefined]) {
      expect((await blocks(sessionId, empty)).error).toMatchObject({ code: -32602, data: { kind: "empty" } });
    }
    expect((await prompt(client, sessionId, "x".repeat(1024 * 1024))).result).toEqual({ stopReason: "end_turn" });
    expect((await prompt(client, sessionId, "x".repeat(1024 * 1024 + 1))).error).toMatchObject({
      code: -32602,
      data: { kind: "tooLarge" },
    });
    expect(
      (
        await blocks(sessionId, [
          { type: "text", text: "a" },
          { type: "text", text: "/nothing" },
        ])
      ).result,
    ).toBeDefined();
    await client.end();
  });

  test("69: _meta in a prompt is accepted", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client);
    model.say({ text: "ok" });
    const params = {
      sessionId,
      prompt: [{ type: "text", text: "x", _meta: {}, annotations: {} }],
      _meta: { traceparent: "00-1-1-00" },
    };
    expect((await client.request("session/prompt", params)).result).toBeDefined();
    await client.end();
  });

  test("71, 72, 73: each call is announced once, started at most once and ended once, unknown tools and bad arguments too", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client, { mcpServers: [everythingServer()] });
    model.say(
      {
        calls: [
          { name: "everything__echo", arguments: { message: "hi" }, id: "same" },
          { name: "no_such", arguments: {}, id: "same" },
          { name: "everything__echo", arguments: [1], id: "" },
        ],
      },
      { calls: [{ name: "everything__echo", arguments: { message: "again" }, id: "same" }] },
      { text: "done" },
    );
    expect((await prompt(client, sessionId, "go")).result).toEqual({ stopReason: "end_turn" });
    const calls = of("tool_call");
    expect(new Set(calls.map((call) => call.toolCallId)).size).toBe(4);
    for (const { toolCallId } of calls) {
      const statuses = client
        .updates()
        .filter((update) => update.toolCallId === toolCallId)
        .map((update) => update.status);
      expect(statuses.join(" ")).toMatch(/^pending( in_progress)? (completed|failed)$/u);
    }
    await client.end();
  });

  test("22, 23: a large argument and a large result are shown shortened, and reach tool and model whole", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client, { mcpServers: [everythingServer()] });
    const message = `begin\u2028\u0000\u001b[31m${"long ".repeat(60_000)}end`;
    model.say({ calls: [{ name: "everything__echo", arguments: { message, big: 1 } }] }, { text: "done" });
    await prompt(client, sessionId, "go");
    const [call] = of("tool_call");
    expect(call.rawInput.message).toMatch(/^begin[\s\S]+elided[\s\S]+end$/u);
    expect(call.rawInput.message.length).toBeLessThan(8 * 1024 + 1);
    const finished = client.updates().find((update) => update.status === "completed");
    expect(finished.content.map((part: Frame) => part.content.text).join("")).toContain("elided");
    await client.end();
  });

  test("76: usage_update shows at most the window, and huge counters go out digit by digit to those who asked", async () => {
    client = await initialized(model, {}, { protocolVersion: 2 });
    const sessionId = await newSession(client);
    model.say({
      text: "ok",
      usage: '{"prompt_tokens":9007199254740993,"completion_tokens":18446744073709551615,"total_tokens":5}',
    });
    await prompt(client, sessionId, "hello");
    const [usage] = of("usage_update");
    expect(usage.used).toBeLessThanOrEqual(usage.size);
    const line = client.lines.find((each) => each.includes("_goose/unstable/session/update"));
    expect(line).toContain(
      '"accumulatedInputTokens":9007199254740993,"accumulatedOutputTokens":18446744073709551615,"accumulatedTotalTokens":5',
    );
    await client.end();
  });

  test("77: a client that announced nothing gets no extension, notice or compaction", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client);
    model.say({ text: "ok", usage: '{"prompt_tokens":10,"completion_tokens":5}' });
    await prompt(client, sessionId, "hello");
    expect(new Set(client.frames.map((frame) => frame.method))).toEqual(new Set([undefined, "session/update"]));
    expect(new Set(kinds(client.updates()))).toEqual(
      new Set(["session_info_update", "usage_update", "agent_message_chunk"]),
    );
    await client.end();
  });

  test.each([
    ["a server error", { status: 400, body: '{"error":{"message":"no"}}' }, -32603, "invalidRequest"],
    [
      "an unknown model",
      { status: 404, body: '{"error":{"message":"The model `scripted` does not exist","code":"model_not_found"}}' },
      -32002,
      "modelNotFound",
    ],
    ["garbage", { status: 200, body: "<html>busy</html>" }, -32603, "badReply"],
    ["an empty object", { status: 200, body: "{}" }, -32603, "badReply"],
  ])("78: %s fails the turn with one line, and the next prompt works", async (_what, response, code, kind) => {
    client = await initialized(model);
    const sessionId = await newSession(client);
    model.say(response);
    const { error } = await prompt(client, sessionId, "hello");
    expect(error).toMatchObject({ code, data: { kind, model: "scripted" } });
    model.say({ text: "ok" });
    expect((await prompt(client, sessionId, "again")).result).toEqual({ stopReason: "end_turn" });
    await client.end();
  });

  test("79: a length stop ends max_tokens, a spent round limit max_turn_requests, a filter refusal", async () => {
    client = await initialized(model, { env: { BUZZ_AGENT_MAX_ROUNDS: "4" } });
    const stopOf = async (): Promise<unknown> => (await prompt(client, sessionId, "go")).result?.stopReason;
    const sessionId = await newSession(client, { mcpServers: [everythingServer()] });
    model.say({ text: "cut", stop: "length" });
    expect(await stopOf()).toBe("max_tokens");
    model.say({ calls: [{ name: "everything__echo", arguments: { message: "x" } }] });
    expect(await stopOf()).toBe("max_turn_requests");
    model.say({ text: "no", stop: "content_filter" });
    expect(await stopOf()).toBe("refusal");
    await client.end();
  });

  test("80: while a model or a tool is silent, signs of life come, and none when nothing runs", async () => {
    client = await initialized(model, { env: { TURNFOLD_HEARTBEAT_MS: "100" } });
    const sessionId = await newSession(client);
    model.say("hang");
    const answer = prompt(client, sessionId, "think");
    const isBeat = (frame: Frame): boolean =>
      JSON.stringify(frame.params?.update) === '{"sessionUpdate":"session_info_update"}';
    let beats = 0;
    await client.until("three signs of life", (frame) => isBeat(frame) && (beats += 1) === 3);
    client.notify("session/cancel", { sessionId });
    const last = await answer;
    await new Promise((resolve) => {
      setTimeout(resolve, 350);
    });
    expect(client.frames.at(-1)).toBe(last);
    await client.end();
  });
});
