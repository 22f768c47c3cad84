/**
 * A real OpenID provider (`oidc-provider`) in the place of Databricks': under `/oidc`, with rotating refresh tokens, so that a
 * refresh token that is used twice ends the login. Beside it one serving endpoint that takes the tokens it gives.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import { installPeer } from "../../support/peer.js";

interface Provider {
  readonly callback: () => (request: IncomingMessage, response: ServerResponse) => void;
  readonly on: (event: string, listener: (context: { oidc: { params: Record<string, string> } }) => void) => void;
  readonly AccessToken: { readonly find: (token: string) => Promise<unknown> };
}
type ProviderClass = new (issuer: string, options: object) => Provider;

export interface OpenIdServer {
  readonly url: string;
  /** `authorization_code` or `refresh_token` for each grant that succeeded, and `error` for each that did not. */
  readonly grants: string[];
}

export const providerModules = await installPeer("oidc-provider", "oidc-provider/package.json");

const options = {
  clients: [
    {
      client_id: "databricks-cli",
      application_type: "native",
      token_endpoint_auth_method: "none",
      redirect_uris: ["http://localhost"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    },
  ],
  scopes: ["all-apis", "offline_access"],
  pkce: { required: () => true },
  rotateRefreshToken: true,
  issueRefreshToken: () => true,
  ttl: {
    AccessToken: 3600,
    AuthorizationCode: 60,
    Grant: 86_400,
    Interaction: 600,
    RefreshToken: 86_400,
    Session: 600,
  },
  cookies: { keys: ["test"] },
};

const chatReply = JSON.stringify({
  id: "1",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "ok" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
});

const load = async (modules: string): Promise<ProviderClass> => {
  const file = path.join(modules, "oidc-provider", "lib", "index.js");
  const module = (await import(pathToFileURL(file).href)) as { readonly default: ProviderClass };
  return module.default;
};

export const startOpenIdServer = async (modules: string): Promise<OpenIdServer> => {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new (await load(modules))(`${url}/oidc`, options);
  const grants: string[] = [];
  provider.on("grant.success", ({ oidc }) => grants.push(oidc.params["grant_type"] ?? ""));
  provider.on("grant.error", () => grants.push("error"));
  const oidc = provider.callback();

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const token = (request.headers.authorization ?? "").replace("Bearer ", "");
    const known = await provider.AccessToken.find(token);
    response.writeHead(known === undefined ? 401 : 200, { "content-type": "application/json" });
    response.end(known === undefined ? '{"error":"unknown token"}' : chatReply);
  };
  server.on("request", (request, response) => {
    if (request.url?.startsWith("/serving-endpoints/") === true) {
      void serve(request, response);
      return;
    }
    const original = request.url ?? "";
    Object.assign(request, { originalUrl: original });
    // Databricks publishes the same document under the name that OAuth gives it.
    request.url = original
      .replace(/^\/oidc/, "")
      .replace("/.well-known/oauth-authorization-server", "/.well-known/openid-configuration");
    oidc(request, response);
  });
  return { url, grants };
};
