import { expect, test } from "vitest";
import { serverSecrets } from "../../../src/shell/mcp/serverSecrets.js";

test.each([
  ["GITHUB_TOKEN", "ghp_0123456789abcdef"],
  ["api_key", "k3yk3yk3yk3y"],
  ["STRIPE_KEY", "sk_live_4eC39HqLyjWD"],
  ["BUZZ_PRIVATE_KEY", "nsec1qqqqqqqq"],
  ["CLIENT_SECRET", "only-small-letters"],
  ["PGPASSWORD", "only-small-letters"],
  ["KEY_PASSPHRASE", "only-small-letters"],
])("%s=%s is a secret", (name, value) => {
  expect(serverSecrets({ PATH: "/usr/bin:/bin", [name]: value, LANG: "C.UTF-8" })).toEqual([value]);
});

// To hide the name of a column would make a server useless: it stands in every schema and every result.
test.each([
  ["SORT_KEY", "customer_id"],
  ["PARTITION_KEY", "tenantId"],
  ["SSH_KEY", "/etc/ssh/host_ed25519"],
  ["MAX_TOKEN", "100000000000"],
  ["POSTGRES_PASSWORD", "postgres"],
  ["X_PASSWORD", "12345678"],
  ["DATABASE_URL", "postgresql://postgres:postgres@localhost/app"],
  ["TOKEN_LIMIT", "8192tokens"],
  ["KEYBOARD", "Qwertz105"],
  ["SECRETS_FOLDER", "/run/secrets"],
  ["GOOGLE_APPLICATION_CREDENTIALS", "/etc/account1.json"],
  ["OPENAI_COMPAT", "Version12345"],
  ["SERVER_URL", "https://example.com/a:b@c"],
])("%s=%s is none", (name, value) => {
  expect(serverSecrets({ [name]: value })).toEqual([]);
});

test("of a URL the password is one, whatever the variable is called", () => {
  expect(serverSecrets({ DATABASE: "postgres://me:p%40ssword@host/db" })).toEqual(["p%40ssword", "p@ssword"]);
});

test("of a key of several lines each line is one, since a log holds one line at a time", () => {
  const line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC";
  const pem = `-----BEGIN PRIVATE KEY-----\n${line}\n-----END PRIVATE KEY-----\n`;
  expect(serverSecrets({ TLS_KEY: pem })).toEqual([pem, line]);
});
