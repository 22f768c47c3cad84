/** A configured key goes to the model server's header and nowhere else: not to servers, records, the log or the client. */
import { once } from "node:events";
import { readdirSync, readFileSync, utimesSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { faultEntry } from "../support/faultTools.js";
import { bareEnvironment, startProgram, takeLeaks } from "../support/program.js";
import { startScriptedModel } from "../support/scriptedModel.js";
import { initialized, newSession, prompt, temporaryFolder } from "../support/sessions.js";

const KEY = "sk-live-5d1c0f7e9a3b4c62";

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "latin1"));

// A server that dumps its environment, and a provider that says the key back in its refusal.
test.each([
  ["chat", "OPENAI_COMPAT_API_KEY"],
  ["messages", "ANTHROPIC_API_KEY"],
] as const)("With %s, the key in %s is in nothing that the agent writes", async (dialect, variable) => {
  const model = await startScriptedModel(dialect);
  const record = temporaryFolder();
  const client = await initialized(model, { env: { [variable]: KEY, TURNFOLD_RECORD: record } });
  try {
    const sessionId = await newSession(client, { mcpServers: [faultEntry("f", { OWN: "own value" })] });
    model.say({ calls: [{ name: "f__env", arguments: {} }] }, { text: "Seen." });
    expect((await prompt(client, sessionId, "go")).result).toEqual({ stopReason: "end_turn" });
    const dumped = JSON.stringify(model.requests.at(-1)?.body);
    expect(dumped).toContain("own value");
    expect(dumped).not.toMatch(/BUZZ_AGENT_|TURNFOLD_|_API_KEY/);
    model.say({ status: 401, body: JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}.` } }) });
    expect((await prompt(client, sessionId, "again")).error.message).toContain("Incorrect API key provided");
    expect(await client.end()).toMatchObject({ code: 0 });
    const recorded = filesOf(record);
    expect(recorded.join("")).toContain("own value");
    const written = [...client.lines, client.stderr(), dumped, ...recorded];
    expect(written.filter((text) => text.includes(KEY))).toEqual([]);
  } finally {
    client.process.kill("SIGKILL");
    await model.close();
  }
});

const PASSWORD = "tr0ub4dor&3-is-mine";

/** In which nobody may find a piece of it either: something was cut before it was cleaned. */
const expectNoPieceOf = (secret: string, texts: readonly string[]): void => {
  const pieces = Array.from({ length: secret.length - 7 }, (_, at) => secret.slice(at, at + 8));
  expect(texts.filter((text) => pieces.some((piece) => text.includes(piece)))).toEqual([]);
};

// A server printed its own token, which it had from its entry in `session/new`, and the token stood in our log and our records.
describe("A password that a server was given for itself", () => {
  test("is in nothing that the agent makes of its stderr, noise, results and structured results", async () => {
    const model = await startScriptedModel();
    onTestFinished(model.close);
    const record = temporaryFolder();
    const client = await initialized(model, { env: { TURNFOLD_RECORD: record } });
    const entry = faultEntry("f", { OWN_PASSWORD: PASSWORD, SORT_KEY: "does echo" });
    const sessionId = await newSession(client, { mcpServers: [entry] });
    model.say(
      {
        calls: [
          { name: "f__confess", arguments: {} },
          { name: "f__env", arguments: {} },
        ],
      },
      { text: "Seen." },
    );
    expect((await prompt(client, sessionId, "go")).result).toEqual({ stopReason: "end_turn" });
    expect(await client.end()).toMatchObject({ code: 0 });
    const asked = JSON.stringify(model.requests.at(-1)?.body);
    const told = "the password is [redacted]";
    expect(asked).toContain(told);
    expect(asked).toContain(String.raw`\"OWN_PASSWORD\":\"[redacted]\"`);
    // What is called a key may be the name of a column, and the catalogue must stay readable.
    expect(asked).toContain('"does echo"');
    expect(client.stderr().split(told)).toHaveLength(3);
    const recorded = filesOf(record);
    expect(recorded.join("")).toContain(told);
    expectNoPieceOf(PASSWORD, [asked, client.stderr(), ...client.lines, ...recorded]);
  });

  test("is not in the error that says why no server came up, where its last words are cut", async () => {
    const model = await startScriptedModel();
    onTestFinished(model.close);
    const client = await initialized(model);
    const entry = faultEntry("f", { OWN_PASSWORD: PASSWORD, FAULT_START: "confess" });
    const { error } = await client.request("session/new", { cwd: temporaryFolder(), mcpServers: [entry] });
    expect(error).toMatchObject({ code: -32603, data: { kind: "mcp" } });
    expect(error.message).toMatch(/exited with code 12: .*x{390}/u);
    expect(await client.end()).toMatchObject({ code: 0 });
    expectNoPieceOf(PASSWORD, [JSON.stringify(error), client.stderr()]);
  });
});

describe("The judge of all runs", () => {
  const KEYS = { SOME_API_KEY: KEY };
  const script = (text: string): readonly string[] => [process.execPath, "-e", text];

  test.each([
    ["stdout", "process.stdout.write(process.env.SOME_API_KEY)", { where: "stdout of" }],
    [
      "stderr, in two pieces",
      "const key = process.env.SOME_API_KEY; process.stderr.write(key.slice(0, 9)); setTimeout(() => process.stderr.write(key.slice(9)), 50)",
      { where: "stderr of" },
    ],
    [
      "a file that was written",
      "require('fs').writeFileSync(process.env.TURNFOLD_RECORD + '/a', 'x' + process.env.SOME_API_KEY)",
      { where: "/a of" },
    ],
  ])("finds a key in %s", async (_, text, { where }) => {
    const env = { ...bareEnvironment(), ...KEYS, TURNFOLD_RECORD: temporaryFolder() };
    await once(startProgram([], { env, command: script(text) }), "close");
    expect(takeLeaks()).toEqual([expect.stringContaining(where)]);
  });

  test("finds nothing where nothing is, and looks at no file that the test itself has written before", async () => {
    const env = { ...bareEnvironment(), ...KEYS, TURNFOLD_MCP_SERVERS: temporaryFolder({ "servers.json": KEY }) };
    const past = new Date(Date.now() - 5000);
    utimesSync(path.join(env.TURNFOLD_MCP_SERVERS, "servers.json"), past, past);
    await once(startProgram([], { env, command: script("console.log('fine')") }), "close");
    expect(takeLeaks()).toEqual([]);
  });
});
