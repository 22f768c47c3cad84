/**
 * Whole turns against a real model server that others wrote, in three dialects: it reads our requests with its own parser, makes
 * grammar-constrained calls of the tools that it is offered, and counts tokens. Skipped, by name, where it cannot be had.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { installLlama, startLlama, type Llama } from "../support/llamaServer.js";
import { startClient, type RawClient } from "../support/rawClient.js";
import { filesServer, newSession, prompt, temporaryFolder } from "../support/sessions.js";

const installed = await installLlama();
const why = installed.kind === "installed" ? "" : ` (skipped: ${installed.why})`;

type Environment = Readonly<Record<string, string>>;
const openai = (url: string, api: string): Environment => ({
  BUZZ_AGENT_PROVIDER: "openai",
  OPENAI_COMPAT_API_KEY: "none",
  OPENAI_COMPAT_MODEL: "toy",
  OPENAI_COMPAT_BASE_URL: `${url}/v1`,
  OPENAI_COMPAT_API: api,
});

const dialects: Readonly<Record<string, (url: string) => Environment>> = {
  "Chat Completions": (url) => openai(url, "chat"),
  Responses: (url) => openai(url, "responses"),
  "Anthropic Messages": (url) => ({
    BUZZ_AGENT_PROVIDER: "anthropic",
    ANTHROPIC_API_KEY: "none",
    ANTHROPIC_MODEL: "toy",
    ANTHROPIC_BASE_URL: url,
  }),
};

describe.skipIf(installed.kind === "missing")(`the real llama-server${why}`, () => {
  let llama: Llama | undefined;
  let client: RawClient | undefined;
  beforeAll(async () => {
    llama = await startLlama();
  });
  afterEach(() => client?.process.kill("SIGKILL"));
  afterAll(() => llama?.stop());

  test.each(Object.keys(dialects))("runs a turn with a tool call in %s and reports its tokens", async (dialect) => {
    const folder = temporaryFolder({ "notes.txt": "hello" });
    client = startClient({ env: { ...dialects[dialect]?.(llama?.url ?? ""), TURNFOLD_LOG: "debug" } });
    await client.request("initialize", {
      protocolVersion: 1,
      clientCapabilities: { _meta: { goose: { customNotifications: true } } },
    });
    const sessionId = await newSession(client, { cwd: folder, mcpServers: [filesServer(folder)] });
    const answer = await prompt(client, sessionId, "use a tool");
    expect(answer.result).toEqual({ stopReason: "end_turn" });

    const updates = client.updates(sessionId);
    const announced = updates.find((update) => update.sessionUpdate === "tool_call");
    expect(announced.title).toMatch(/^files__/u);
    const ended = updates.filter((update) => update.status === "completed" || update.status === "failed");
    expect(ended.map((update) => update.toolCallId)).toEqual([announced.toolCallId]);
    const said = updates.filter((update) => update.sessionUpdate === "agent_message_chunk");
    expect(said.at(-1)?.content.text).toBe("OK: done.");

    const reports = client.frames.filter((frame) => frame.method === "_goose/unstable/session/update");
    const inputs = reports.map((frame): number => frame.params.update.accumulatedInputTokens);
    expect(inputs.length).toBeGreaterThanOrEqual(3);
    expect(inputs[0]).toBeGreaterThan(1000);
    expect(inputs[1]).toBeGreaterThan(inputs[0] ?? 0);
    expect(inputs.at(-1)).toBe(inputs.at(-2));
    expect(await client.end()).toMatchObject({ code: 0 });
  });
});
