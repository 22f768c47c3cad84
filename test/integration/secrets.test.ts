/** A configured key goes to the model server's header and nowhere else: not to servers, records, the log or the client. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { faultEntry } from "../support/faultTools.js";
import { startScriptedModel } from "../support/scriptedModel.js";
import { initialized, newSession, prompt, temporaryFolder } from "../support/sessions.js";

const KEY = "sk-live-5d1c0f7e9a3b4c62";

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "latin1"));

// A server that dumps its environment, and a provider that says the key back in its refusal.
test.each([
  ["chat", "OPENAI_COMPAT_API_KEY"],
  ["messages", "ANTHROPIC_API_KEY"],
] as const)("With %s, the key in %s is in nothing that the agent writes", async (dialect, variable) => {
  const model = await startScriptedModel(dialect);
  const record = temporaryFolder();
  const client = await initialized(model, { env: { [variable]: KEY, TURNFOLD_RECORD: record } });
  try {
    const sessionId = await newSession(client, { mcpServers: [faultEntry("f", { OWN: "own value" })] });
    model.say({ calls: [{ name: "f__env", arguments: {} }] }, { text: "Seen." });
    expect((await prompt(client, sessionId, "go")).result).toEqual({ stopReason: "end_turn" });
    const dumped = JSON.stringify(model.requests.at(-1)?.body);
    expect(dumped).toContain("own value");
    expect(dumped).not.toMatch(/BUZZ_AGENT_|TURNFOLD_|_API_KEY/);
    model.say({ status: 401, body: JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}.` } }) });
    expect((await prompt(client, sessionId, "again")).error.message).toContain("Incorrect API key provided");
    expect(await client.end()).toMatchObject({ code: 0 });
    const recorded = filesOf(record);
    expect(recorded.join("")).toContain("own value");
    const written = [...client.lines, client.stderr(), dumped, ...recorded];
    expect(written.filter((text) => text.includes(KEY))).toEqual([]);
  } finally {
    client.process.kill("SIGKILL");
    await model.close();
  }
});
