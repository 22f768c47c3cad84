/** Signing in: a person, a browser, and PKCE (spec/providers.md 14.9). The one place where a browser is opened. */
import { createHash, randomBytes } from "node:crypto";
import { defaultShellLimits } from "../../core/policy.js";
import * as E from "fp-ts/lib/Either.js";
import type { Send } from "../model/send.js";
import { awaitCallback, type Callback } from "./callback.js";
import { LOCK_TIMES } from "./credential.js";
import { CLIENT_ID, SCOPES, type LoginIdentity } from "./identity.js";
import { withLock } from "./lock.js";
import { discover, exchangeCode, type Endpoints } from "./server.js";
import type { Token } from "./token.js";
import { writeTokenFile } from "./tokenFile.js";

export interface LoginOptions {
  readonly identity: LoginIdentity;
  readonly send: Send;
  /** Shows the address to the person, and opens it where that is possible. */
  readonly visit: (url: string) => void;
}

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export const createPkce = (): Pkce => {
  const verifier = randomBytes(48).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
};

const authorizationUrl = (
  { authorization }: Endpoints,
  redirectUri: string,
  state: string,
  { challenge }: Pkce,
): string => {
  const url = new URL(authorization);
  const query = {
    response_type: "code",
    client_id: CLIENT_ID,
    redirect_uri: redirectUri,
    scope: SCOPES.join(" "),
    state,
    code_challenge: challenge,
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
};

const exchange = async (
  options: LoginOptions,
  endpoints: Endpoints,
  callback: Callback,
  state: string,
): Promise<E.Either<string, Token>> => {
  const pkce = createPkce();
  options.visit(authorizationUrl(endpoints, callback.redirectUri, state, pkce));
  const code = await callback.code;
  if (E.isLeft(code)) return code;
  const proof = { code: code.right, redirectUri: callback.redirectUri, verifier: pkce.verifier };
  const token = await exchangeCode(options.send, endpoints, proof, new AbortController().signal);
  return E.mapLeft(({ why }: { readonly why: string }) => why)(token);
};

/** Signs in and writes the login down. Left: why not, as a line for the person. Whatever login there was is replaced. */
export const signIn = async (options: LoginOptions): Promise<E.Either<string, Token>> => {
  const { identity, send } = options;
  const endpoints = await discover(send, identity.discoveryUrl, new AbortController().signal);
  if (E.isLeft(endpoints)) return E.left(endpoints.left.why);
  const state = randomBytes(16).toString("base64url");
  const callback = await awaitCallback(state, defaultShellLimits.loginMs);
  const token = await exchange(options, endpoints.right, callback, state);
  callback.close();
  if (E.isLeft(token)) return token;
  // Under the lock, so that an older login that is being renewed elsewhere does not overwrite the new one afterwards.
  const written = await withLock(`${identity.tokenFile}.lock`, LOCK_TIMES, () =>
    writeTokenFile(identity.tokenFile, token.right),
  );
  return E.isLeft(written) ? written : token;
};
