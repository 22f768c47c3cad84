// A gateway that others wrote, between us and the real llama-server. It reads our request, and where the provider behind it speaks
// another dialect it writes one of its own: what it understood of calls, results and ids is what the server then gets.
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { HistoryItem } from "../../../src/core/history.js";
import type { ModelReply } from "../../../src/core/model.js";
import { type Dialect, dialectFor, type ProviderName, type ProviderSettings } from "../../../src/providers/index.js";
import { installLlama, startLlama } from "../../support/llamaServer.js";
import { installPeer } from "../../support/peer.js";
import { assistant, exchange, provider, request, user } from "../../unit/providers/fixtures.js";
import { modelPort } from "./asking.js";
import { closedPort } from "./servers.js";

const installed = await installLlama();
const modules = await installPeer("portkey", "@portkey-ai/gateway/build/start-server.js");
const missing = installed.kind === "missing" || modules === undefined;

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

const startGateway = async (): Promise<{ readonly url: string; readonly child: ChildProcess }> => {
  const port = await closedPort();
  const program = path.join(modules ?? "", "@portkey-ai/gateway/build/start-server.js");
  const child = spawn(process.execPath, [program, "--headless", `--port=${port}`], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + 30_000;
  while (!(await answers(url))) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error("the gateway did not start");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url, child };
};

type Over = Partial<ProviderSettings>;

describe.skipIf(missing)("a gateway before llama-server", () => {
  let gateway = "";
  let behind = "";
  beforeAll(async () => {
    const [llama, { url, child }] = await Promise.all([startLlama(), startGateway()]);
    gateway = url;
    behind = llama.url;
    return () => {
      child.kill("SIGKILL");
      llama.stop();
    };
  }, 60_000);

  /** The gateway is told by headers whom to ask, and in whose dialect. */
  const through = (dialect: Dialect, speaks: string): Dialect => ({
    ...dialect,
    encode: (asked) => {
      const sent = dialect.encode(asked);
      const told = { "x-portkey-provider": speaks, "x-portkey-custom-host": `${behind}/v1` };
      return { ...sent, headers: { ...sent.headers, ...told } };
    },
  });

  const ask = async (
    name: ProviderName,
    over: Over,
    speaks: string,
    history: readonly HistoryItem[],
  ): Promise<ModelReply> => {
    const settings = provider(name, { ...over, baseUrl: name === "anthropic" ? gateway : `${gateway}/v1` });
    const dialectOf = (model: string): Dialect => through(dialectFor(settings, model, false), speaks);
    const port = await modelPort(gateway, {
      dialects: { dialectFor: dialectOf, demandsUpgrade: () => false },
      limits: { llmTimeoutSeconds: 60 },
    });
    const answer = await port.call(request(history), new AbortController().signal, () => undefined);
    if (answer.kind === "failed") throw new Error(answer.failure.message);
    return answer.reply;
  };

  test.each([
    ["Chat to Chat", "ollama", {}, "openai"],
    ["Chat to Messages", "ollama", {}, "anthropic"],
    ["Messages to Messages", "anthropic", { promptCaching: true }, "anthropic"],
    ["Responses to Responses", "openai", { api: "responses" }, "openai"],
  ] as const)("%s: a call, its result and the end", async (_name, name, over, speaks) => {
    const first = await ask(name, over, speaks, [user("read it")]);
    expect(first).toMatchObject({ stop: { kind: "toolUse" }, calls: [{ name: "files__read" }] });
    const calls = first.calls.map(({ providerId, name, argumentsText }) =>
      exchange({ id: providerId, name, argumentsText }),
    );
    const second = await ask(name, over, speaks, [user("read it"), assistant(first.text, calls, first.replay)]);
    expect(second).toMatchObject({ text: "OK: done.", stop: { kind: "end" }, usage: { input: { kind: "exact" } } });
  });
});
