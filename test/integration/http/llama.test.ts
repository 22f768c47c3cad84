// The real `llama-server`: somebody else's reader of our requests and writer of our replies, in all three dialects. It found that a
// message which the assistant had said needs its type in a Responses request, and that images are refused with a 500.
//
// Runs where TURNFOLD_LLAMA_DIR names a folder with `root/` (Debian's llama.cpp, unpacked) and `toy.gguf` (the toy model, see
// AGENTS.md); elsewhere it is counted as skipped.
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { HistoryItem } from "../../../src/core/history.js";
import type { ModelReply } from "../../../src/core/model.js";
import { dialectFor, type ProviderName, type ProviderSettings } from "../../../src/providers/index.js";
import type { ModelAnswer } from "../../../src/shell/ports.js";
import { assistant, exchange, image, note, provider, request, user } from "../../unit/providers/fixtures.js";
import { modelPort } from "./asking.js";
import { closedPort } from "./servers.js";

const folder = process.env["TURNFOLD_LLAMA_DIR"] ?? "";
const present = existsSync(path.join(folder, "toy.gguf"));

/** The unpacked program runs through its own loader, so that nothing of the system has to fit it. */
const command = (port: number): readonly [string, readonly string[]] => {
  const lib = path.join(folder, "root/usr/lib", process.arch === "arm64" ? "aarch64-linux-gnu" : "x86_64-linux-gnu");
  const loader = readdirSync(lib).find((name) => name.startsWith("ld-linux-")) ?? "";
  const libraries = [lib, path.join(lib, "ggml"), path.join(lib, "llama")].join(":");
  const program = path.join(folder, "root/usr/bin/llama-server");
  const model = ["-m", path.join(folder, "toy.gguf"), "--host", "127.0.0.1", "--port", String(port)];
  const options = ["-c", "32768", "-np", "2", "--jinja", "-n", "512", "--threads", "1", "--temp", "0"];
  return [path.join(lib, loader), ["--library-path", libraries, program, ...model, ...options]];
};

const backend = (): string => {
  const backends = path.join(folder, "root/usr/lib/x86_64-linux-gnu/ggml/backends0");
  return existsSync(backends) ? path.join(backends, "libggml-cpu-x64.so") : "";
};

const isHealthy = (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    (response) => response.ok,
    () => false,
  );

const startServer = async (): Promise<{ readonly url: string; readonly stop: () => void }> => {
  const port = await closedPort();
  const [program, options] = command(port);
  const child = spawn(program, options, { stdio: "ignore", env: { ...process.env, GGML_BACKEND_PATH: backend() } });
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + 20_000;
  while (!(await isHealthy(url))) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error("llama-server did not start");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url, stop: () => void child.kill("SIGKILL") };
};

const SPOKEN: readonly (readonly [string, ProviderName, Partial<ProviderSettings>])[] = [
  ["Messages", "anthropic", { promptCaching: true }],
  ["Chat", "ollama", {}],
  ["Chat as OpenRouter has it", "openrouter", { promptCaching: true }],
  ["Responses", "openai", { api: "responses" }],
];

const replied = (answer: ModelAnswer): ModelReply => {
  if (answer.kind === "failed") throw new Error(answer.failure.message);
  return answer.reply;
};

const closed = ({ text, calls, replay }: ModelReply): HistoryItem =>
  assistant(
    text,
    calls.map((call) => exchange({ id: call.providerId, name: call.name, argumentsText: call.argumentsText })),
    replay,
  );

describe.skipIf(!present)("llama-server", () => {
  let url = "";
  beforeAll(async () => {
    const server = await startServer();
    ({ url } = server);
    return server.stop;
  });

  const ask = async (name: ProviderName, over: Partial<ProviderSettings>, history: readonly HistoryItem[]) => {
    const settings = provider(name, { ...over, baseUrl: name === "anthropic" ? url : `${url}/v1` });
    const dialects = { dialectFor: (model: string) => dialectFor(settings, model, false), demandsUpgrade: () => false };
    const port = await modelPort(url, { dialects, limits: { llmTimeoutSeconds: 60 } });
    return port.call(request(history), new AbortController().signal, () => undefined);
  };

  test.each(SPOKEN)("%s: a turn with a call, its result, a hook's objection and the end", async (_name, name, over) => {
    const first = replied(await ask(name, over, [user("read it")]));
    expect(first).toMatchObject({ stop: { kind: "toolUse" }, usage: { input: { kind: "exact" } } });
    expect(first.calls).toHaveLength(1);
    expect(first.calls[0]).toMatchObject({ name: "files__read" });
    const called = [user("read it"), closed(first)];
    const second = replied(await ask(name, over, called));
    expect(second).toMatchObject({ text: "OK: done.", stop: { kind: "end" }, calls: [] });
    const objected = [...called, closed(second), note("not yet")];
    expect(replied(await ask(name, over, objected))).toMatchObject({ stop: { kind: "end" } });
    // A new prompt behind all of it.
    expect(await ask(name, over, [...objected, assistant("so be it"), user("once more")])).toMatchObject({
      kind: "replied",
    });
  });

  test.each(SPOKEN)(
    "%s: a refused image and a context that is too long are told as what they are",
    async (_name, name, over) => {
      const pictured = [user("look"), assistant("", [exchange({ parts: [image("iVBORw0KGgo=")] })])];
      expect(await ask(name, over, pictured)).toMatchObject({
        failure: { kind: "imageUnsupported" },
        attempts: { tries: 1 },
      });
      const long = await ask(name, over, [user("long ".repeat(20_000))]);
      expect(long).toMatchObject({ failure: { kind: "contextExceeded" }, attempts: { tries: 1 } });
    },
  );
});
