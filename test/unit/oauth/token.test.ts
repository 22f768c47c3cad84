import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import { loginIdentity } from "../../../src/shell/oauth/identity.js";
import { createPkce } from "../../../src/shell/oauth/login.js";
import { isExpired, parseGrant, parseTokenFile, printTokenFile, type Token } from "../../../src/shell/oauth/token.js";

const token = (expiresAt: O.Option<number>): Token => ({ accessToken: "a", refreshToken: O.some("r"), expiresAt });

describe("a token is expired", () => {
  test.each([
    ["never, without an end", O.none, false],
    ["not while it is fresh", O.some(10_000), false],
    ["not 61 seconds before its end", O.some(1061), false],
    ["a minute before its end", O.some(1060), true],
    ["after its end", O.some(10), true],
  ])("%s", (_name, expiresAt, expired) => {
    expect(isExpired(token(expiresAt), 1_000_000)).toBe(expired);
  });
});

describe("the file", () => {
  test("is read as it was written", () => {
    for (const each of [token(O.some(5)), { accessToken: "a", refreshToken: O.none, expiresAt: O.none }]) {
      expect(parseTokenFile(printTokenFile(each))).toEqual(O.some(each));
    }
  });

  test("may lack what is optional, and hold what nobody knows", () => {
    expect(parseTokenFile('{"access_token":"a","scope":"x"}')).toEqual(
      O.some({ accessToken: "a", refreshToken: O.none, expiresAt: O.none }),
    );
  });

  test.each([
    "",
    "{",
    "[]",
    "{}",
    '{"access_token":1}',
    '{"access_token":""}',
    '{"access_token":"a","expires_at":"soon"}',
  ])("that holds %s is no login", (text) => {
    expect(parseTokenFile(text)).toEqual(O.none);
  });
});

describe("a grant", () => {
  const grant = (body: unknown, previous: O.Option<string> = O.none) =>
    parseGrant(JSON.stringify(body), previous, 1_000_500);

  test("expires counted from now, and keeps the old refresh token where there is no new one", () => {
    expect(grant({ access_token: "a", expires_in: 3600 }, O.some("old"))).toEqual(
      E.right({ accessToken: "a", refreshToken: O.some("old"), expiresAt: O.some(4600) }),
    );
    expect(grant({ access_token: "a", refresh_token: "new", expires_in: "60" }, O.some("old"))).toEqual(
      E.right({ accessToken: "a", refreshToken: O.some("new"), expiresAt: O.some(1060) }),
    );
    expect(grant({ access_token: "a" })).toEqual(E.right({ ...token(O.none), refreshToken: O.none }));
  });

  test.each([
    ["without a token", {}],
    ["with an empty token", { access_token: "" }],
    ["with another type of token", { access_token: 7 }],
    ["with an end beyond counting", { access_token: "a", expires_in: 1e300 }],
    ["with an end that is no number", { access_token: "a", expires_in: "soon" }],
  ])("%s is of no use", (_name, body) => {
    expect(E.isLeft(grant(body))).toBe(true);
  });
});

test("the file's name is the prior art's, so that a login made there counts here", () => {
  const { discoveryUrl, tokenFile } = loginIdentity("https://dbc.example", "/etc/me");
  expect(discoveryUrl).toBe("https://dbc.example/oidc/.well-known/oauth-authorization-server");
  // printf '%s' 'https://dbc.example/oidc/.well-known/oauth-authorization-server|databricks-cli|all-apis,offline_access' | sha256sum
  expect(tokenFile).toBe(
    "/etc/me/buzz-agent/oauth/databricks/4f3016ce0189f1f090a0935d36fcf4296bdfb1d67b601a12c09b02eeda496b22.json",
  );
});

test("PKCE: 64 characters, and the challenge is their SHA-256", async () => {
  const { verifier, challenge } = createPkce();
  expect(verifier).toMatch(/^[\w-]{64}$/);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  expect(Buffer.from(digest).toString("base64url")).toBe(challenge);
  expect(createPkce().verifier).not.toBe(verifier);
});
