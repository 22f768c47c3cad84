/** `spec/acp.md` section 4, clients that cannot be installed here, played from what they are known to send. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Frame, type RawClient, startClient } from "../../support/rawClient.js";
import { type ScriptedModel, startScriptedModel } from "../../support/scriptedModel.js";
import { everythingServer, filesServer, initialized, temporaryFolder } from "../../support/sessions.js";

let model: ScriptedModel;
let client: RawClient;

beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(async () => model.close());
afterEach(() => client.process.kill("SIGKILL"));

test("133: buzz-acp: version 2 with a v1 body, a long system prompt, several blocks, usage before the answer, then KILL", async () => {
  client = startClient({ env: { ...model.env, TURNFOLD_MODELS: "other" } });
  const started = Date.now();
  let id = 0;
  const send = async (method: string, params: object): Promise<Frame> => {
    id += 1;
    return client.request(method, params, id - 1);
  };
  const hello = await send("initialize", {
    clientCapabilities: {
      _meta: { goose: { customNotifications: true }, "terminal-auth": true },
      auth: { terminal: true },
    },
    clientInfo: { name: "buzz-acp", version: "0.1.0" },
    protocolVersion: 2,
  });
  expect(hello.result.protocolVersion).toBe(2);
  const systemPrompt = `[Base]\n${"Be kind. ".repeat(3000)}`;
  const opened = await send("session/new", {
    _meta: { sessionTitle: "Agent · #general" },
    cwd: temporaryFolder(),
    mcpServers: [],
    systemPrompt,
  });
  expect(Date.now() - started).toBeLessThan(10_000);
  const { sessionId, configOptions } = opened.result;
  const option = configOptions.find((each: Frame) => each.category === "model");
  const set = await send("session/set_config_option", { configId: option.id, sessionId, value: "other" });
  expect(set.result.configOptions[0].currentValue).toBe("other");
  model.say({ text: "posted", usage: '{"prompt_tokens":7000,"completion_tokens":5,"total_tokens":7005}' });
  const texts = ["[Context]\nScope: channel\nChannel: general", "[Buzz event: @mention]\nContent: hi"];
  const answer = await send("session/prompt", { prompt: texts.map((text) => ({ text, type: "text" })), sessionId });
  expect(answer.result).toEqual({ stopReason: "end_turn" });
  const request = model.requests.at(-1)?.body;
  expect(request.model).toBe("other");
  expect(request.messages[0].content).toContain("Be kind.");
  expect(request.messages.at(-1).content).toBe(texts.join("\n"));
  const usage = client.frames.findLast((frame) => frame.method === "_goose/unstable/session/update");
  expect(client.frames.indexOf(usage)).toBeLessThan(client.frames.indexOf(answer));
  expect(usage.params).toMatchObject({
    sessionId,
    update: {
      sessionUpdate: "usage_update",
      model: "other",
      accumulatedInputTokens: 7000,
      accumulatedOutputTokens: 5,
      accumulatedTotalTokens: 7005,
    },
  });
  // It takes any result of a prompt that was cancelled by it, within 5 s.
  model.say("hang");
  const cancelled = send("session/prompt", { prompt: [{ text: "more", type: "text" }], sessionId });
  await client.until("start", (frame) => frame.params?.update?._meta?.goose?.activeRunId !== undefined);
  client.notify("session/cancel", { sessionId });
  expect((await cancelled).result).toEqual({ stopReason: "cancelled" });
  client.process.kill("SIGKILL");
  expect((await client.exited).signal).toBe("SIGKILL");
});

test("134: Zed: every capability, three servers of which one is http, defaults set right after new, cancel, close", async () => {
  const clientCapabilities = {
    fs: { readTextFile: true, writeTextFile: true },
    terminal: true,
    auth: { terminal: true },
    session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
    elicitation: { form: {}, url: {} },
    _meta: { terminal_output: true, "terminal-auth": true },
  };
  client = await initialized(
    model,
    {},
    { clientCapabilities, clientInfo: { name: "zed", title: "Zed", version: "1.0.0" } },
  );
  const cwd = temporaryFolder({ "a.txt": "a" });
  const http = {
    type: "http",
    name: "web",
    url: "http://127.0.0.1:1/mcp",
    headers: [{ name: "Authorization", value: "Bearer t" }],
  };
  const { result } = await client.request("session/new", {
    cwd,
    mcpServers: [filesServer(cwd), http, everythingServer()],
  });
  const { sessionId } = result;
  const [first, second] = [
    client.request("session/set_config_option", { sessionId, configId: "thought_level", value: "low" }),
    client.request("session/set_mode", { sessionId, modeId: "code" }),
  ];
  expect((await first).result.configOptions).toHaveLength(2);
  expect((await second).error.code).toBe(-32601);
  model.say({ calls: [{ name: "files__list_directory", arguments: { path: cwd } }] }, "hang");
  const answer = client.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "go" }] });
  await client.until("the tool's end", (frame) => frame.params?.update?.status === "completed");
  client.notify("session/cancel", { sessionId });
  expect((await answer).result).toEqual({ stopReason: "cancelled" });
  // 111: capabilities that it has are not used, since none of ours need them.
  expect(client.frames.filter((frame) => frame.method !== undefined && frame.id !== undefined)).toEqual([]);
  expect((await client.request("session/close", { sessionId })).result).toEqual({});
  expect(await client.end()).toMatchObject({ code: 0 });
});
