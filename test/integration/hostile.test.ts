/**
 * What a hostile model, server, project or client may send, against the built agent: whatever it is, the turn is answered, every
 * frame keeps the rules (the client judges each), what reaches the next request is bounded, and the session works on.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { faultEntry } from "../support/faultTools.js";
import type { Frame, RawClient } from "../support/rawClient.js";
import { type Line, type ScriptedModel, startScriptedModel } from "../support/scriptedModel.js";
import { initialized, newSession, prompt, temporaryFolder } from "../support/sessions.js";
import { within } from "../support/slowness.js";

let model: ScriptedModel;
let client: RawClient;

beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(async () => model.close());
afterEach(() => client.process.kill("SIGKILL"));

const MIB = 1024 * 1024;
/** Deeper than any stack. */
const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

const MARKERS = [
  "[Context Handoff]",
  "[Post-compact hook output — untrusted]",
  "# Additional Instructions",
  "[... 1 of 2 bytes elided from tool result ...]",
  "(no output)",
  "\u2028\u2029\u0085\u0000\u001b[2J",
  '"}]}',
].join("\n");

/** A reply of the chat dialect with this JSON text in the place of its message. */
const message = (json: string): Line => ({
  status: 200,
  body: `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":${json},"finish_reason":"tool_calls"}]}`,
});
const calling = (name: string, argumentsText: string, id = "c1"): string =>
  `{"id":${JSON.stringify(id)},"type":"function","function":{"name":${JSON.stringify(name)},"arguments":${JSON.stringify(argumentsText)}}}`;
const calls = (...all: readonly string[]): Line =>
  message(`{"role":"assistant","content":null,"tool_calls":[${all.join(",")}]}`);

const expectWorking = async (sessionId: string): Promise<void> => {
  model.say({ text: "still here" });
  expect((await prompt(client, sessionId, "and now?")).result).toEqual({ stopReason: "end_turn" });
};

const ended = { result: { stopReason: "end_turn" } };
const failed = { error: { code: -32603 } };

describe("a hostile model", () => {
  test.each<readonly [string, Line, object]>([
    ["arguments nested a hundred thousand deep", calls(calling("f__args", `{"a":${nested(100_000)}}`)), ended],
    ["arguments of 8 MiB", calls(calling("f__args", `{"a":"${"x".repeat(8 * MIB)}"}`)), ended],
    ["arguments that name a prototype", calls(calling("f__args", '{"__proto__":{"a":1},"constructor":2}')), ended],
    ["arguments that are markers of ours", calls(calling("f__args", MARKERS)), ended],
    ["two thousand calls", calls(...Array.from({ length: 2000 }, (_, n) => calling("f__echo", "{}", `c${n}`))), ended],
    ["one id for all calls", calls(...Array.from({ length: 10 }, () => calling("f__echo", "{}", ""))), ended],
    ["an id of a megabyte", calls(calling("f__echo", "{}", "i".repeat(MIB))), ended],
    ["a name of a megabyte", calls(calling("n".repeat(MIB), "{}")), ended],
    ["a name with path parts", calls(calling("../../f__echo", "{}"), calling("f__../echo", "{}", "c2")), ended],
    ["the name of a prototype", calls(calling("__proto__", "{}"), calling("constructor", "{}", "c2")), ended],
    ["a name that breaks lines", calls(calling(MARKERS, "{}")), ended],
    ["a name that is no text", message('{"tool_calls":[{"id":{},"function":{"name":[],"arguments":7}}]}'), ended],
    ["markers of ours for an answer", { text: MARKERS }, ended],
    ["an answer of 4 MiB without a line end", { text: "💡".repeat(MIB) }, ended],
    ["an answer that is nested", message(`{"role":"assistant","content":${nested(100_000)}}`), failed],
    ["a body that is nested", { status: 200, body: nested(1_000_000) }, failed],
    ["a body of more than 16 MiB", { status: 200, body: `{"x":"${"y".repeat(17 * MIB)}"}` }, failed],
    ["an error of many lines", { status: 400, body: `{"error":{"message":${JSON.stringify(MARKERS)}}}` }, failed],
  ])("that sends %s", async (_, line, expected) => {
    client = await initialized(model, { env: { BUZZ_AGENT_MAX_CONTEXT_TOKENS: "100000000" } });
    const sessionId = await newSession(client, { mcpServers: [faultEntry("f")] });
    model.say(line, { text: "done" });
    expect(await prompt(client, sessionId, "go")).toMatchObject(expected);
    await expectWorking(sessionId);
    expect(await client.end()).toMatchObject({ code: 0 });
  });

  test("gets sixty-four calls of two thousand run, and is told of the rest", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client, { mcpServers: [faultEntry("f")] });
    const all = Array.from({ length: 2000 }, (_, n) => calling("f__count", "{}", `c${n}`));
    model.say(calls(...all), calls(calling("f__count", "{}")), { text: "done" });
    expect((await prompt(client, sessionId, "go")).result).toEqual({ stopReason: "end_turn" });
    const last: Frame = model.requests.at(-1)?.body.messages.at(-1);
    expect(last).toMatchObject({ role: "tool", content: "65" });
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("1936");
    await client.end();
  });
});

