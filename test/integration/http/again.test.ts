import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../../src/shell/config/config.js";
import { openModels } from "../../../src/shell/model/models.js";
import { createSecrets } from "../../../src/shell/secrets.js";
import type { Credential } from "../../../src/shell/model/credential.js";
import { KEY, ask, failed, modelPort, plainDialect, replied, request } from "./asking.js";
import { answering, respond } from "./servers.js";

const good = respond(200, '"hello"');
const refused = respond(401, "expired");
const never = () => new AbortController().signal;

/** Tokens as a login gives them: each renewal is the next of the list, and the last renewal gives none. */
const renewing = (...tokens: readonly string[]) => {
  const rejected: unknown[] = [];
  let at = 0;
  const headers = () => ({ authorization: `Bearer ${tokens[at]}` });
  const credential: Credential = {
    headers: () => Promise.resolve(E.right(headers())),
    renew: (old) => {
      rejected.push(old);
      at += 1;
      return Promise.resolve(E.right(at < tokens.length ? O.some(headers()) : O.none));
    },
  };
  return { credential, rejected };
};

describe("a refused credential", () => {
  // Prior art: with a static key the refresh gave the same key, and the identical request went out twice (10.1).
  test("that is a key is not sent again", async () => {
    const server = await answering(refused);
    expect(failed(await ask(server.url))).toMatchObject({ kind: "authentication", tries: 1 });
    expect(server.requests).toHaveLength(1);
  });

  test("is renewed once, and the request is repeated with the new one", async () => {
    const seen: (string | undefined)[] = [];
    const server = await answering((incoming, response) => {
      seen.push(incoming.headers.authorization);
      (seen.length === 1 ? refused : good)(incoming, response);
    });
    const { credential, rejected } = renewing("old", "new");
    expect(replied(await ask(server.url, { credential }))).toEqual({ text: "hello", tries: 2 });
    expect(seen).toEqual(["Bearer old", "Bearer new"]);
    expect(rejected).toEqual([{ authorization: "Bearer old" }]);
  });

  test("twice is a failure, and a later request may renew again", async () => {
    const server = await answering(refused);
    const { credential, rejected } = renewing("a", "b", "c", "d");
    const port = await modelPort(server.url, { credential });
    expect(failed(await port.call(request, never(), () => undefined))).toMatchObject({
      kind: "authentication",
      tries: 2,
    });
    expect(
      failed(
        await port.summarise(
          { settings: request.settings, system: "", prompt: "p", maxOutputTokens: 1 },
          never(),
          () => undefined,
        ),
      ).tries,
    ).toBe(2);
    expect(rejected).toHaveLength(2);
  });

  test("without any credential nothing is sent, and the reason is told", async () => {
    const server = await answering(good);
    const failure = { kind: "authentication", message: "there is no login", status: O.none } as const;
    const none: Credential = {
      headers: () => Promise.resolve(E.left(failure)),
      renew: () => Promise.resolve(E.left(failure)),
    };
    expect(failed(await ask(server.url, { credential: none }))).toEqual({
      kind: "authentication",
      message: expect.stringMatching(/^Test: there is no login \(model m-1, 0 attempts in 0s\)$/) as string,
      tries: 0,
    });
    expect(server.requests).toEqual([]);
  });
});

describe("a host that demands the Responses API", () => {
  const chatRefused = respond(400, "use the responses api");

  test("is spoken to that way from then on, in every session of the process", async () => {
    const chat = await answering(chatRefused);
    const responses = await answering(good);
    const logged: string[] = [];
    const port = await modelPort("", {
      logged,
      dialects: {
        dialectFor: (_model, upgraded) => plainDialect(upgraded ? responses.url : chat.url),
        demandsUpgrade: ({ message }) => message.includes("responses api"),
      },
    });
    expect(replied(await port.call(request, never(), () => undefined))).toEqual({ text: "hello", tries: 2 });
    expect(replied(await port.call(request, never(), () => undefined))).toEqual({ text: "hello", tries: 1 });
    expect([chat.requests.length, responses.requests.length]).toEqual([1, 2]);
    expect(logged.filter((line) => line.includes("demands the Responses API"))).toHaveLength(1);
  });

  test("and refuses again is a failure, not a loop", async () => {
    const server = await answering(chatRefused);
    const answer = await ask(server.url, {
      dialects: { dialectFor: () => plainDialect(server.url), demandsUpgrade: () => true },
    });
    expect(failed(answer).tries).toBe(2);
    expect(server.requests).toHaveLength(2);
  });
});

// The same with nothing of ours in its place: the signal is the one that Databricks' gateway gives.
test("a Chat host that answers 400 and names /v1/responses is asked there, by the real dialects", async () => {
  const asked: string[] = [];
  const server = await answering((incoming, response) => {
    asked.push(incoming.url ?? "");
    const output = [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "hello" }] }];
    const replied = respond(200, JSON.stringify({ id: "r", object: "response", status: "completed", output }));
    const message = "This model is only supported in v1/responses: use /v1/responses instead.";
    const demands = respond(400, JSON.stringify({ error: { message, type: "invalid_request_error" } }));
    (incoming.url === "/responses" ? replied : demands)(incoming, response);
  });
  const config = readConfig(
    {
      BUZZ_AGENT_PROVIDER: "openai",
      OPENAI_COMPAT_API_KEY: "k",
      OPENAI_COMPAT_BASE_URL: server.url,
      BUZZ_AGENT_MODEL: "m",
    },
    () => E.left("ENOENT"),
  );
  if (E.isLeft(config)) throw new Error(config.left.fault);
  const models = openModels(config.right, createSecrets([]), () => undefined);
  onTestFinished(models.close);
  for (const tries of [2, 1]) {
    const answer = await models.port.call(request, never(), () => undefined);
    expect(replied(answer)).toEqual({ text: "hello", tries });
  }
  expect(asked).toEqual(["/chat/completions", "/responses", "/responses"]);
});

test("a bug of ours is an internal failure, not a rejection, and no secret is in its log", async () => {
  const logged: string[] = [];
  const answer = await ask("http://127.0.0.1:1", {
    logged,
    dialects: {
      dialectFor: () => {
        throw new Error(`bug with ${KEY}`);
      },
      demandsUpgrade: () => false,
    },
  });
  expect(failed(answer)).toMatchObject({ kind: "internal", tries: 0 });
  expect(logged.join()).toContain("bug with [redacted]");
});
