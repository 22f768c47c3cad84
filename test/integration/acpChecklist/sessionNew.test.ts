/** `spec/acp.md` section 4, session/new. Names begin with the numbers of the items. */
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { RawClient } from "../../support/rawClient.js";
import { type ScriptedModel, startScriptedModel } from "../../support/scriptedModel.js";
import {
  everythingServer,
  filesServer,
  initialized,
  newSession,
  prompt,
  temporaryFolder,
} from "../../support/sessions.js";

let model: ScriptedModel;
let client: RawClient;

beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(async () => model.close());
afterEach(() => client.process.kill("SIGKILL"));

const toolNames = (): readonly string[] =>
  (model.requests.at(-1)?.body.tools ?? []).map((tool: { function: { name: string } }) => tool.function.name);
const systemText = (): string => JSON.stringify(model.requests.at(-1)?.body.messages[0]);

describe("session/new", () => {
  test("42, 43: gives every session an id of its own, and each works", async () => {
    client = await initialized(model);
    const ids = [await newSession(client), await newSession(client)];
    expect(new Set(ids).size).toBe(2);
    model.say({ text: "ok" });
    for (const id of ids) expect((await prompt(client, id, "hello")).result).toEqual({ stopReason: "end_turn" });
    await client.end();
  });

  test("44: a cwd that is relative, empty, missing, a number, a file or not there is -32602", async () => {
    client = await initialized(model);
    const file = path.join(temporaryFolder({ "f.txt": "" }), "f.txt");
    for (const cwd of [".", "a/b", "", undefined, 7, "/no/such/folder", file]) {
      const { error } = await client.request("session/new", { cwd, mcpServers: [] });
      expect(error, String(cwd)).toMatchObject({ code: -32602 });
      expect(error.message).toContain("cwd");
    }
    await client.end();
  });

  test("45: tools run in the cwd of their session, whatever that of the process is", async () => {
    client = await initialized(model, { cwd: temporaryFolder() });
    const folders = [temporaryFolder({ "a.txt": "1" }), temporaryFolder({ "b.txt": "2" })];
    for (const folder of folders) {
      const server = { ...filesServer("."), name: "here" };
      const sessionId = await newSession(client, { cwd: folder, mcpServers: [server] });
      model.say({ calls: [{ name: "here__list_allowed_directories", arguments: {} }] }, { text: "ok" });
      await prompt(client, sessionId, "where?");
      const finished = client.updates(sessionId).find((update) => update.status === "completed");
      expect(finished.content[0].content.text).toContain(folder);
    }
    await client.end();
  });

  test.each([
    { mcpServers: null },
    { mcpServers: undefined },
    { systemPrompt: "x", foo: 1, _meta: { a: 1 } },
    { systemPrompt: 7 },
  ])("46, 50: %j is accepted", async (params) => {
    client = await initialized(model);
    expect(await newSession(client, params)).toMatch(/^ses_/u);
    await client.end();
  });

  test("47: a stdio server with and without a type is started, with its args and environment", async () => {
    client = await initialized(model);
    const servers = [
      { ...everythingServer(), name: "one" },
      { ...everythingServer(), name: "two", type: "stdio", env: [{ name: "COLOUR", value: "teal" }] },
    ];
    const sessionId = await newSession(client, { mcpServers: servers });
    model.say({ calls: [{ name: "two__get-env", arguments: {} }] }, { text: "ok" });
    await prompt(client, sessionId, "hello");
    expect(toolNames()).toEqual(expect.arrayContaining(["one__echo", "two__echo"]));
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("teal");
    await client.end();
  });

  test("48: http, sse and malformed entries are skipped and told at the start of the turn; the good server works", async () => {
    client = await initialized(model);
    const bad = [
      { type: "http", name: "web", url: "http://127.0.0.1:1/mcp", headers: [] },
      { type: "sse", name: "old", url: "http://127.0.0.1:1/sse", headers: [] },
      { name: "empty", command: "", args: [], env: [] },
      { type: "carrier-pigeon", name: "odd" },
      null,
    ];
    const sessionId = await newSession(client, { mcpServers: [...bad, everythingServer()] });
    model.say({ text: "ok" });
    await prompt(client, sessionId, "hello");
    expect(toolNames()).toContain("everything__echo");
    const thought = client.updates(sessionId).find((update) => update.sessionUpdate === "agent_thought_chunk");
    for (const name of ["web", "old", "empty", "odd"]) expect(thought.content.text).toContain(name);
    await client.end();
  });

  test("48: a client that takes notices is told by notices, after the response", async () => {
    client = await initialized(model, {}, { clientCapabilities: { session: { notices: {} } } });
    const sessionId = await newSession(client, {
      mcpServers: [{ type: "http", name: "web", url: "http://x", headers: [] }],
    });
    const frame = await client.until("notice", (each) => each.params?.update?.sessionUpdate === "notice");
    expect(frame.params).toMatchObject({ sessionId, update: { severity: "warning" } });
    expect(client.frames.indexOf(frame)).toBeGreaterThan(
      client.frames.findIndex((each) => each.result?.sessionId === sessionId),
    );
    await client.end();
  });

  test("49: one server that hangs does not hold the session up, and only dead ones fail it with -32603", async () => {
    const hanging = {
      name: "hanging",
      command: process.execPath,
      args: ["-e", "setInterval(() => {}, 1000)"],
      env: [],
    };
    const dead = { name: "dead", command: process.execPath, args: ["-e", "process.exit(3)"], env: [] };
    const garbage = {
      name: "garbage",
      command: process.execPath,
      args: ["-e", "console.log('hello'); setInterval(() => {}, 1000)"],
      env: [],
    };
    client = await initialized(model, {
      env: { TURNFOLD_MCP_GRACE_MS: "1500", BUZZ_AGENT_MCP_INIT_TIMEOUT_SECS: "3" },
    });
    const sessionId = await newSession(client, { mcpServers: [hanging, dead, garbage, everythingServer()] });
    model.say({ text: "ok" });
    expect((await prompt(client, sessionId, "hello")).result).toEqual({ stopReason: "end_turn" });
    expect(toolNames()).toContain("everything__echo");
    const { error } = await client.request("session/new", { cwd: temporaryFolder(), mcpServers: [dead] });
    expect(error).toMatchObject({ code: -32603, data: { kind: "mcp" } });
    expect(error.message).toContain("dead");
    expect((await client.end()).code).toBe(0);
  });

  test("too many servers, a bad name or one name twice are -32602", async () => {
    client = await initialized(model);
    const named = (name: string): object => ({ ...everythingServer(), name });
    const many = Array.from({ length: 17 }, (_, index) => named(`s${index}`));
    for (const mcpServers of [many, [named("a b")], [named("x__y")], [named("a"), named("a")]]) {
      const { error } = await client.request("session/new", { cwd: temporaryFolder(), mcpServers });
      expect(error).toMatchObject({ code: -32602 });
    }
    await client.end();
  });

  test("50: the root string systemPrompt counts in the buzz dialect alone, and project hints follow it", async () => {
    const cwd = temporaryFolder({ "AGENTS.md": "Speak of hedgehogs." });
    for (const [protocolVersion, expected] of [
      [2, "Be a lighthouse."],
      [1, "You are Turnfold"],
    ] as const) {
      client = await initialized(model, {}, { protocolVersion });
      const sessionId = await newSession(client, { cwd, systemPrompt: "Be a lighthouse." });
      model.say({ text: "ok" });
      await prompt(client, sessionId, "hello");
      expect(systemText()).toContain(expected);
      expect(systemText().includes("lighthouse")).toBe(protocolVersion === 2);
      expect(systemText()).toContain("hedgehogs");
      await client.end();
    }
  });

  test("a system prompt that is too large with its hints is -32602, and so is a session too many", async () => {
    client = await initialized(model, { env: { BUZZ_AGENT_MAX_SESSIONS: "1" } }, { protocolVersion: 2 });
    const large = await client.request("session/new", { cwd: temporaryFolder(), systemPrompt: "x".repeat(513 * 1024) });
    expect(large.error).toMatchObject({ code: -32602 });
    expect(large.error.message).toContain("512 KiB");
    const sessionId = await newSession(client);
    const second = await client.request("session/new", { cwd: temporaryFolder() });
    expect(second.error).toMatchObject({ code: -32602, data: { kind: "tooManySessions" } });
    await client.request("session/close", { sessionId });
    await newSession(client);
    await client.end();
  });

  test("51, 52: no update comes before the response, and none that nobody asked for behind it", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client);
    await client.request("nothing/such", {});
    expect(client.updates(sessionId)).toEqual([]);
    await client.end();
  });
});
