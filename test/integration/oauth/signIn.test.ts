import { once } from "node:events";
import { text as readAll } from "node:stream/consumers";
import * as O from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import { authenticate } from "../../../src/shell/cli/auth.js";
import { loginIdentity } from "../../../src/shell/oauth/identity.js";
import { readTokenFile, writeTokenFile } from "../../../src/shell/oauth/tokenFile.js";
import { startProgram } from "../../support/program.js";
import { folder } from "./folder.js";
import { providerModules, startOpenIdServer } from "./openidProvider.js";
import { signInAsPerson } from "./person.js";

/** `turnfold check` as a process of its own. */
const checkIn = async (env: Readonly<Record<string, string>>): Promise<{ code: number; text: string }> => {
  const child = startProgram(["check"], { env: { PATH: process.env["PATH"], ...env } });
  const outputs = Promise.all([readAll(child.stdout), readAll(child.stderr)]);
  const [code] = (await once(child, "close")) as [number];
  return { code, text: (await outputs).join("") };
};

describe.skipIf(providerModules === undefined)("a login at a provider by others", () => {
  const signedIn = async () => {
    const server = await startOpenIdServer(providerModules ?? "");
    const directory = folder();
    const env = { DATABRICKS_HOST: server.url, BUZZ_AGENT_CONFIG_DIR: directory };
    const told: string[] = [];
    let page: Promise<string> = Promise.resolve("");
    const code = await authenticate(env, { out: () => undefined, err: (line) => told.push(line) }, (url) => {
      page = signInAsPerson(url);
    });
    const { tokenFile } = loginIdentity(server.url, directory);
    return { server, env, code, told, page: await page, tokenFile };
  };

  test("is made with PKCE, kept, and told without the tokens in it", async () => {
    const { server, code, told, page, tokenFile } = await signedIn();
    expect(told.join("\n")).toContain(`Signed in; kept in ${tokenFile}`);
    expect([code, server.grants]).toEqual([0, ["authorization_code"]]);
    expect(page).toContain("You are signed in");
    const token = await readTokenFile(tokenFile);
    const { accessToken, refreshToken } = O.isSome(token) ? token.value : { accessToken: "", refreshToken: O.none };
    expect(accessToken).not.toBe("");
    expect(O.isSome(refreshToken)).toBe(true);
    expect(told.join("\n")).not.toContain(accessToken);
  });

  // The provider rotates refresh tokens: were both processes to use the old one, it would end the login.
  test("is renewed once when two processes need it at the same moment, and again when its token is refused", async () => {
    const { server, env, tokenFile } = await signedIn();
    const agent = { ...env, BUZZ_AGENT_PROVIDER: "databricks", DATABRICKS_MODEL: "some-model" };
    const token = await readTokenFile(tokenFile);
    const stored = O.isSome(token) ? token.value : undefined;
    if (stored === undefined) throw new Error("no login");

    await writeTokenFile(tokenFile, { ...stored, expiresAt: O.some(1) });
    const both = await Promise.all([checkIn(agent), checkIn(agent)]);
    expect(both.map(({ text }) => text.includes("some-model answered in"))).toEqual([true, true]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(server.grants).toEqual(["authorization_code", "refresh_token"]);

    const renewed = await readTokenFile(tokenFile);
    if (O.isNone(renewed)) throw new Error("no login");
    await writeTokenFile(tokenFile, { ...renewed.value, accessToken: "nobody-knows-this-token" });
    const { code, text } = await checkIn(agent);
    expect(text).toContain("some-model answered in");
    expect([code, server.grants]).toEqual([0, ["authorization_code", "refresh_token", "refresh_token"]]);
    expect(text).not.toContain("nobody-knows-this-token");
  });
});

test("without a host nobody can sign in, and the variable is named", async () => {
  const told: string[] = [];
  const code = await authenticate({}, { out: () => undefined, err: (line) => told.push(line) }, () => undefined);
  expect([code, told]).toEqual([2, [expect.stringMatching(/^turnfold: DATABRICKS_HOST: is required to sign in/)]]);
});
