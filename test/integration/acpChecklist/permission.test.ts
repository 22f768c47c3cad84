/** `spec/acp.md` section 4, permission. Names begin with the numbers of the items. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Frame, RawClient } from "../../support/rawClient.js";
import { type ScriptedModel, startScriptedModel } from "../../support/scriptedModel.js";
import { everythingServer, initialized, newSession, prompt } from "../../support/sessions.js";

let model: ScriptedModel;
let client: RawClient;

beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(async () => model.close());
afterEach(() => client.process.kill("SIGKILL"));

const start = async (onRequest?: (request: Frame) => unknown): Promise<RawClient> => {
  client = await initialized(model, {
    env: { TURNFOLD_PERMISSIONS: "always" },
    ...(onRequest === undefined ? {} : { onRequest }),
  });
  return client;
};
const callOnce = (): void => {
  model.say({ calls: [{ name: "everything__echo", arguments: { message: "x".repeat(10_000) } }] }, { text: "done" });
};
const select = (optionId: string) => (): unknown => ({ outcome: { outcome: "selected", optionId } });
const questions = (): readonly Frame[] =>
  client.frames.filter((frame) => frame.method === "session/request_permission");
const statuses = (sessionId: string): readonly string[] =>
  client.updates(sessionId).flatMap((update) => (update.toolCallId === undefined ? [] : [update.status]));

describe("permission", () => {
  test("81: the question comes behind the announcement, with an allow and a reject, and says that it is shortened", async () => {
    await start(select("allow_once"));
    const sessionId = await newSession(client, { mcpServers: [everythingServer()] });
    callOnce();
    expect((await prompt(client, sessionId, "go")).result).toEqual({ stopReason: "end_turn" });
    const [question] = questions();
    const announced = client.frames.findIndex((frame) => frame.params?.update?.sessionUpdate === "tool_call");
    const started = client.frames.findIndex((frame) => frame.params?.update?.status === "in_progress");
    expect(client.frames.indexOf(question)).toBeGreaterThan(announced);
    expect(client.frames.indexOf(question)).toBeLessThan(started);
    const options = question.params.options.map((option: Frame) => option.kind);
    expect(options).toEqual(["allow_once", "allow_always", "reject_once"]);
    expect(new Set(question.params.options.map((option: Frame) => option.optionId)).size).toBe(3);
    expect(question.params.toolCall.content[0].content.text).toContain("shortened");
    expect(statuses(sessionId)).toEqual(["pending", "in_progress", "completed"]);
    await client.end();
  });

  test.each<[string, string]>([
    ["a rejection", '"result":{"outcome":{"outcome":"selected","optionId":"reject_once"}}'],
    ["cancelled", '"result":{"outcome":{"outcome":"cancelled"}}'],
    ["an unknown option", '"result":{"outcome":{"outcome":"selected","optionId":"allow"}}'],
    ["an unknown outcome", '"result":{"outcome":{"outcome":"approved","optionId":"allow_once"}}'],
    ["nothing at all", '"result":null'],
    ["an error", '"error":{"code":-32601,"message":"no such method"}'],
    [
      "result and error",
      '"result":{"outcome":{"outcome":"selected","optionId":"allow_once"}},"error":{"code":1,"message":"x"}',
    ],
  ])("82, 25: %s is no permission: the call fails, the turn goes on", async (_what, members) => {
    await start();
    const sessionId = await newSession(client, { mcpServers: [everythingServer()] });
    callOnce();
    const answer = prompt(client, sessionId, "go");
    const { id } = await client.until("question", (frame) => frame.method === "session/request_permission");
    client.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${members}}\n`);
    // A second answer to the same question comes too late to matter.
    client.write(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"outcome":{"outcome":"selected","optionId":"allow_once"}}}\n`,
    );
    expect((await answer).result).toEqual({ stopReason: "end_turn" });
    expect(statuses(sessionId)).toEqual(["pending", "failed"]);
    await client.end();
  });

  test("83: allow always holds for the same tool in this session only", async () => {
    await start(select("allow_always"));
    const [one, two] = [
      await newSession(client, { mcpServers: [everythingServer()] }),
      await newSession(client, { mcpServers: [everythingServer()] }),
    ];
    for (const [sessionId, asked] of [
      [one, 1],
      [one, 1],
      [two, 2],
    ] as const) {
      callOnce();
      await prompt(client, sessionId, "go");
      expect(questions()).toHaveLength(asked);
    }
    await client.end();
  });

  test("84, 86, 94: a question that nobody answers holds up no other session; a cancel ends and withdraws it", async () => {
    await start();
    const [one, two] = [await newSession(client, { mcpServers: [everythingServer()] }), await newSession(client)];
    callOnce();
    const answer = prompt(client, one, "go");
    const { id } = await client.until("question", (frame) => frame.method === "session/request_permission");
    model.say({ text: "meanwhile" });
    expect((await prompt(client, two, "hello")).result).toEqual({ stopReason: "end_turn" });
    client.notify("session/cancel", { sessionId: one });
    expect((await answer).result).toEqual({ stopReason: "cancelled" });
    expect(client.frames.find((frame) => frame.method === "$/cancel_request")?.params).toEqual({ requestId: id });
    // 85: and the late answer changes nothing.
    client.write(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"outcome":{"outcome":"selected","optionId":"allow_once"}}}\n`,
    );
    expect((await prompt(client, one, "again")).result).toEqual({ stopReason: "end_turn" });
    expect(statuses(one)).toEqual(["pending", "failed"]);
    await client.end();
  });
});
