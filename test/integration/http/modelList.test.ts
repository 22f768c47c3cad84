import * as E from "fp-ts/lib/Either.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../../src/shell/config/config.js";
import type { Environment } from "../../../src/shell/config/read.js";
import { createSecrets } from "../../../src/shell/secrets.js";
import { openModels } from "../../../src/shell/model/models.js";
import { answering, respond } from "./servers.js";

const listing = (...ids: readonly string[]) =>
  JSON.stringify({ object: "list", data: ids.map((id) => ({ id, owned_by: "x" })) });

const list = (url: string, env: Environment = {}) => {
  const config = readConfig(
    {
      BUZZ_AGENT_PROVIDER: "openai",
      OPENAI_COMPAT_API_KEY: "k-1",
      OPENAI_COMPAT_BASE_URL: url,
      BUZZ_AGENT_MODEL: "mine",
      ...env,
    },
    () => E.left("ENOENT"),
  );
  if (E.isLeft(config)) throw new Error(config.left.fault);
  const models = openModels(config.right, createSecrets([]), () => undefined);
  onTestFinished(models.close);
  return async () => {
    const listed = await models.list(new AbortController().signal);
    return E.isLeft(listed) ? [listed.left.kind, listed.left.message] : listed.right.map(({ id }) => id);
  };
};

describe("the models to choose from", () => {
  test("are the configured one and the operator's list, and nobody is asked", async () => {
    const server = await answering(respond(200, listing("theirs")));
    expect(await list(server.url, { TURNFOLD_MODELS: "b, mine, a" })()).toEqual(["mine", "b", "a"]);
    expect(server.requests).toEqual([]);
  });

  test("with * the host's as well, asked once for the process and with the key", async () => {
    const seen: unknown[] = [];
    const server = await answering((incoming, response) => {
      seen.push([incoming.method, incoming.url, incoming.headers.authorization]);
      respond(200, listing("theirs", "mine"))(incoming, response);
    });
    const models = list(server.url, { TURNFOLD_MODELS: "*,a" });
    expect(await Promise.all([models(), models()])).toEqual([
      ["mine", "a", "theirs"],
      ["mine", "a", "theirs"],
    ]);
    expect(seen).toEqual([["GET", "/models", "Bearer k-1"]]);
  });

  // 30000 of them were one answer of 8 MiB to session/new, and every client was promised frames under 1 MiB.
  test("are as many of a host's endless list as fit a frame, the operator's own first", async () => {
    const ids = Array.from({ length: 30_000 }, (_, index) => `model-${index}-${"x".repeat(40)}`);
    const server = await answering(respond(200, listing(...ids)));
    const listed = await list(server.url, { TURNFOLD_MODELS: "*,a" })();
    expect(listed.slice(0, 3)).toEqual(["mine", "a", ids[0]]);
    expect(listed.length).toBeGreaterThan(1000);
    expect(JSON.stringify(listed).length).toBeLessThan(256 * 1024);
  });

  test.each([
    ["an error", 500, "no"],
    ["something else", 200, "[]"],
    ["no JSON", 200, "<html>"],
  ])("where the host answers %s, are the others, and the next session asks again", async (_name, status, body) => {
    let answer = respond(status, body);
    const server = await answering((request, response) => answer(request, response));
    const models = list(server.url, { TURNFOLD_MODELS: "*" });
    expect(await models()).toEqual(["mine"]);
    answer = respond(200, listing("theirs"));
    expect(await models()).toEqual(["mine", "theirs"]);
  });
});
