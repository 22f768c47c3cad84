/** Whose login it is, and where it is kept. The file is the prior art's, so that a login made there counts here (spec/providers.md 14). */
import { createHash } from "node:crypto";
import { homedir } from "node:os";
import path from "node:path";

/** A public client of Databricks: it has no secret, PKCE proves that the one who asked is the one who gets. */
export const CLIENT_ID = "databricks-cli";
export const SCOPES = ["all-apis", "offline_access"] as const;

export interface LoginIdentity {
  readonly discoveryUrl: string;
  readonly tokenFile: string;
}

/** The same on every platform, as in the prior art. */
export const defaultConfigDirectory = (): string => path.join(homedir(), ".config");

/** `host`: base URL without trailing slashes. `configDirectory`: what takes the place of `~/.config`. */
export const loginIdentity = (host: string, configDirectory: string): LoginIdentity => {
  const discoveryUrl = `${host}/oidc/.well-known/oauth-authorization-server`;
  const digest = createHash("sha256")
    .update([discoveryUrl, CLIENT_ID, SCOPES.join(",")].join("|"))
    .digest("hex");
  return {
    discoveryUrl,
    tokenFile: path.join(configDirectory, "buzz-agent", "oauth", "databricks", `${digest}.json`),
  };
};
