/** `spec/acp.md` section 4, launch and stdout. Names begin with the numbers of the items. */
import { rmdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { program } from "../../support/program.js";
import { type RawClient, type RawClientOptions, startClient } from "../../support/rawClient.js";
import { type ScriptedModel, startScriptedModel } from "../../support/scriptedModel.js";
import { everythingServer, initialized, newSession, prompt, temporaryFolder } from "../../support/sessions.js";

let model: ScriptedModel;
let client: RawClient | undefined;

beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(async () => model.close());
afterEach(() => client?.process.kill("SIGKILL"));

const start = (options: RawClientOptions = {}): RawClient => {
  client = startClient({ ...options, env: { ...model.env, ...options.env } });
  return client;
};
const hello = { protocolVersion: 1, clientCapabilities: {} };

describe("launch", () => {
  test("1: the first line of stdout is the answer to initialize, and nothing comes unasked", async () => {
    const client = start();
    const answer = await client.request("initialize", hello);
    expect(client.lines).toHaveLength(1);
    expect(answer.result.agentInfo).toMatchObject({ name: "turnfold", title: "Turnfold" });
    expect(await client.end()).toMatchObject({ code: 0 });
    expect(client.lines).toHaveLength(1);
  });

  test.each([[[]], [["--acp"]], [["--experimental-acp"]], [["acp", "--zoom", "7"]]])(
    "2: started with %j it serves all the same",
    async (args) => {
      const client = start({ args });
      expect((await client.request("initialize", hello)).result.protocolVersion).toBe(1);
      await client.end();
      expect(client.stderr().includes("--zoom")).toBe(args.length > 1);
    },
  );

  test("3: initialize and session/new are answered without a network, long before the tightest client gives up (10 s)", async () => {
    const started = Date.now();
    const client = start({ env: { OPENAI_COMPAT_BASE_URL: "http://127.0.0.1:1/v1" } });
    await client.request("initialize", hello);
    await newSession(client);
    // Far more than it takes (`npm run bench` says how much that is): the machine is shared.
    expect(Date.now() - started).toBeLessThan(5000);
    await client.end();
  });

  test("4, 6: whatever a dependency prints goes to stderr, and stdout holds frames only", async () => {
    const preload = path.join(temporaryFolder(), "noise.mjs");
    const lines = [
      "setInterval(() => {",
      "  // Once the program runs: what a preload prints before its first line, no program could keep off stdout.",
      '  if (process.listenerCount("unhandledRejection") === 0) return;',
      '  console.log("noise: log"); console.info("noise: info"); console.table([1]);',
      '  process.stdout.write("noise: write\\n");',
      '  process.emitWarning("noise: warning", "DeprecationWarning");',
      '  Promise.reject(new Error("noise: forgotten"));',
      "}, 5);",
      // The console that it sets up early has the real stdout in hand.
      "void console.log;",
    ];
    writeFileSync(preload, lines.join("\n"));
    const client = start({ env: { NODE_OPTIONS: `--import ${preload}` } });
    await client.request("initialize", hello);
    const sessionId = await newSession(client);
    expect((await prompt(client, sessionId, "hello")).result).toEqual({ stopReason: "end_turn" });
    expect(client.lines.filter((line) => !line.startsWith('{"jsonrpc":"2.0"'))).toEqual([]);
    for (const word of ["log", "info", "write", "warning", "forgotten"])
      expect(client.stderr()).toContain(`noise: ${word}`);
    expect(await client.end()).toMatchObject({ code: 0 });
  });

  test("5: stdout is valid UTF-8 when the model sends lone surrogates", async () => {
    const client = start();
    await client.request("initialize", hello);
    const sessionId = await newSession(client);
    const choice =
      '{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"a\\ud800b\\u0000\\u2028c"}}';
    model.say({
      status: 200,
      body: `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[${choice}]}`,
    });
    await prompt(client, sessionId, "hello");
    const chunk = client.updates().find((update) => update.sessionUpdate === "agent_message_chunk");
    expect(chunk.content.text).toBe("a\ufffdb\u0000\u2028c");
    await client.end();
  });

  test("7: works without HOME, in / and in a folder that is gone", async () => {
    const gone = temporaryFolder();
    for (const cwd of ["/", gone]) {
      const client = start({ cwd, command: ["/usr/bin/env", "-u", "HOME", process.execPath, program] });
      if (cwd === gone) rmdirSync(gone);
      await client.request("initialize", hello);
      await newSession(client);
      expect(await client.end()).toMatchObject({ code: 0 });
    }
  });

  test("8: says less than 10 kB on stderr in a turn", async () => {
    const client = await initialized(model, { env: { TURNFOLD_LOG: "info" } });
    const sessionId = await newSession(client, { mcpServers: [everythingServer()] });
    model.say({ calls: [{ name: "everything__echo", arguments: { message: "x" } }] }, { text: "done" });
    await prompt(client, sessionId, "hello");
    await client.end();
    expect(client.stderr().length).toBeLessThan(10_000);
  });

  test("a bad environment ends it with code 2 and a line that names the variable, before any frame", async () => {
    const client = start({ env: { BUZZ_AGENT_MAX_ROUNDS: "many" } });
    const exit = await client.exited;
    expect(exit.code).toBe(2);
    expect(client.stderr()).toMatch(/^turnfold: BUZZ_AGENT_MAX_ROUNDS: .+\n$/u);
    expect(client.lines).toEqual([]);
  });
});
