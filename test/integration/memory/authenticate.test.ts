/**
 * The `authenticate` row of `spec/memory-agent-and-harness.md` 1.17, adjusted to decisions.md: no method is advertised, so
 * none is known, and an unknown one is refused; the prior art answered `{}` to anything.
 */
import { expect, test } from "vitest";
import { startClient } from "../../support/rawClient.js";
import { temporaryFolder } from "../../support/sessions.js";

test("an unknown login method is refused, and the session goes on", async () => {
  const store = temporaryFolder({ "shed.md": "Blue was chosen for the shed." });
  const client = startClient({ args: ["memory", "--store", store] });
  const hello = await client.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  expect(hello.result.authMethods).toEqual([]);
  const refused = await client.request("authenticate", { methodId: "anything" });
  expect(refused.error.code).toBe(-32602);
  const opened = await client.request("session/new", { cwd: store, mcpServers: [] });
  expect(typeof opened.result.sessionId).toBe("string");
  expect(await client.end()).toMatchObject({ code: 0 });
});
