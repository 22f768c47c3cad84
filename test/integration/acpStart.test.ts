/**
 * What the agent has read when it answers `initialize`: one file, which judges the environment and speaks JSON-RPC. And what it
 * has read when it answers `session/new`: nothing that only a turn needs, be it undici, the MCP SDK, a provider's code, the
 * reducer or what is told of a turn (the client's patience is 10 s on a cold disk, and most of what is read at a start is never
 * needed).
 */
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
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
  reducer: "Context Handoff",
  updates: "compaction_update",
  skills: "SKILL.md",
};

const chunksWith = (word: string): readonly string[] =>
  readdirSync(chunks).filter((name) => readFileSync(path.join(chunks, name), "utf8").includes(word));

/** The built program without some of its chunks. */
const damaged = (isMissing: (chunk: string) => boolean): string => {
  const dist = temporaryFolder();
  cpSync(path.dirname(program), dist, { recursive: true });
  for (const name of readdirSync(chunks)) if (isMissing(name)) rmSync(path.join(dist, "chunks", name));
  return dist;
};
const start = (env: Readonly<Record<string, string>>, dist: string, ...flags: readonly string[]): RawClient =>
  startClient({ env, command: [process.execPath, ...flags, path.join(dist, path.basename(program))] });

// The aim is 64 KiB; what was won below that is not to be lost unseen: V8 takes 75 microseconds for each KiB.
test("initialize is answered by one file of at most 52 KiB", async () => {
  model = await startScriptedModel();
  const dist = damaged(() => true);
  client = start(model.env, dist);
  expect((await client.request("initialize", { protocolVersion: 1 })).result.agentInfo.name).toBe("turnfold");
  const readable = ["turnfold.js", "package.json"].map((name) => statSync(path.join(dist, name)).size);
  expect(readable.reduce((sum, bytes) => sum + bytes)).toBeLessThanOrEqual(52 * 1024);
  // What cannot be loaded is an error, told for each request, and no silence.
  const { error } = await client.request("session/new", { cwd: dist, mcpServers: [] });
  expect(error).toMatchObject({ code: -32603, data: { kind: "internal" } });
  expect((await client.end()).code).toBe(0);
});

// What cannot be loaded is an error for the request that needed it, and no silence.
test("a session without servers opens when nothing that a turn needs is even there", async () => {
  model = await startScriptedModel();
  const heavy = new Set(Object.values(HEAVY).flatMap(chunksWith));
  const dist = damaged((name) => heavy.has(name));
  client = start(model.env, dist);
  await client.request("initialize", { protocolVersion: 1 });
  const { sessionId } = (await client.request("session/new", { cwd: dist, mcpServers: [] })).result;
  const { error } = await client.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "hello" }] });
  expect(error).toMatchObject({ code: -32603, data: { kind: "internal" } });
  expect((await client.end()).code).toBe(0);
});

/** Modules of Node's that take a millisecond or more to load, which is a twentieth of Node's own start. */
const SLOW = ["child_process", "crypto", "http", "https", "perf_hooks", "tls", "worker_threads", "zlib"];

test("a session without servers is opened without any slow module of Node's", async () => {
  model = await startScriptedModel();
  const preload = path.join(temporaryFolder(), "loaded.cjs");
  const loaded = `process.on("exit", () => process.stderr.write("LOADED " + process.moduleLoadList.join(",") + "\\n"))`;
  writeFileSync(preload, loaded);
  client = start(model.env, path.dirname(program), "--require", preload);
  await client.request("initialize", { protocolVersion: 1 });
  await newSession(client);
  await client.end();
  const names = /^LOADED (.*)$/mu.exec(client.stderr())?.[1]?.split(",") ?? [];
  expect(names).toContain("NativeModule net");
  expect(SLOW.filter((name) => names.includes(`NativeModule ${name}`))).toEqual([]);
});

// What a stream of stdin or stdout needs takes Node a tenth of its own start to load.
test("initialize is answered before Node has loaded what a stream is", async () => {
  model = await startScriptedModel();
  const preload = path.join(temporaryFolder(), "loaded.cjs");
  const lines = [
    'const fs = require("node:fs");',
    "const { writeSync } = fs;",
    "fs.writeSync = (descriptor, ...rest) => {",
    '  if (descriptor === 1) writeSync(2, "LOADED " + process.moduleLoadList.join(",") + "\\n");',
    "  return writeSync(descriptor, ...rest);",
    "};",
  ];
  writeFileSync(preload, lines.join("\n"));
  client = start(model.env, path.dirname(program), "--require", preload);
  await client.request("initialize", { protocolVersion: 1 });
  await client.end();
  const names = /^LOADED (.*)$/mu.exec(client.stderr())?.[1]?.split(",") ?? [];
  expect(names).toContain("NativeModule fs");
  expect(["stream", "net", "tty"].filter((name) => names.includes(`NativeModule ${name}`))).toEqual([]);
});

test("initialize is answered before any chunk is read, session/new before any code of a turn", async (context) => {
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
  await prompt(client, await newSession(client), "hello");
  await client.end();

  const lines = readFileSync(log, "utf8").split("\n");
  const place = (word: string): number => {
    const found = lines.findIndex((line) => line.includes(String.raw`\"${word}\"`));
    expect(found, word).toBeGreaterThan(0);
    return found;
  };
  const answered = place("configOptions");
  const opened = (from: number, to: number): readonly string[] =>
    lines
      .slice(from, to)
      .flatMap((line) => /open(?:at)?\(.*"([^"]+)"/u.exec(line)?.[1] ?? [])
      .filter((file) => file.startsWith(chunks))
      .map((file) => path.basename(file));
  // Once the code of the session was read in the same turn of the event loop, and held the answer up by half its time.
  expect(opened(0, place("agentInfo"))).toEqual([]);
  const before = new Set(opened(0, answered));
  const after = new Set(opened(answered, lines.length));
  const bytesBefore = readdirSync(chunks)
    .filter((name) => before.has(name))
    .reduce((sum, name) => sum + statSync(path.join(chunks, name)).size, 0);
  expect(bytesBefore).toBeLessThanOrEqual(32 * 1024);
  for (const [what, word] of Object.entries(HEAVY)) {
    const holders = chunksWith(word);
    expect(holders, what).not.toEqual([]);
    expect(
      holders.filter((name) => before.has(name)),
      what,
    ).toEqual([]);
  }
  // And they are read later, so that the words are the right ones.
  for (const word of [HEAVY.undici, HEAVY.chat, HEAVY.reducer, HEAVY.updates])
    expect(chunksWith(word).some((name) => after.has(name))).toBe(true);
});

// An empty file is no fault to Node, and nothing came of it: every prompt waited for ever.
test.each(["not there", "empty"])("a prompt is refused when the reducer is %s", async (how) => {
  model = await startScriptedModel();
  const heavy = new Set(chunksWith(HEAVY.reducer));
  const dist = damaged((name) => heavy.has(name));
  if (how === "empty") for (const name of heavy) writeFileSync(path.join(dist, "chunks", name), "");
  client = start(model.env, dist);
  await client.request("initialize", { protocolVersion: 1 });
  const { sessionId } = (await client.request("session/new", { cwd: dist, mcpServers: [] })).result;
  const { error } = await client.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "hello" }] });
  expect(error).toMatchObject({ code: -32603, message: "the agent cannot be loaded", data: { kind: "internal" } });
  expect((await client.request("session/close", { sessionId })).error).toBeUndefined();
  expect((await client.end()).code).toBe(0);
});
