/**
 * What the agent has read when it answers `initialize`: its entry and the small chunks that judge the environment and speak
 * JSON-RPC, but neither undici nor the MCP SDK nor any provider's code (the client's patience is 10 s on a cold disk, and most
 * of what is read at a start is never needed).
 */
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { program } from "../support/program.js";
import { type RawClient, startClient } from "../support/rawClient.js";
import { type ScriptedModel, startScriptedModel } from "../support/scriptedModel.js";
import { newSession, prompt, temporaryFolder } from "../support/sessions.js";

let model: ScriptedModel | undefined;
let client: RawClient | undefined;

afterEach(async () => {
  client?.process.kill("SIGKILL");
  await model?.close();
});

const chunks = path.join(path.dirname(program), "chunks");
/** Words that stand in the code of what must not be read, and nowhere else. */
const HEAVY = {
  undici: "EnvHttpProxyAgent",
  mcp: "notifications/tools/list_changed",
  chat: "max_completion_tokens",
  messages: "tool_use_id",
};

const chunksWith = (word: string): readonly string[] =>
  readdirSync(chunks).filter((name) => readFileSync(path.join(chunks, name), "utf8").includes(word));

test("initialize is answered when the code of undici, the MCP SDK and the providers is not even there", async () => {
  model = await startScriptedModel();
  const dist = temporaryFolder();
  cpSync(path.dirname(program), dist, { recursive: true });
  for (const word of Object.values(HEAVY))
    for (const name of chunksWith(word)) rmSync(path.join(dist, "chunks", name), { force: true });
  client = startClient({ env: model.env, command: [process.execPath, path.join(dist, path.basename(program))] });
  expect((await client.request("initialize", { protocolVersion: 1 })).result.agentInfo.name).toBe("turnfold");
  // What cannot be loaded is an error, told for each request, and no silence.
  const { error } = await client.request("session/new", { cwd: dist, mcpServers: [] });
  expect(error).toMatchObject({ code: -32603, data: { kind: "internal" } });
  expect((await client.end()).code).toBe(0);
});

test("initialize is answered before undici, the MCP SDK or any provider's code is read", async (context) => {
  if (spawnSync("strace", ["-V"]).status !== 0) context.skip("strace is not installed");
  model = await startScriptedModel();
  const log = path.join(temporaryFolder(), "strace.log");
  const strace = [
    "strace",
    "-f",
    "-s",
    "300",
    "-e",
    "trace=open,openat,write,writev,sendmsg",
    "-o",
    log,
    process.execPath,
    program,
  ];
  client = startClient({ env: model.env, command: strace });
  await client.request("initialize", { protocolVersion: 1 });
  await newSession(client);
  await prompt(client, await newSession(client), "hello");
  await client.end();

  const lines = readFileSync(log, "utf8").split("\n");
  const answered = lines.findIndex((line) => line.includes(String.raw`\"agentInfo\"`));
  expect(answered).toBeGreaterThan(0);
  const opened = (from: number, to: number): readonly string[] =>
    lines
      .slice(from, to)
      .flatMap((line) => /open(?:at)?\(.*"([^"]+)"/u.exec(line)?.[1] ?? [])
      .filter((file) => file.startsWith(chunks))
      .map((file) => path.basename(file));
  const before = new Set(opened(0, answered));
  const after = new Set(opened(answered, lines.length));
  for (const [what, word] of Object.entries(HEAVY)) {
    const holders = chunksWith(word);
    expect(holders, what).not.toEqual([]);
    expect(
      holders.filter((name) => before.has(name)),
      what,
    ).toEqual([]);
  }
  // And they are read later, so that the words are the right ones.
  for (const word of [HEAVY.undici, HEAVY.chat]) expect(chunksWith(word).some((name) => after.has(name))).toBe(true);
});
