/** `spec/acp.md` section 4, cancel and concurrency. Names begin with the numbers of the items. */
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

const promptFrame = (id: number, sessionId: string): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text: "go" }] } })}\n`;
const cancelFrame = (sessionId: string): string =>
  `${JSON.stringify({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } })}\n`;
const answerTo = async (id: number | string): Promise<Frame> =>
  client.until(`answer ${id}`, (frame) => frame.method === undefined && frame.id === id);

describe("cancel", () => {
  test("87, 88: a cancel at the first update ends the turn as cancelled in less than 2 s, and then it is quiet", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client);
    model.say("hang");
    const answer = prompt(client, sessionId, "go");
    await client.until("first update", (frame) => frame.params?.sessionId === sessionId);
    const since = Date.now();
    client.notify("session/cancel", { sessionId });
    expect((await answer).result).toEqual({ stopReason: "cancelled" });
    expect(Date.now() - since).toBeLessThan(2000);
    await client.request("nothing/such", {});
    expect(client.updates(sessionId).at(-1)._meta).toEqual({ goose: { activeRunId: null } });
    await client.end();
  });

  test("89, 96: a cancel in the same write as its prompt finds it, and there is one response", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client);
    model.say("hang");
    client.write(promptFrame(50, sessionId) + cancelFrame(sessionId));
    expect((await answerTo(50)).result).toEqual({ stopReason: "cancelled" });
    // A cancel that races the end of the turn: either outcome, but one response.
    model.say({ text: "quick" });
    for (let id = 60; id < 70; id += 1) {
      client.write(promptFrame(id, sessionId));
      if (id % 2 === 0)
        await client.until("its message", (frame) => frame.params?.update?.sessionUpdate === "agent_message_chunk");
      client.write(cancelFrame(sessionId));
      expect(["end_turn", "cancelled"]).toContain((await answerTo(id)).result.stopReason);
    }
    await client.request("nothing/such", {});
    for (let id = 60; id < 70; id += 1) expect(client.frames.filter((frame) => frame.id === id)).toHaveLength(1);
    await client.end();
  });

  test("90: idle, unknown and doubled cancels are not answered and do not poison the next prompt", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client);
    client.write(cancelFrame(sessionId) + cancelFrame("ses_unknown") + cancelFrame(sessionId));
    model.say({ text: "ok" });
    expect((await prompt(client, sessionId, "go")).result).toEqual({ stopReason: "end_turn" });
    expect(client.frames.filter((frame) => frame.method === undefined)).toHaveLength(3);
    await client.end();
  });

  test("93: $/cancel_request of the prompt ends it; of anything else it does nothing", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client);
    model.say("hang");
    client.write(promptFrame(7, sessionId));
    await client.until("start", (frame) => frame.params?.sessionId === sessionId);
    for (const requestId of ["7", 8, null, undefined, {}]) client.notify("$/cancel_request", { requestId });
    await client.request("nothing/such", {});
    expect(client.frames.some((frame) => frame.id === 7)).toBe(false);
    client.notify("$/cancel_request", { requestId: 7 });
    expect((await answerTo(7)).result).toEqual({ stopReason: "cancelled" });
    await client.end();
  });

  test("95: session/cancel as a request is answered null, and cancels", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client);
    model.say("hang");
    const answer = prompt(client, sessionId, "go");
    await client.until("start", (frame) => frame.params?.sessionId === sessionId);
    expect((await client.request("session/cancel", { sessionId })).result).toBeNull();
    expect((await answer).result).toEqual({ stopReason: "cancelled" });
    expect((await client.request("session/cancel", { sessionId: "ses_unknown" })).result).toBeNull();
    await client.end();
  });
});

describe("concurrency", () => {
  test("97: a second prompt is refused as busy at once, also while a cancel drains, and the first is unharmed", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client);
    let release: (answer: { text: string }) => void = () => undefined;
    model.say(
      async () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    );
    const seen = model.requests.length;
    const first = prompt(client, sessionId, "one");
    await model.until("the request", (requests) => requests.length > seen);
    expect((await prompt(client, sessionId, "two")).error).toMatchObject({ code: -32602, data: { kind: "busy" } });
    release({ text: "unharmed" });
    expect((await first).result).toEqual({ stopReason: "end_turn" });
    expect(model.requests).toHaveLength(seen + 1);
    await client.end();
  });

  test("98, 99: twenty sessions are opened, prompted and closed in parallel, each with its own updates", async () => {
    client = await initialized(model);
    model.say((request) => ({ text: `to ${request.body.messages.at(-1).content}` }));
    const one = async (name: string): Promise<readonly string[]> => {
      const sessionId = await newSession(client);
      expect((await prompt(client, sessionId, name)).result).toEqual({ stopReason: "end_turn" });
      expect((await client.request("session/close", { sessionId })).result).toEqual({});
      return client.updates(sessionId).flatMap((update) => (update.content === undefined ? [] : [update.content.text]));
    };
    const names = Array.from({ length: 20 }, (_, index) => `number ${index}`);
    expect(await Promise.all(names.map(one))).toEqual(names.map((name) => [`to ${name}`]));
    await client.end();
  });

  test("100: another initialize and another session are answered while a turn runs", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client);
    model.say("hang");
    void prompt(client, sessionId, "go");
    expect((await client.request("initialize", { protocolVersion: 1 })).result.protocolVersion).toBe(1);
    await newSession(client);
    expect((await client.end()).code).toBe(0);
  });
});

describe("steering and closing", () => {
  test("a steer reaches the model in the running turn; its response comes before queuedSteer", async () => {
    client = await initialized(model, {}, { protocolVersion: 2 });
    const sessionId = await newSession(client, { mcpServers: [everythingServer()] });
    let release: (answer: { text: string }) => void = () => undefined;
    model.say(
      async () =>
        new Promise((resolve) => {
          release = resolve;
        }),
      { text: "done" },
    );
    const seen = model.requests.length;
    const answer = prompt(client, sessionId, "go");
    await model.until("the request", (requests) => requests.length > seen);
    const start = await client.until(
      "run id",
      (frame) => frame.params?.update?._meta?.goose?.activeRunId !== undefined,
    );
    const expectedRunId = start.params.update._meta.goose.activeRunId;
    const steer = async (params: object): Promise<Frame> =>
      client.request("_goose/unstable/session/steer", {
        sessionId,
        prompt: [{ type: "text", text: "and hurry" }],
        expectedRunId,
        ...params,
      });
    expect((await steer({ expectedRunId: "run_other" })).error).toMatchObject({
      code: -32602,
      data: { kind: "otherRun" },
    });
    expect((await steer({ expectedRunId: "" })).error.code).toBe(-32602);
    expect((await steer({ prompt: [] })).error).toMatchObject({ code: -32602, data: { kind: "empty" } });
    expect((await steer({ prompt: [{ type: "image" }] })).error.code).toBe(-32602);
    expect((await steer({ sessionId: "ses_x" })).error.code).toBe(-32002);
    const accepted = await steer({});
    expect(accepted.result).toEqual({ runId: expectedRunId, messageId: expect.stringMatching(/^steer_/u) });
    const queued = await client.until(
      "queuedSteer",
      (frame) => frame.params?.update?._meta?.goose?.queuedSteer !== undefined,
    );
    expect(client.frames.indexOf(queued)).toBe(client.frames.indexOf(accepted) + 1);
    release({ text: "working" });
    await answer;
    expect(model.requests.at(-1)?.body.messages.at(-1)).toEqual({ role: "user", content: "and hurry" });
    expect((await steer({})).error).toMatchObject({ code: -32602, data: { kind: "noTurn" } });
    await client.end();
  });

  test("105, 107, 108: close cancels and answers the turn, then the id is unknown; closing again is {}", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client);
    model.say("hang");
    const answer = prompt(client, sessionId, "go");
    await client.until("start", (frame) => frame.params?.sessionId === sessionId);
    const closed = client.request("session/close", { sessionId });
    expect((await answer).result).toEqual({ stopReason: "cancelled" });
    expect((await closed).result).toEqual({});
    expect(client.frames.indexOf(await closed)).toBeGreaterThan(client.frames.indexOf(await answer));
    for (const id of [sessionId, "../x", "x".repeat(4096), ""]) {
      expect((await prompt(client, id, "again")).error).toMatchObject({ code: -32002, data: { sessionId: id } });
      expect((await client.request("session/close", { sessionId: id })).result).toEqual({});
    }
    await client.end();
  });

  test("an idle session is closed after its time, one with a running turn is not", async () => {
    client = await initialized(model, { env: { BUZZ_AGENT_SESSION_IDLE_TIMEOUT_SECS: "1" } });
    const [idle, busy] = [await newSession(client), await newSession(client)];
    model.say("hang");
    void prompt(client, busy, "go");
    await new Promise((resolve) => {
      setTimeout(resolve, 1300);
    });
    expect((await prompt(client, idle, "late")).error).toMatchObject({ code: -32002, data: { sessionId: idle } });
    expect((await prompt(client, busy, "second")).error).toMatchObject({ data: { kind: "busy" } });
    await client.end();
  });
});
