/** What no well-behaved client does: each of these once broke a promise to the others. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { RawClient } from "../support/rawClient.js";
import { type ScriptedModel, startScriptedModel } from "../support/scriptedModel.js";
import { initialized, newSession } from "../support/sessions.js";

let model: ScriptedModel;
let client: RawClient;

beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(async () => model.close());
afterEach(() => client.process.kill("SIGKILL"));

describe("a hostile client", () => {
  // The running prompt was known by its id alone, so the refused one of the same id (`null` is legal, and nothing forbids it
  // twice) took it along: no sign of life from then on, and `$/cancel_request` found nothing. Kills a set of ids.
  test("that gives two prompts the id null keeps the first one's signs of life and can cancel it", async () => {
    client = await initialized(model, { env: { TURNFOLD_HEARTBEAT_MS: "100" } });
    const sessionId = await newSession(client);
    model.say("hang");
    for (const text of ["first", "second"]) {
      const params = { sessionId, prompt: [{ type: "text", text }] };
      client.write(`${JSON.stringify({ jsonrpc: "2.0", id: null, method: "session/prompt", params })}\n`);
    }
    const refused = await client.until("refusal", (frame) => frame.id === null && frame.error !== undefined);
    expect(refused.error.data.kind).toBe("busy");
    const before = client.updates(sessionId).length;
    await client.until("sign of life", () => client.updates(sessionId).length > before + 1);
    client.notify("$/cancel_request", { requestId: null });
    const answer = await client.until("answer", (frame) => frame.id === null && frame.result !== undefined);
    expect(answer.result).toEqual({ stopReason: "cancelled" });
    await client.end();
  });

  // It was echoed whole, in a frame of 3 MiB.
  test("that makes up a session id of 3 MiB gets an error in a small frame", async () => {
    client = await initialized(model);
    const sessionId = "s".repeat(3 * 1024 * 1024);
    const answer = await client.request("session/prompt", { sessionId, prompt: [] });
    expect(answer.error.code).toBe(-32002);
    expect(sessionId.startsWith(answer.error.data.sessionId)).toBe(true);
    expect(JSON.stringify(answer).length).toBeLessThan(128 * 1024);
    await client.end();
  });
});
