/** The login as an ACP client sees it (`spec/acp.md` 1.4). */
import { existsSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { httpServer, respond } from "../http/servers.js";
import { type Frame, type RawClient, startClient } from "../../support/rawClient.js";
import { folder } from "./folder.js";

let client: RawClient | undefined;
afterEach(() => client?.process.kill("SIGKILL"));

const start = (env: Readonly<Record<string, string>>): RawClient => {
  client = startClient({
    env: { BUZZ_AGENT_PROVIDER: "databricks", BUZZ_AGENT_MODEL: "m", BUZZ_AGENT_CONFIG_DIR: folder(), ...env },
  });
  return client;
};

const initialize = (running: RawClient, capabilities: object): Promise<Frame> =>
  running.request("initialize", { protocolVersion: 1, clientCapabilities: capabilities });

const canStartTerminals = { auth: { terminal: true } };

const promptFailure = async (running: RawClient): Promise<Frame> => {
  const opened = await running.request("session/new", { cwd: folder(), mcpServers: [] });
  const { sessionId } = opened.result;
  const answer = await running.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "hi" }] });
  return answer.error;
};

describe("without a key for Databricks", () => {
  const host = { DATABRICKS_HOST: "http://127.0.0.1:1" };

  test("a client that can start terminals is offered the login, and told to log in", async () => {
    const running = start(host);
    expect((await initialize(running, canStartTerminals)).result.authMethods).toEqual([
      {
        type: "terminal",
        id: "databricks",
        name: "Sign in to Databricks",
        description: "Signs in at http://127.0.0.1:1 through the browser",
        args: ["auth", "databricks"],
      },
    ]);
    const error = await promptFailure(running);
    expect(error).toMatchObject({ code: -32000, data: { kind: "authentication" } });
    expect(error.message).toContain("turnfold auth databricks");
    await running.end();
  });

  test.each([{}, { auth: {} }, { auth: { terminal: false } }, { terminal: true }])(
    "a client that cannot (%j) is offered nothing, and told in words",
    async (capabilities) => {
      const running = start(host);
      expect((await initialize(running, capabilities)).result.authMethods).toEqual([]);
      expect(await promptFailure(running)).toMatchObject({ code: -32001 });
      await running.end();
    },
  );
});

test("with a key nothing is offered, and a refused key refuses the session before a server is started", async () => {
  const server = await httpServer(respond(401, "bad token"));
  const running = start({ DATABRICKS_HOST: server.url, DATABRICKS_TOKEN: "dapi-0123456789" });
  expect((await initialize(running, canStartTerminals)).result.authMethods).toEqual([]);
  const cwd = folder();
  const marks = { name: "marks", command: "touch", args: [path.join(cwd, "started")], env: [] };
  const { error } = await running.request("session/new", { cwd, mcpServers: [marks] });
  expect(existsSync(path.join(cwd, "started"))).toBe(false);
  expect(error).toMatchObject({ code: -32001, data: { kind: "authentication" } });
  expect(error.message).toContain("check DATABRICKS_TOKEN");
  await running.end();
});

test("the arguments of the login are understood behind those of the agent", async () => {
  client = startClient({ args: ["acp", "auth", "databricks"], env: {} });
  expect((await client.exited).code).toBe(2);
  expect(client.stderr()).toContain("DATABRICKS_HOST: is required to sign in");
});
