// The real `llama-server`: somebody else's reader of our requests and writer of our replies, in all three dialects. It found that a
// message which the assistant had said needs its type in a Responses request, and that images are refused with a 500.
import { beforeAll, describe, expect, test } from "vitest";
import type { HistoryItem } from "../../../src/core/history.js";
import type { ModelReply } from "../../../src/core/model.js";
import { dialectFor, type ProviderName, type ProviderSettings } from "../../../src/providers/index.js";
import type { ModelAnswer } from "../../../src/shell/ports.js";
import { assistant, exchange, image, note, provider, request, user } from "../../unit/providers/fixtures.js";
import { modelPort } from "./asking.js";
import { installLlama, startLlama } from "../../support/llamaServer.js";

const installed = await installLlama();
const why = installed.kind === "installed" ? "" : ` (skipped: ${installed.why})`;

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

describe.skipIf(installed.kind === "missing")(`llama-server${why}`, () => {
  let url = "";
  beforeAll(async () => {
    const server = await startLlama();
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
      const long = await ask(name, over, [user("long ".repeat(40_000))]);
      expect(long).toMatchObject({ failure: { kind: "contextExceeded" }, attempts: { tries: 1 } });
    },
  );
});
