/** A scripted authorization server for the faults that a real one does not have, and a count of what was asked of it. */
import * as O from "fp-ts/lib/Option.js";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { defaultShellLimits } from "../../../src/core/policy.js";
import { loginCredential } from "../../../src/shell/oauth/credential.js";
import { loginIdentity } from "../../../src/shell/oauth/identity.js";
import { openConnections } from "../../../src/shell/model/dispatcher.js";
import { createSend } from "../../../src/shell/model/send.js";
import { writeTokenFile } from "../../../src/shell/oauth/tokenFile.js";
import { httpServer, readAll, respond } from "../http/servers.js";
import { noNetwork } from "../http/asking.js";
import { folder } from "./folder.js";

export interface AuthorizationServer {
  readonly url: string;
  /** Bodies of the grants asked for. */
  readonly grants: URLSearchParams[];
  readonly discoveries: () => number;
}

/** `grant` answers the token endpoint. */
export const authorizationServer = async (grant: RequestListener): Promise<AuthorizationServer> => {
  const grants: URLSearchParams[] = [];
  let discoveries = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readAll(request);
    if (request.url?.endsWith("/oidc/.well-known/oauth-authorization-server") === true) {
      discoveries += 1;
      const base = `http://${request.headers.host}`;
      const endpoints = { authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/token` };
      respond(200, JSON.stringify(endpoints))(request, response);
      return;
    }
    grants.push(new URLSearchParams(body));
    grant(request, response);
  };
  const server = await httpServer((request, response) => void answer(request, response));
  return { url: server.url, grants, discoveries: () => discoveries };
};

/** A token endpoint that gives these tokens one after the other. */
export const giving = (...tokens: readonly object[]): RequestListener => {
  let given = 0;
  return (request, response) => {
    const token = tokens[Math.min(given, tokens.length - 1)];
    given += 1;
    respond(200, JSON.stringify(token))(request, response);
  };
};

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** A token of the file; `ends`: seconds from now. */
export const stored = (accessToken: string, ends: number, refreshToken: O.Option<string> = O.some("refresh-0")) => ({
  accessToken,
  refreshToken,
  expiresAt: O.some(nowSeconds() + ends),
});

/** A login in a folder of its own. `open` gives a credential as one process has it. */
export const loginAt = async (url: string, token?: ReturnType<typeof stored>) => {
  const identity = loginIdentity(url, folder());
  if (token !== undefined) await writeTokenFile(identity.tokenFile, token);
  const secrets: string[] = [];
  const logged: string[] = [];
  const open = async () => {
    const connections = await openConnections(noNetwork, defaultShellLimits);
    onTestFinished(connections.close);
    const send = createSend(connections, defaultShellLimits, (text) => text);
    return loginCredential({
      identity,
      send: () => Promise.resolve(send),
      addSecret: (value) => secrets.push(value),
      log: (level, message, fields) => logged.push(`${level} ${message} ${JSON.stringify(fields)}`),
    });
  };
  return { identity, open, secrets, logged };
};
