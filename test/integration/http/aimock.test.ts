import { LLMock } from "@copilotkit/aimock";
import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import { describe, expect, onTestFinished, test } from "vitest";
import type { HistoryItem } from "../../../src/core/history.js";
import type { ModelRequest, Tool } from "../../../src/core/model.js";
import { readConfig } from "../../../src/shell/config/config.js";
import { describeConfigError, type Environment } from "../../../src/shell/config/read.js";
import { createSecrets } from "../../../src/shell/secrets.js";
import { openModels } from "../../../src/shell/model/models.js";
import type { ModelAnswer } from "../../../src/shell/ports.js";

/** A mock of the providers by somebody else, spoken to with everything real: environment, dialect, transport. */
const startMock = async (): Promise<LLMock> => {
  const mock = new LLMock({ port: 0 });
  await mock.start();
  onTestFinished(() => mock.stop());
  return mock;
};

const dialects: readonly (readonly [string, (url: string) => Environment])[] = [
  [
    "Anthropic Messages",
    (url) => ({ BUZZ_AGENT_PROVIDER: "anthropic", ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: url }),
  ],
  [
    "Chat Completions",
    (url) => ({ BUZZ_AGENT_PROVIDER: "openai", OPENAI_COMPAT_API_KEY: "k", OPENAI_COMPAT_BASE_URL: `${url}/v1` }),
  ],
  [
    "Responses",
    (url) => ({
      BUZZ_AGENT_PROVIDER: "openai",
      OPENAI_COMPAT_API_KEY: "k",
      OPENAI_COMPAT_BASE_URL: `${url}/v1`,
      OPENAI_COMPAT_API: "responses",
    }),
  ],
  [
    "OpenRouter",
    (url) => ({ BUZZ_AGENT_PROVIDER: "openrouter", OPENROUTER_API_KEY: "k", OPENROUTER_BASE_URL: `${url}/api/v1` }),
  ],
];

const open = (env: Environment) => {
  const config = readConfig({ BUZZ_AGENT_MODEL: "test-model", ...env }, () => E.left("ENOENT"));
  if (E.isLeft(config)) throw new Error(describeConfigError(config.left));
  return openModels(
    { ...config.right, limits: { ...config.right.limits, backoffBaseMs: 5 } },
    createSecrets([]),
    () => undefined,
  );
};

const readTool: Tool = {
  name: "files__read",
  description: "Reads a file.",
  schema: '{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}',
  readOnly: true,
  builtIn: false,
};

const user: HistoryItem = { kind: "user", turn: 1, origin: "prompt", text: "what is in notes.txt?" };

const asked = (models: ReturnType<typeof open>, history: readonly HistoryItem[]): Promise<ModelAnswer> => {
  const settings = models.settings(models.configured, O.none);
  const request: ModelRequest = { settings, system: "Be brief.", tools: [readTool], history, maxOutputTokens: 1000 };
  return models.port.call(request, new AbortController().signal, () => undefined);
};

const reply = (answer: ModelAnswer) => {
  if (answer.kind === "failed") throw new Error(answer.failure.message);
  return answer;
};

describe.each(dialects)("%s", (_name, environment) => {
  test("a tool call and the answer to its result", async () => {
    const mock = await startMock();
    mock.on(
      { hasToolResult: false },
      { toolCalls: [{ name: "files__read", arguments: '{"path":"notes.txt"}', id: "call_1" }] },
    );
    mock.on({ hasToolResult: true }, { content: "It says hello." });
    const models = open(environment(mock.url));

    const first = reply(await asked(models, [user]));
    const [call] = first.reply.calls;
    expect(first.reply.stop).toEqual({ kind: "toolUse" });
    expect(call).toMatchObject({ name: "files__read", providerId: "call_1" });
    expect(JSON.parse(call?.argumentsText ?? "")).toEqual({ path: "notes.txt" });

    const parts = [{ kind: "text" as const, text: "hello" }];
    const assistant: HistoryItem = {
      kind: "assistant",
      turn: 1,
      text: first.reply.text,
      exchanges: [
        {
          call: {
            key: "t1r1c1",
            providerId: "call_1",
            name: "files__read",
            argumentsText: '{"path":"notes.txt"}',
            extra: "",
          },
          outcome: { kind: "closed", result: { parts, isError: false } },
        },
      ],
      replay: first.reply.replay,
    };
    const second = reply(await asked(models, [user, assistant]));
    expect(second.reply).toMatchObject({ text: "It says hello.", stop: { kind: "end" } });
    expect(second.reply.usage.input.kind).toBe("exact");
  });

  test.each([
    [400, "invalidRequest", 1],
    [401, "authentication", 1],
    [404, "modelNotFound", 1],
    [429, "rateLimited", 3],
    [500, "serverError", 3],
  ] as const)("a %i is %s after %i tries", async (status, kind, tries) => {
    const mock = await startMock();
    mock.onMessage(/.*/, { error: { message: "something went wrong", type: "some_error" }, status });
    const answer = await asked(open(environment(mock.url)), [user]);
    expect(answer).toMatchObject({ kind: "failed", failure: { kind, status: O.some(status) }, attempts: { tries } });
    expect(answer.kind === "failed" ? answer.failure.message : "").toMatch(
      new RegExp(`answered ${status} .*something went wrong.*\\(model test-model, ${tries} attempts? in `),
    );
  });

  test("malformed replies are tried again", async () => {
    const mock = await startMock();
    mock.onMessage(/.*/, { content: "fine" });
    mock.setChaos({ malformedRate: 1 });
    const answer = await asked(open(environment(mock.url)), [user]);
    expect(answer).toMatchObject({ kind: "failed", failure: { kind: "badReply" }, attempts: { tries: 3 } });
  });

  test("a connection that ends in the middle of every reply is a transport failure", async () => {
    const mock = await startMock();
    mock.onMessage(/.*/, { content: "fine" });
    mock.setChaos({ disconnectRate: 1 });
    const answer = await asked(open(environment(mock.url)), [user]);
    expect(answer).toMatchObject({ kind: "failed", failure: { kind: "transport" }, attempts: { tries: 3 } });
  });
});
