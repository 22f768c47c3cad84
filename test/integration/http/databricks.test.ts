/** The ways to Databricks' models, as they are on the wire (`spec/providers.md` 5.6, 5.7 and 18.7). */
import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../../src/shell/config/config.js";
import { openModels } from "../../../src/shell/model/models.js";
import { createSecrets } from "../../../src/shell/secrets.js";
import { answering, respond } from "./servers.js";

interface Seen {
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly body: Record<string, unknown>;
}

const open = async (name: string) => {
  const seen: Seen[] = [];
  const server = await answering((request, response) => {
    const { url, headers } = request;
    const body = JSON.parse(server.requests.at(-1) ?? "{}") as Record<string, unknown>;
    seen.push({ url, authorization: headers.authorization, body });
    respond(400, "enough")(request, response);
  });
  const env = {
    BUZZ_AGENT_PROVIDER: name,
    DATABRICKS_HOST: server.url,
    DATABRICKS_TOKEN: "dapi-1",
    BUZZ_AGENT_MODEL: "first",
  };
  const config = readConfig(env, () => E.left("ENOENT"));
  if (E.isLeft(config)) throw new Error(config.left.fault);
  const models = openModels(config.right, createSecrets([]), () => undefined);
  onTestFinished(models.close);
  const ask = async (model: string): Promise<Seen | undefined> => {
    const settings = models.settings(model, O.none);
    const history = [{ kind: "user", turn: 1, origin: "prompt", text: "hi" } as const];
    const request = { settings, system: "s", tools: [], history, maxOutputTokens: 10 };
    await models.port.call(request, new AbortController().signal, () => undefined);
    return seen.at(-1);
  };
  return { ask };
};

test.each([
  ["databricks", "goose-model", "/serving-endpoints/goose-model/invocations", "messages", undefined],
  ["databricks_v2", "databricks-gpt-5-5", "/ai-gateway/openai/v1/responses", "input", "databricks-gpt-5-5"],
  [
    "databricks_v2",
    "databricks-claude-opus-4-7",
    "/ai-gateway/anthropic/v1/messages",
    "messages",
    "databricks-claude-opus-4-7",
  ],
  ["databricks_v2", "llama-4", "/ai-gateway/mlflow/v1/chat/completions", "messages", "llama-4"],
])("%s with %s goes to %s", async (provider, model, url, content, sentModel) => {
  const { ask } = await open(provider);
  const seen = await ask(model);
  expect(seen).toMatchObject({ url, authorization: "Bearer dapi-1" });
  expect(seen?.body["model"]).toBe(sentModel);
  expect(Array.isArray(seen?.body[content])).toBe(true);
});

test("another model of the same session takes another way", async () => {
  const serving = await open("databricks");
  expect((await serving.ask("one"))?.url).toBe("/serving-endpoints/one/invocations");
  expect((await serving.ask("two"))?.url).toBe("/serving-endpoints/two/invocations");
  const gateway = await open("databricks_v2");
  expect((await gateway.ask("gpt-5"))?.url).toBe("/ai-gateway/openai/v1/responses");
  expect((await gateway.ask("claude-sonnet-5"))?.url).toBe("/ai-gateway/anthropic/v1/messages");
});
