// `openai-mock-api`, the strictest reader of Chat requests that can be had: it refuses unknown roles, results without their call's
// id, arguments that are no JSON, and whatever does not match its conversation word for word.
import { startMockServer } from "openai-mock-api";
import { describe, expect, onTestFinished, test } from "vitest";
import type { HistoryItem } from "../../../src/core/history.js";
import { dialectFor, type ProviderName } from "../../../src/providers/index.js";
import { staticCredential } from "../../../src/shell/model/credential.js";
import type { ModelAnswer } from "../../../src/shell/ports.js";
import { assistant, exchange, provider, request, user } from "../../unit/providers/fixtures.js";
import { failed, modelPort } from "./asking.js";
import { closedPort } from "./servers.js";

const call = (id: string) => ({
  id,
  type: "function" as const,
  function: { name: "files__read", arguments: '{"path":"a"}' },
});

/** A whole turn; each request must be its beginning. */
const conversation = [
  { role: "system" as const, content: "Be brief." },
  { role: "user" as const, content: "read both" },
  { role: "assistant" as const, tool_calls: [call("call_1"), call("call_2")] },
  { role: "tool" as const, content: "done", tool_call_id: "call_1" },
  { role: "tool" as const, content: "done", tool_call_id: "call_2" },
  { role: "assistant" as const, content: "Both are read." },
  { role: "user" as const, content: "thanks" },
  { role: "assistant" as const, content: "Any time." },
];

const startMock = async (): Promise<string> => {
  const port = await closedPort();
  const config = { apiKey: "key", responses: [{ id: "turn", messages: conversation }] };
  const mock = await startMockServer({ config, port, logFile: "/dev/null" });
  onTestFinished(() => mock.stop());
  return `http://127.0.0.1:${port}/v1`;
};

const asking = async (name: ProviderName, key: string) => {
  const baseUrl = await startMock();
  const settings = provider(name, { baseUrl, api: "chat" });
  const port = await modelPort(baseUrl, {
    credential: staticCredential({ kind: "key", header: "bearer", key, variable: "KEY" }),
    dialects: { dialectFor: (model) => dialectFor(settings, model, false), demandsUpgrade: () => false },
    limits: { llmTimeoutSeconds: 20 },
  });
  return (history: readonly HistoryItem[]): Promise<ModelAnswer> =>
    port.call(request(history), new AbortController().signal, () => undefined);
};

describe.each(["openai", "openrouter", "deepseek", "ollama", "huggingface"] as const)("%s", (name) => {
  test("a turn with parallel calls is understood word for word", async () => {
    const ask = await asking(name, "key");
    // It always says the conversation's last text; what it reads is the point here.
    expect(await ask([user("read both")])).toMatchObject({ kind: "replied", reply: { stop: { kind: "end" } } });
    const called = [user("read both"), assistant("", [exchange({ id: "call_1" }), exchange({ id: "call_2" })])];
    const second = await ask(called);
    expect(second).toMatchObject({ kind: "replied", reply: { text: "Any time.", stop: { kind: "end" } } });
    const third = await ask([...called, assistant("Both are read."), user("thanks")]);
    expect(third).toMatchObject({ kind: "replied", reply: { text: "Any time.", usage: { input: { kind: "exact" } } } });
  });
});

test("a wrong key and a conversation that it does not know are told as what they are", async () => {
  const wrong = await asking("openai", "other");
  expect(failed(await wrong([user("read both")]))).toMatchObject({ kind: "authentication", tries: 1 });
  const ask = await asking("openai", "key");
  expect(failed(await ask([user("something else")]))).toMatchObject({ kind: "invalidRequest", tries: 1 });
});
