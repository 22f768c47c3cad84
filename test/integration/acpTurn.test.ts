/** A whole turn through the built agent, in both dialects: prompt, tool call, answer, and a cancel in the middle of one. */
import { afterEach, describe, expect, test } from "vitest";
import type { RawClient } from "../support/rawClient.js";
import { type Dialect, type ScriptedModel, startScriptedModel } from "../support/scriptedModel.js";
import {
  everythingServer,
  filesServer,
  initialized,
  kinds,
  newSession,
  prompt,
  temporaryFolder,
} from "../support/sessions.js";

let model: ScriptedModel | undefined;
let client: RawClient | undefined;

afterEach(async () => {
  client?.process.kill("SIGKILL");
  await model?.close();
});

const start = async (dialect: Dialect, params: object = {}): Promise<{ model: ScriptedModel; client: RawClient }> => {
  model = await startScriptedModel(dialect);
  client = await initialized(model, {}, params);
  return { model, client };
};

describe.each(["chat", "messages"] as const)("in the %s dialect", (dialect) => {
  test("a prompt runs a tool on a real server and ends with the model's answer, everything before the response", async () => {
    const { model, client } = await start(dialect);
    const folder = temporaryFolder({ "notes.txt": "the cat sat 😀" });
    const sessionId = await newSession(client, { cwd: folder, mcpServers: [filesServer(folder)] });
    model.say(
      { text: "Let me look.", calls: [{ name: "files__read_text_file", arguments: { path: `${folder}/notes.txt` } }] },
      { text: "It says: the cat sat 😀" },
    );
    const answer = await prompt(client, sessionId, "what is in notes.txt?");
    expect(answer.result).toEqual({ stopReason: "end_turn" });
    const lines = client.lines.length;

    const updates = client.updates(sessionId);
    expect(kinds(updates)).toEqual(
      expect.arrayContaining(["tool_call pending", "tool_call_update in_progress", "tool_call_update completed"]),
    );
    const finished = updates.find((update) => update.status === "completed");
    expect(finished.content[0].content.text).toContain("the cat sat 😀");
    const messages = updates.filter((update) => update.sessionUpdate === "agent_message_chunk");
    expect(messages.map((update) => update.content.text)).toEqual(["Let me look.", "It says: the cat sat 😀"]);
    expect(updates[0]._meta.goose.activeRunId).toMatch(/^run_/u);
    expect(updates.at(-1)._meta).toEqual({ goose: { activeRunId: null } });
    expect(JSON.stringify(model.requests[1]?.body)).toContain("the cat sat 😀");

    expect(await client.end()).toMatchObject({ code: 0, signal: null });
    expect(client.lines.length).toBe(lines);
  });

  test("a cancel ends a hanging model request at once, and the next prompt works", async () => {
    const { model, client } = await start(dialect);
    const sessionId = await newSession(client);
    model.say("hang", { text: "fine" });
    const answer = prompt(client, sessionId, "think");
    await model.until("the request", (requests) => requests.length === 1);
    client.notify("session/cancel", { sessionId });
    expect((await answer).result).toEqual({ stopReason: "cancelled" });
    await model.until("the hang-up", ([request]) => request?.aborted === true);
    expect((await prompt(client, sessionId, "again")).result).toEqual({ stopReason: "end_turn" });
    await client.end();
  });

  test("a cancel ends a running tool, which is shown as failed, and history stays valid", async () => {
    const { model, client } = await start(dialect);
    const sessionId = await newSession(client, { mcpServers: [everythingServer()] });
    model.say(
      { calls: [{ name: "everything__trigger-long-running-operation", arguments: { duration: 60, steps: 2 } }] },
      { text: "fine" },
    );
    const answer = prompt(client, sessionId, "wait for it");
    await client.until("start of the tool", (frame) => frame.params?.update?.status === "in_progress");
    client.notify("session/cancel", { sessionId });
    expect((await answer).result).toEqual({ stopReason: "cancelled" });
    expect(kinds(client.updates(sessionId))).toContain("tool_call_update failed");
    expect((await prompt(client, sessionId, "again")).result).toEqual({ stopReason: "end_turn" });
    expect(model.requests).toHaveLength(2);
    const exit = await client.end();
    expect(exit.code).toBe(0);
  });
});
