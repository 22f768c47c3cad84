/** `turnfold ask` and the other words that a person can say to the program. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text as readAll } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bareEnvironment, startProgram } from "../support/program.js";
import { type ScriptedModel, startScriptedModel } from "../support/scriptedModel.js";
import { everythingServer, temporaryFolder } from "../support/sessions.js";

let model: ScriptedModel;

beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(async () => model.close());

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}
interface Running {
  readonly done: Promise<Ran>;
  readonly interrupt: () => void;
}

const start = (
  args: readonly string[],
  { env = {}, stdin = "" }: { env?: Record<string, string>; stdin?: string } = {},
): Running => {
  const child = startProgram(args, { env: { ...bareEnvironment(), ...model.env, ...env } });
  child.stdin.end(stdin);
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const done = Promise.all([exited, readAll(child.stdout), readAll(child.stderr)]).then(([code, out, err]) => ({
    code,
    out,
    err,
  }));
  return { done, interrupt: () => void child.kill("SIGINT") };
};
const run = async (
  args: readonly string[],
  options: { env?: Record<string, string>; stdin?: string } = {},
): Promise<Ran> => start(args, options).done;

const serversFile = (): string => {
  const { command, args } = everythingServer() as { command: string; args: string[] };
  const file = path.join(temporaryFolder(), "servers.json");
  writeFileSync(file, JSON.stringify({ mcpServers: { everything: { command, args } } }));
  return file;
};
const toolTurn = (): void => {
  model.say(
    {
      text: "Let me try.",
      calls: [{ name: "everything__echo", arguments: { message: "hedgehog" } }],
      usage: '{"prompt_tokens":1200,"completion_tokens":30}',
    },
    { text: "All done.", usage: '{"prompt_tokens":1300,"completion_tokens":5}' },
  );
};

describe("turnfold ask", () => {
  test("shows the answer on stdout, and calls with their outcome and the tokens on stderr", async () => {
    toolTurn();
    const cwd = temporaryFolder();
    const { code, out, err } = await run(["ask", "--mcp", serversFile(), "--cwd", cwd, "do it"]);
    expect(out).toBe("Let me try.\nAll done.\n");
    expect(err).toContain('✓ everything__echo {"message":"hedgehog"} Echo: hedgehog');
    expect(err).toContain("scripted: 2,500 tokens in, 35 out");
    expect(code).toBe(0);
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("do it");
  });

  test("prints one JSON object a line with --json, the outcome last", async () => {
    toolTurn();
    const { code, out } = await run(["ask", "--json", "--mcp", serversFile(), "-"], { stdin: "from stdin" });
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.at(-1)).toEqual({ stopReason: "end_turn" });
    expect(lines.map((line) => line["sessionUpdate"])).toContain("tool_call");
    expect(model.requests.at(-1)?.body.messages[1]).toEqual({ role: "user", content: "from stdin" });
    expect(code).toBe(0);
  });

  test("does not run a tool that nobody can be asked about", async () => {
    toolTurn();
    const { code, err } = await run(["ask", "--mcp", serversFile(), "go"], { env: { TURNFOLD_PERMISSIONS: "always" } });
    expect(err).toContain("everything__echo is not allowed: there is no terminal to ask at");
    expect(err).toContain("✗ everything__echo");
    expect(code).toBe(0);
  });

  test("ends with 1 when the turn fails, 3 when it stops early, 130 when it is interrupted", async () => {
    model.say({ status: 400, body: '{"error":{"message":"no such thing"}}' });
    const failed = await run(["ask", "go"]);
    expect(failed.code).toBe(1);
    expect(failed.err).toMatch(/^turnfold: .*no such thing.*\n$/u);
    model.say({ text: "no", stop: "content_filter" });
    expect((await run(["ask", "go"])).code).toBe(3);
    model.say("hang");
    const requests = model.requests.length;
    const running = start(["ask", "go"]);
    await model.until("the request", (all) => all.length > requests);
    running.interrupt();
    expect((await running.done).code).toBe(130);
  });

  test.each([
    [[], "needs a prompt"],
    [["  "], "needs a prompt"],
    [["a", "b"], "one prompt"],
    [["--frobnicate", "a"], "--frobnicate"],
    [["--cwd", "/no/such/folder", "a"], "no directory"],
    [["--mcp", "/no/such/file", "a"], "ENOENT"],
  ])("ends with 2 and one line for %j", async (args, fault) => {
    const { code, out, err } = await run(["ask", ...args]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^turnfold: .+\n$/u);
    expect(err).toContain(fault);
  });
});

describe("turnfold", () => {
  test("prints its version and what it can be asked", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect(await run(["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
    const help = await run(["--help"]);
    expect(help.code).toBe(0);
    for (const word of ["acp", "ask", "replay", "BUZZ_AGENT_PROVIDER"]) expect(help.out).toContain(word);
  });

  test.each(["ask", "auth", "check", "memory", "replay", "simulate", "usage"])(
    "%s --help says how",
    async (command) => {
      const { code, out, err } = await run([command, "--help"]);
      expect([code, err]).toEqual([0, ""]);
      expect(out).toContain(`usage: turnfold ${command}`);
    },
  );

  test("npm start plays a whole task and shows it", async () => {
    const child = startProgram([], {
      env: { ...bareEnvironment(), TURNFOLD_START_BUILT: "1" },
      command: [process.execPath, "scripts/start.mjs"],
    });
    const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
    const [code, out] = await Promise.all([exited, readAll(child.stdout)]);
    expect(out).toContain("rehearsal");
    expect(out).toContain("✓ files__list_directory");
    expect(out).toContain("3 notes, 40 words");
    expect(out).toContain("ended with end_turn after 5 tool calls");
    expect(out).toContain("export BUZZ_AGENT_PROVIDER=");
    expect(code).toBe(0);
  });
});
