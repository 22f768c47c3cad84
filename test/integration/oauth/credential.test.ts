import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import type { Credential } from "../../../src/shell/model/credential.js";
import { readTokenFile, writeTokenFile } from "../../../src/shell/oauth/tokenFile.js";
import { respond } from "../http/servers.js";
import { authorizationServer, giving, loginAt, nowSeconds, stored } from "./authorizationServer.js";

const never = () => new AbortController().signal;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const headers = (credential: Credential) => credential.headers(never());
const fresh = { access_token: "fresh-access", refresh_token: "refresh-1", expires_in: 3600 };

const failureOf = (answer: E.Either<{ kind: string; message: string }, unknown>) =>
  E.isLeft(answer) ? [answer.left.kind, answer.left.message] : ["", ""];

describe("a usable login", () => {
  test("of the file is used without asking anybody", async () => {
    const server = await authorizationServer(giving(fresh));
    const login = await loginAt(server.url, stored("from-file", 3600));
    const credential = await login.open();
    expect(await headers(credential)).toEqual(E.right(bearer("from-file")));
    expect(await headers(credential)).toEqual(E.right(bearer("from-file")));
    expect([server.discoveries(), server.grants.length]).toEqual([0, 0]);
    expect(login.secrets).toEqual(["from-file", "refresh-0"]);
  });

  test("that another process has renewed is taken over", async () => {
    const server = await authorizationServer(giving(fresh));
    const login = await loginAt(server.url, stored("old-access", 3600));
    const credential = await login.open();
    await headers(credential);
    await writeTokenFile(login.identity.tokenFile, stored("theirs", 3600));
    expect(await credential.renew(bearer("old-access"), never())).toEqual(E.right(O.some(bearer("theirs"))));
    expect(server.grants).toEqual([]);
  });
});

describe("an expired login", () => {
  test("is renewed silently, written down, and the rotated refresh token kept", async () => {
    const server = await authorizationServer(giving(fresh));
    const login = await loginAt(server.url, stored("old-access", 30));
    expect(await headers(await login.open())).toEqual(E.right(bearer("fresh-access")));
    expect(Object.fromEntries(server.grants[0] ?? [])).toEqual({
      grant_type: "refresh_token",
      refresh_token: "refresh-0",
      client_id: "databricks-cli",
    });
    const file = await readTokenFile(login.identity.tokenFile);
    expect(file).toMatchObject({ value: { accessToken: "fresh-access", refreshToken: O.some("refresh-1") } });
    const ends = O.isSome(file) && O.isSome(file.value.expiresAt) ? file.value.expiresAt.value : 0;
    expect(Math.abs(ends - nowSeconds() - 3600)).toBeLessThan(10);
    expect(login.secrets).toEqual(["fresh-access", "refresh-1"]);
  });

  test("is renewed once for all requests and all processes that wait for it", async () => {
    const server = await authorizationServer(giving(fresh));
    const login = await loginAt(server.url, stored("old-access", 30));
    const processes = await Promise.all([login.open(), login.open(), login.open()]);
    const all = await Promise.all(processes.flatMap((credential) => [headers(credential), headers(credential)]));
    expect(all).toEqual(Array.from({ length: 6 }, () => E.right(bearer("fresh-access"))));
    expect(server.grants).toHaveLength(1);
  });

  test("whose refresh token is dead asks for a new login", async () => {
    const server = await authorizationServer(respond(400, '{"error":"invalid_grant","error_description":"expired"}'));
    const login = await loginAt(server.url, stored("old-access", 30));
    const answer = await headers(await login.open());
    expect(failureOf(answer)).toEqual([
      "authentication",
      "the server no longer accepts the login; run `turnfold auth databricks` to sign in, or set DATABRICKS_TOKEN",
    ]);
    // The refresh token is not thrown away: another server of the same name may still take it.
    expect(await readTokenFile(login.identity.tokenFile)).toMatchObject({
      value: { refreshToken: O.some("refresh-0") },
    });
  });

  test.each([
    ["a server in trouble", respond(503, "busy with token=abc"), "answered 503"],
    ["a 400 that means something else", respond(400, '{"error":"invalid_request"}'), "answered 400"],
    ["an answer without a token", respond(200, "{}"), "it holds no access token"],
    ["a page", respond(200, "<html>"), "it holds no access token"],
  ])("and %s is trouble of the network, without a word of the body", async (_name, grant, why) => {
    const server = await authorizationServer(grant);
    const login = await loginAt(server.url, stored("old-access", 30));
    const [kind, message] = failureOf(await headers(await login.open()));
    expect(kind).toBe("transport");
    expect(message).toContain(why);
    expect([message, ...login.logged].join()).not.toContain("token=abc");
  });
});

describe("without a login", () => {
  test("nobody is asked, no browser is opened, and the command that helps is named", async () => {
    const server = await authorizationServer(giving(fresh));
    const login = await loginAt(server.url);
    expect(failureOf(await headers(await login.open()))).toEqual([
      "authentication",
      "there is no login; run `turnfold auth databricks` to sign in, or set DATABRICKS_TOKEN",
    ]);
    expect(server.discoveries()).toBe(0);
  });

  test("an access token that has run out with nothing to renew it is none", async () => {
    const server = await authorizationServer(giving(fresh));
    const login = await loginAt(server.url, stored("old-access", 30, O.none));
    expect(failureOf(await headers(await login.open()))[0]).toBe("authentication");
    expect(server.discoveries()).toBe(0);
  });
});

describe("a token that the provider refuses", () => {
  test("is renewed although its time is not over", async () => {
    const server = await authorizationServer(giving(fresh));
    const login = await loginAt(server.url, stored("revoked", 3600));
    const credential = await login.open();
    await headers(credential);
    expect(await credential.renew(bearer("revoked"), never())).toEqual(E.right(O.some(bearer("fresh-access"))));
    expect(server.grants).toHaveLength(1);
  });

  test("and is given again by the server is not tried again", async () => {
    const server = await authorizationServer(giving({ ...fresh, access_token: "revoked" }));
    const login = await loginAt(server.url, stored("revoked", 3600));
    const [kind, message] = failureOf(await (await login.open()).renew(bearer("revoked"), never()));
    expect(kind).toBe("authentication");
    expect(message).toContain("gave the same or an expired token again");
  });
});

test("an abort ends the wait at once, and the renewal is there for the next", async () => {
  let release = (): void => undefined;
  const server = await authorizationServer((request, response) => {
    release = () => {
      giving(fresh)(request, response);
    };
    arrived();
  });
  let arrived = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const login = await loginAt(server.url, stored("old-access", 30));
  const credential = await login.open();
  const stop = new AbortController();
  const first = credential.headers(stop.signal);
  await asked;
  stop.abort();
  expect(failureOf(await first)[0]).toBe("aborted");
  const second = headers(credential);
  release();
  expect(await second).toEqual(E.right(bearer("fresh-access")));
  expect(server.grants).toHaveLength(1);
});

test("an endpoint at another host without TLS gets no refresh token", async () => {
  const server = await authorizationServer(giving(fresh));
  const { httpServer } = await import("../http/servers.js");
  const pointing = await httpServer((request, response) => {
    const document = { authorization_endpoint: `${server.url}/authorize`, token_endpoint: `${server.url}/token` };
    respond(200, JSON.stringify(document))(request, response);
  });
  const login = await loginAt(pointing.url, stored("old-access", 30));
  const [kind, message] = failureOf(await headers(await login.open()));
  expect(kind).toBe("transport");
  expect(message).toContain("neither https nor at the same host");
  expect(server.grants).toEqual([]);
});
