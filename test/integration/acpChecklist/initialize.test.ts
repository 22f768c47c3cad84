/** `spec/acp.md` section 4, initialize and authentication. Names begin with the numbers of the items. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Frame, type RawClient, startClient } from "../../support/rawClient.js";
import { type ScriptedModel, startScriptedModel } from "../../support/scriptedModel.js";
import { initialized, newSession, prompt, temporaryFolder } from "../../support/sessions.js";

let model: ScriptedModel;
let client: RawClient;

beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(async () => model.close());
afterEach(() => client.process.kill("SIGKILL"));

const initialize = async (params: object): Promise<Frame> => {
  client = startClient({ env: model.env });
  const answer = await client.request("initialize", params);
  await client.end();
  return answer;
};

describe("initialize", () => {
  test.each([
    [{ protocolVersion: 1 }, 1],
    [{ protocolVersion: 0 }, 1],
    [{ protocolVersion: 3 }, 1],
    [{ protocolVersion: 65535 }, 1],
    [{ protocolVersion: 65535, info: { name: "x", version: "1" }, capabilities: {} }, 1],
    [{ protocolVersion: 2 }, 2],
    [
      {
        protocolVersion: 2,
        clientCapabilities: { auth: { terminal: true } },
        clientInfo: { name: "buzz-acp", version: "0.1.0" },
      },
      2,
    ],
    [{ protocolVersion: 2, info: { name: "x", version: "1" }, capabilities: {} }, 1],
  ])("26, 27, 28, 29: %j is answered with version %i", async (params, version) => {
    expect((await initialize(params)).result.protocolVersion).toBe(version);
  });

  test.each([
    {},
    { protocolVersion: "1" },
    { protocolVersion: 1.5 },
    { protocolVersion: -1 },
    { protocolVersion: null },
  ])("28: %j is answered -32602", async (params) => {
    expect((await initialize(params)).error).toMatchObject({ code: -32602, data: { kind: "invalidParams" } });
  });

  test.each([undefined, null, {}, { fs: null, session: null, _meta: null, x: [1] }, { session: { notices: null } }, 7])(
    "30: client capabilities %j are accepted",
    async (clientCapabilities) => {
      expect((await initialize({ protocolVersion: 1, clientCapabilities })).result.protocolVersion).toBe(1);
    },
  );

  test("31: a second initialize is answered, and the sessions stay", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client);
    expect((await client.request("initialize", { protocolVersion: 1 })).result.protocolVersion).toBe(1);
    expect((await prompt(client, sessionId, "hello")).result).toEqual({ stopReason: "end_turn" });
    await client.end();
  });

  test("32: session/new before initialize is an error, in the same write behind it it works", async () => {
    client = startClient({ env: model.env });
    const early = await client.request("session/new", { cwd: "/", mcpServers: [] });
    expect(early.error).toMatchObject({ code: -32600, data: { kind: "notInitialized" } });
    client.write(
      [
        { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } },
        { jsonrpc: "2.0", id: 2, method: "session/new", params: { cwd: temporaryFolder(), mcpServers: [] } },
      ]
        .map((frame) => `${JSON.stringify(frame)}\n`)
        .join(""),
    );
    const answer = await client.until("answer to session/new", (frame) => frame.id === 2);
    expect(answer.result.sessionId).toMatch(/^ses_[0-9a-f]{16}$/u);
    expect(client.frames.map((frame) => frame.id)).toEqual(["raw-1", 1, 2]);
    await client.end();
  });

  test("33, 34: what is advertised is there, what is not answers -32601", async () => {
    client = await initialized(model);
    expect((await client.request("session/close", { sessionId: "ses_x" })).result).toEqual({});
    for (const method of [
      "session/load",
      "session/resume",
      "session/list",
      "session/delete",
      "session/fork",
      "session/set_mode",
      "logout",
      "providers/list",
      "mcp/message",
    ]) {
      expect((await client.request(method, {})).error.code, method).toBe(-32601);
    }
    await client.end();
  });

  test("36, 37, 38: without an interactive login there is no method, and no error -32000", async () => {
    client = await initialized(model, {}, { clientCapabilities: { auth: { terminal: true } } });
    expect(client.frames[0].result.authMethods).toEqual([]);
    expect((await client.request("authenticate", { methodId: "x" })).error.code).toBe(-32602);
    await client.end();
  });

  test("41: a key that was revoked fails the turn with -32001, and the next prompt works", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client);
    model.say(
      { status: 401, body: '{"error":{"message":"Incorrect API key provided: test-key-0001"}}' },
      { text: "ok" },
    );
    const answer = await prompt(client, sessionId, "hello");
    expect(answer.error).toMatchObject({
      code: -32001,
      data: { kind: "authentication", model: "scripted", status: 401 },
    });
    expect(answer.error.message).not.toContain("test-key-0001");
    expect((await prompt(client, sessionId, "again")).result).toEqual({ stopReason: "end_turn" });
    await client.end();
  });
});
