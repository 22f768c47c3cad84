/** The authorization server: where its endpoints are, and the two grants that are asked of it (spec/providers.md 14.4 and 14.8). */
import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import * as t from "io-ts";
import { assertNever } from "../../core/never.js";
import { defaultShellLimits } from "../../core/policy.js";
import type { Attempt } from "../model/attempt.js";
import { requestBody } from "../model/requestBody.js";
import type { Send } from "../model/send.js";
import { CLIENT_ID } from "./identity.js";
import { parseGrant, type Token } from "./token.js";

/** Why there is no token. `dead`: the refresh token will never work again. Others may pass; `why` holds no part of a body. */
export type GrantFailure = { readonly kind: "dead" | "failed"; readonly why: string };

export interface Endpoints {
  readonly authorization: string;
  readonly token: string;
}

const document = t.type({ authorization_endpoint: t.string, token_endpoint: t.string });

const { loginCallMs } = defaultShellLimits;

const failed = (why: string): E.Either<GrantFailure, never> => E.left({ kind: "failed", why });

const textOf = (attempt: Attempt): E.Either<string, { readonly status: number; readonly text: string }> => {
  switch (attempt.kind) {
    case "response":
      return E.right({ status: attempt.response.status, text: attempt.response.body });
    case "broken":
      return E.left(attempt.what);
    case "timedOut":
      return E.left("it did not answer in time");
    case "tooLarge":
      return E.left("its answer is too large");
    case "aborted":
      return E.left("cancelled");
  }
  return assertNever(attempt);
};

const json = (text: string): unknown => O.toUndefined(O.tryCatch((): unknown => JSON.parse(text)));

/** A refresh token goes there: over TLS, or to the host that the operator named himself. */
const isTrusted = (endpoint: string, discoveryUrl: string): boolean =>
  URL.canParse(endpoint) &&
  (new URL(endpoint).protocol === "https:" || new URL(endpoint).origin === new URL(discoveryUrl).origin);

export const discover = async (
  send: Send,
  discoveryUrl: string,
  signal: AbortSignal,
): Promise<E.Either<GrantFailure, Endpoints>> => {
  const order = { method: "GET", url: discoveryUrl, headers: {}, body: O.none, deadlineMs: loginCallMs } as const;
  const answer = textOf(await send(order, signal));
  if (E.isLeft(answer)) return failed(`oauth discovery at ${discoveryUrl}: ${answer.left}`);
  const { status, text } = answer.right;
  if (status !== 200) return failed(`oauth discovery at ${discoveryUrl} answered ${status}`);
  const found = json(text);
  if (!document.is(found)) return failed(`oauth discovery at ${discoveryUrl} names no endpoints`);
  const { authorization_endpoint: authorization, token_endpoint: token } = found;
  return [authorization, token].every((each) => isTrusted(each, discoveryUrl))
    ? E.right({ authorization, token })
    : failed(`oauth discovery at ${discoveryUrl} names an endpoint that is neither https nor at the same host`);
};

/** Only this word of the server's means that the refresh token is dead; any other trouble is trouble of the network. */
const isDead = (status: number, text: string): boolean => {
  const body = json(text);
  return status >= 400 && status < 500 && t.type({ error: t.literal("invalid_grant") }).is(body);
};

const grant = async (
  send: Send,
  { token }: Endpoints,
  form: Readonly<Record<string, string>>,
  previous: O.Option<string>,
  signal: AbortSignal,
): Promise<E.Either<GrantFailure, Token>> => {
  const body = requestBody([new URLSearchParams({ ...form, client_id: CLIENT_ID }).toString()]);
  const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
  const answer = textOf(
    await send({ method: "POST", url: token, headers, body: O.some(body), deadlineMs: loginCallMs }, signal),
  );
  if (E.isLeft(answer)) return failed(`the token endpoint: ${answer.left}`);
  const { status, text } = answer.right;
  if (isDead(status, text)) return E.left({ kind: "dead", why: "the server no longer accepts the login" });
  if (status !== 200) return failed(`the token endpoint answered ${status}`);
  return E.mapLeft((fault: string): GrantFailure => ({
    kind: "failed",
    why: `the token endpoint's answer is of no use: ${fault}`,
  }))(parseGrant(text, previous, Date.now()));
};

export const refresh = (send: Send, endpoints: Endpoints, refreshToken: string, signal: AbortSignal) =>
  grant(send, endpoints, { grant_type: "refresh_token", refresh_token: refreshToken }, O.some(refreshToken), signal);

export const exchangeCode = (
  send: Send,
  endpoints: Endpoints,
  { code, redirectUri, verifier }: { readonly code: string; readonly redirectUri: string; readonly verifier: string },
  signal: AbortSignal,
) => {
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
  return grant(send, endpoints, form, O.none, signal);
};
