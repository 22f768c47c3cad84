/** A whole turn of the built agent with a model server that others wrote, in both dialects. */
import { LLMock } from "@copilotkit/aimock";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type RawClient, startClient } from "../support/rawClient.js";
import { everythingServer, filesServer, kinds, newSession, prompt, temporaryFolder } from "../support/sessions.js";

let mock: LLMock;
let client: RawClient;

beforeEach(async () => {
  mock = new LLMock({ port: 0 });
  await mock.start();
});
afterEach(async () => {
  client.process.kill("SIGKILL");
  await mock.stop();
});

const dialects: readonly (readonly [string, (url: string) => Record<string, string>])[] = [
  [
    "Chat Completions",
    (url) => ({
      BUZZ_AGENT_PROVIDER: "openai",
      OPENAI_COMPAT_API: "chat",
      OPENAI_COMPAT_API_KEY: "test-key-0001",
      OPENAI_COMPAT_BASE_URL: `${url}/v1`,
    }),
  ],
  [
    "Messages",
    (url) => ({ BUZZ_AGENT_PROVIDER: "anthropic", ANTHROPIC_API_KEY: "test-key-0001", ANTHROPIC_BASE_URL: url }),
  ],
];

test.each(dialects)(
  "a turn with a tool call over %s, and a failure that the next prompt survives",
  async (_name, environment) => {
    const folder = temporaryFolder({ "notes.txt": "a hedgehog" });
    mock.on({ userMessage: "broken" }, { error: { message: "out of order", type: "server_error" }, status: 400 });
    mock.on(
      { hasToolResult: false },
      { toolCalls: [{ name: "files__read_text_file", arguments: JSON.stringify({ path: `${folder}/notes.txt` }) }] },
    );
    mock.on({ hasToolResult: true }, { content: "It says: a hedgehog." });
    client = startClient({ env: { ...environment(mock.url), BUZZ_AGENT_MODEL: "mock" } });
    await client.request("initialize", { protocolVersion: 2, clientCapabilities: {} });
    const sessionId = await newSession(client, { cwd: folder, mcpServers: [filesServer(folder), everythingServer()] });
    expect((await prompt(client, sessionId, "what do the notes say?")).result).toEqual({ stopReason: "end_turn" });
    expect(kinds(client.updates())).toEqual([
      "session_info_update",
      "usage_update",
      "tool_call pending",
      "tool_call_update in_progress",
      "tool_call_update completed",
      "usage_update",
      "agent_message_chunk",
      "session_info_update",
    ]);
    const counted = client.frames.filter((frame) => frame.method === "_goose/unstable/session/update");
    expect(counted).toHaveLength(3);
    expect(counted[2].params.update).toEqual(counted[1].params.update);
    expect((await prompt(client, sessionId, "broken")).error).toMatchObject({
      code: -32603,
      data: { status: 400, model: "mock" },
    });
    expect((await prompt(client, sessionId, "and now?")).result).toEqual({ stopReason: "end_turn" });
    expect(await client.end()).toMatchObject({ code: 0 });
  },
);