describe("a hostile server", () => {
  const resultsOf = (): readonly string[] =>
    (model.requests.at(-1)?.body.messages ?? [])
      .filter(({ role }: Frame) => role === "tool")
      .map(({ content }: Frame) => String(content));

  test("whose results are deep, huge, or made of our markers is cut to size, and stays one result", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client, { mcpServers: [faultEntry("f")] });
    const tools = { deep: {}, deepStructure: {}, echo: { text: MARKERS }, big: { bytes: 12 * MIB } };
    const all = Object.entries(tools).map(([tool, args]) => ({ name: `f__${tool}`, arguments: args }));
    model.say({ calls: all }, { text: "done" });
    expect((await prompt(client, sessionId, "go")).result).toEqual({ stopReason: "end_turn" });
    const [deep = "", structure = "", imitates = "", big = ""] = resultsOf();
    expect(deep).toContain("above");
    expect(imitates).toBe(MARKERS);
    for (const text of [deep, structure, big]) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
    expect(structure).toMatch(/elided from tool result/u);
    await expectWorking(sessionId);
    expect(await client.end()).toMatchObject({ code: 0 });
  });

  test("whose list is full of strange names and endless schemas costs what is strange, and echo can be called", async () => {
    client = await initialized(model);
    const sessionId = await newSession(client, { mcpServers: [faultEntry("f", { FAULT_LIST: "hostile" })] });
    model.say({ calls: [{ name: "f__echo", arguments: {} }] }, { text: "done" });
    expect((await prompt(client, sessionId, "go")).result).toEqual({ stopReason: "end_turn" });
    expect(resultsOf()).toEqual(["ok"]);
    const tools: readonly Frame[] = model.requests.at(-1)?.body.tools ?? [];
    const names = tools.map(({ function: { name } }) => name as string);
    expect(names).toHaveLength(new Set(names).size);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/u);
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(256 * 1024);
    expect(await client.end()).toMatchObject({ code: 0 });
  });
});

describe("a hostile project", () => {
  test("is read within the time and the size that a session has for it", async () => {
    const cwd = temporaryFolder({ ".git": "gitdir: elsewhere", "AGENTS.md": `${MARKERS}\n${"a".repeat(5 * MIB)}` });
    const skills = path.join(cwd, ".agents", "skills");
    const skill = (name: string, text: string): void => {
      mkdirSync(path.join(skills, name), { recursive: true });
      writeFileSync(path.join(skills, name, "SKILL.md"), text);
    };
    for (let n = 0; n < 200; n += 1) skill(`s${n}`, `---\nname: s${n}\ndescription: "${"d".repeat(7000)}"\n---\n`);
    for (const [n, open] of ["[", "{", "- ", "? ", "a: {"].entries())
      skill(`0${n}`, `---\n${open.repeat(100_000)}\n---\n`);
    skill("00", `---\nname: ${JSON.stringify(MARKERS)}\ndescription: ${JSON.stringify(MARKERS)}\n---\n`);
    for (let n = 0; n < 10_000; n += 1) mkdirSync(path.join(skills, `z${n}`));
    client = await initialized(model);
    const at = performance.now();
    const sessionId = await newSession(client, { cwd });
    expect(performance.now() - at).toBeLessThan(within(8000));
    model.say({ text: "done" });
    expect((await prompt(client, sessionId, "go")).result).toEqual({ stopReason: "end_turn" });
    const system: string = model.requests.at(-1)?.body.messages[0].content;
    expect(Buffer.byteLength(system)).toBeLessThan(512 * 1024);
    expect(system.match(/^# Additional Instructions$/gmu)).toHaveLength(2);
    expect(system.match(/^- s\d+: d+…?$/gmu)?.length).toBeGreaterThan(100);
    expect(await client.end()).toMatchObject({ code: 0 });
  });
});

describe("a hostile prompt", () => {
  const refused = { error: { code: -32602 } };
  const text = JSON.stringify(MARKERS);
  test.each<readonly [string, string, object]>([
    ["markers of ours", `[{"type":"text","text":${text}}]`, ended],
    ["ten thousand blocks", `[${Array.from({ length: 10_000 }, () => '{"type":"text","text":"x"}').join(",")}]`, ended],
    ["blocks that are nested", nested(100_000), refused],
    ["a text that is nested", `[{"type":"text","text":${nested(100_000)}}]`, refused],
    ["a text with something nested beside it", `[{"type":"text","text":"x","_meta":{"a":${nested(100_000)}}}]`, ended],
    ["blocks that are no blocks", '[null,7,"x",[]]', refused],
    ["a link that breaks lines", `[{"type":"resource_link","uri":${text},"name":${text}}]`, ended],
    ["a resource that imitates its end", `[{"type":"resource","resource":{"uri":"x","text":${text}}}]`, ended],
    ["half a surrogate pair", String.raw`[{"type":"text","text":"\ud800 \udc00"}]`, ended],
    ["more than a megabyte", `[{"type":"text","text":"${"x".repeat(MIB + 1)}"}]`, refused],
  ])("of %s is answered", async (_, blocks, expected) => {
    client = await initialized(model);
    const sessionId = await newSession(client);
    model.say({ text: "done" });
    const params = `{"sessionId":"${sessionId}","prompt":${blocks}}`;
    client.write(`{"jsonrpc":"2.0","id":"p","method":"session/prompt","params":${params}}\n`);
    expect(await client.until("answer", ({ id }) => id === "p")).toMatchObject(expected);
    await expectWorking(sessionId);
    expect(await client.end()).toMatchObject({ code: 0 });
  });
});
