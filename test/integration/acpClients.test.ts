/**
 * Clients that others wrote drive the built agent through a whole turn with a permission question and a tool call, and through
 * a cancel: the official SDK in two generations, acp-factory with a third one inside, and the acpx program. Every line that the
 * agent writes is judged by the schema all the same.
 */
import { type ChildProcess, type ChildProcessWithoutNullStreams, execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as acp from "@agentclientprotocol/sdk";
import { AgentFactory } from "acp-factory";
import * as acp1 from "acp1";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { processesWith } from "../support/processes.js";
import { bareEnvironment, program, startProgram } from "../support/program.js";
import { faultsOf } from "../support/schema.js";
import { type ScriptedModel, startScriptedModel } from "../support/scriptedModel.js";
import { temporaryFolder } from "../support/sessions.js";
import { until } from "../support/until.js";

const { resolve } = createRequire(import.meta.url);
const tap = fileURLToPath(new URL("../support/tap.mjs", import.meta.url));

let model: ScriptedModel;
/** What the agent has written, line by line. */
let transcript: string;
let env: Record<string, string>;

beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(async () => model.close());
beforeEach(() => {
  const folder = temporaryFolder();
  transcript = path.join(folder, "agent.ndjson");
  const servers = path.join(folder, "servers.json");
  const everything = {
    command: process.execPath,
    args: [resolve("@modelcontextprotocol/server-everything/dist/index.js"), "stdio"],
  };
  writeFileSync(servers, JSON.stringify({ mcpServers: { everything } }));
  env = {
    ...bareEnvironment(),
    ...model.env,
    TURNFOLD_MCP_SERVERS: servers,
    TURNFOLD_PERMISSIONS: "always",
    TURNFOLD_LOG: "warn",
    TURNFOLD_MODELS: "other",
  };
});
/** Whatever the client made of it, the agent's own lines are judged. Resolves when one of them ends a turn so. */
const judgeTranscript = async (stopReason: acp.StopReason): Promise<void> => {
  const answer = `"result":{"stopReason":"${stopReason}"}`;
  await until(answer, () => readFileSync(transcript, "utf8").includes(answer));
  const lines = readFileSync(transcript, "utf8").trimEnd().split("\n");
  const written = [...lines, readFileSync(`${transcript}.stderr`, "utf8")].join("\n");
  expect(written).not.toContain(model.env["OPENAI_COMPAT_API_KEY"]);
  const noMethod = (): undefined => undefined;
  expect(lines.flatMap((line) => faultsOf(line, noMethod, false))).toEqual([]);
};

const toolTurn = (): void => {
  model.say(
    { text: "Let me try.", calls: [{ name: "everything__echo", arguments: { message: "hedgehog" } }] },
    { text: "All done." },
  );
};
const tappedAgent = [tap, "", process.execPath, program, "acp"] as const;
const tapped = (): string[] => tappedAgent.map((part) => (part === "" ? transcript : part));

const startAgent = (): ChildProcessWithoutNullStreams => startProgram(tapped(), { env, command: [process.execPath] });
const exitCode = async (agent: ChildProcess): Promise<number | null> => {
  agent.stdin?.end();
  await until("exit", () => agent.exitCode !== null);
  return agent.exitCode;
};

interface Seen {
  readonly update: { readonly sessionUpdate: string; readonly status?: unknown; readonly content?: unknown };
}
const texts = (seen: readonly Seen[]): string => JSON.stringify(seen.map(({ update }) => update.content));
const statuses = (seen: readonly Seen[]): readonly unknown[] =>
  seen.flatMap(({ update }) => (update.status === undefined ? [] : [update.status]));

describe("the ACP SDK 2.4.0", () => {
  test("drives a turn with a permission and a tool call, and a cancel", async () => {
    const agent = startAgent();
    const seen: Seen[] = [];
    const stream = acp.ndJsonStream(
      Writable.toWeb(agent.stdin),
      Readable.toWeb(agent.stdout) as ReadableStream<Uint8Array>,
    );
    await acp
      .client({ name: "test" })
      .onRequest(acp.methods.client.session.requestPermission, ({ params }) => ({
        outcome: { outcome: "selected" as const, optionId: params.options[0]?.optionId ?? "" },
      }))
      .onNotification(acp.methods.client.session.update, ({ params }) => void seen.push(params))
      .connectWith(stream, async (context) => {
        const hello = await context.request(acp.methods.agent.initialize, {
          protocolVersion: 1,
          clientCapabilities: {},
        });
        expect(hello.protocolVersion).toBe(1);
        const { sessionId, configOptions } = await context.request(acp.methods.agent.session.new, {
          cwd: temporaryFolder(),
          mcpServers: [],
        });
        expect(configOptions?.map(({ id }) => id)).toEqual(["model", "thought_level"]);
        const prompt = async (text: string): Promise<acp.PromptResponse> =>
          context.request(acp.methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
        toolTurn();
        expect(await prompt("go")).toEqual({ stopReason: "end_turn" });
        expect(statuses(seen)).toEqual(["pending", "in_progress", "completed"]);
        expect(texts(seen)).toContain("hedgehog");
        model.say("hang");
        const requests = model.requests.length;
        const cancelled = prompt("think");
        await model.until("the request", (all) => all.length > requests);
        await context.notify(acp.methods.agent.session.cancel, { sessionId });
        expect(await cancelled).toEqual({ stopReason: "cancelled" });
        expect(await context.request(acp.methods.agent.session.close, { sessionId })).toEqual({});
      });
    expect(await exitCode(agent)).toBe(0);
    await judgeTranscript("cancelled");
  });
});

describe("the ACP SDK 1.9.0", () => {
  test("drives a turn with a permission and a tool call, and a cancel", async () => {
    const agent = startAgent();
    const seen: Seen[] = [];
    const connection = new acp1.ClientSideConnection(
      () => ({
        requestPermission: async ({ options }) => ({
          outcome: {
            outcome: "selected" as const,
            optionId: options.find(({ kind }) => kind === "allow_always")?.optionId ?? "",
          },
        }),
        sessionUpdate: async (params) => void seen.push(params),
      }),
      acp1.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout) as ReadableStream<Uint8Array>),
    );
    expect((await connection.initialize({ protocolVersion: 1, clientCapabilities: {} })).agentInfo?.name).toBe(
      "turnfold",
    );
    const { sessionId } = await connection.newSession({ cwd: temporaryFolder(), mcpServers: [] });
    const prompt = async (text: string): Promise<unknown> =>
      connection.prompt({ sessionId, prompt: [{ type: "text", text }] });
    toolTurn();
    expect(await prompt("go")).toEqual({ stopReason: "end_turn" });
    expect(statuses(seen)).toEqual(["pending", "in_progress", "completed"]);
    expect(texts(seen)).toContain("hedgehog");
    model.say("hang");
    const requests = model.requests.length;
    const cancelled = prompt("think");
    await model.until("the request", (all) => all.length > requests);
    await connection.cancel({ sessionId });
    expect(await cancelled).toEqual({ stopReason: "cancelled" });
    expect(await exitCode(agent)).toBe(0);
    await judgeTranscript("cancelled");
  });
});

describe("acp-factory 0.1.14", () => {
  test("drives a turn with a tool call, and a cancel", async () => {
    AgentFactory.register("turnfold", { command: process.execPath, args: tapped(), env });
    const agent = await AgentFactory.spawn("turnfold", { permissionMode: "auto-approve" });
    const session = await agent.createSession(temporaryFolder());
    toolTurn();
    const seen: Seen[] = [];
    for await (const update of session.prompt("go")) seen.push({ update });
    expect(statuses(seen)).toEqual(["pending", "in_progress", "completed"]);
    expect(texts(seen)).toContain("All done.");
    model.say("hang");
    const requests = model.requests.length;
    const hanging = (async () => {
      for await (const update of session.prompt("think")) seen.push({ update });
    })();
    await model.until("the request", (all) => all.length > requests);
    await session.cancel();
    await hanging;
    await agent.close();
    await judgeTranscript("cancelled");
  });
});

describe("acpx 0.19.1", () => {
  const folder = fileURLToPath(new URL("../peers/acpx", import.meta.url));
  const cli = path.join(folder, "node_modules", "acpx", "dist", "cli.js");
  let missing = "";

  beforeAll(async () => {
    if (existsSync(cli)) return;
    // Its own folder and no scripts: nothing of it may touch the installation that is tested.
    const flags = [
      "install",
      "--no-save",
      "--no-audit",
      "--no-fund",
      "--no-package-lock",
      "--ignore-scripts",
      "--loglevel=error",
    ];
    await promisify(execFile)("npm", flags, { cwd: folder, timeout: 150_000 }).catch((fault: unknown) => {
      missing = `acpx 0.19.1 cannot be had: ${String(fault).split("\n")[0]}`;
    });
  }, 180_000);

  const quoted = (parts: readonly string[]): string => parts.map((part) => `'${part}'`).join(" ");
  let cwd: string;
  beforeEach(() => {
    cwd = temporaryFolder();
  });
  const run = (...args: readonly string[]): ChildProcessWithoutNullStreams => {
    const command = quoted([process.execPath, ...tapped()]);
    const flags = ["--agent", command, "--cwd", cwd, "--approve-all", "--format", "json"];
    const acpx = startProgram([cli, ...flags, ...args], { env, command: [process.execPath] });
    acpx.stdin.end();
    return acpx;
  };
  const outputOf = async (child: ChildProcessWithoutNullStreams): Promise<string> => readAll(child.stdout);

  test("drives a turn with a permission and a tool call", async (context) => {
    if (missing !== "") context.skip(missing);
    toolTurn();
    const output = await outputOf(run("exec", "go"));
    expect(output).toContain('"stopReason":"end_turn"');
    expect(output).toContain("hedgehog");
    expect(output).toContain("All done.");
    await judgeTranscript("end_turn");
  });

  test("cancels a turn when it is interrupted", async (context) => {
    if (missing !== "") context.skip(missing);
    model.say("hang");
    const requests = model.requests.length;
    const acpx = run("exec", "think");
    const output = outputOf(acpx);
    await model.until("the request", (all) => all.length > requests);
    acpx.kill("SIGINT");
    expect(await output).toContain("session/cancel");
    await judgeTranscript("cancelled");
  });

  // Each command is a process of its own; the agent is kept by another of acpx's that they all talk to.
  test("creates a session, prompts, sets options, cancels from beside, lists and closes, and leaves nothing", async (context) => {
    if (missing !== "") context.skip(missing);
    const mark = randomUUID();
    env = { ...env, TURNFOLD_TEST_MARK: mark };
    const said = async (...args: readonly string[]): Promise<string> => outputOf(run(...args));

    expect(await said("sessions", "new")).toContain('"created":true');
    toolTurn();
    const turn = await said("prompt", "go");
    expect(turn).toContain('"stopReason":"end_turn"');
    expect(turn).toContain("Echo: hedgehog");

    expect(await said("set", "model", "other")).toContain('"modelId":"other"');
    expect(await said("set", "thought_level", "high")).toContain('"value":"high"');
    expect(await said("status")).toContain('"model":"other"');

    model.say("hang");
    const requests = model.requests.length;
    const prompting = said("prompt", "think");
    await model.until("the request", (all) => all.length > requests);
    expect(model.requests.at(-1)?.body).toMatchObject({ model: "other", reasoning_effort: "high" });
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain("hedgehog");
    expect(await said("cancel")).toContain('"cancelled":true');
    expect(await prompting).toContain('"stopReason":"cancelled"');

    expect(await said("sessions", "list", "--local")).toContain('"closed":false');
    expect(await said("sessions", "close")).toContain('"action":"session_closed"');
    await judgeTranscript("cancelled");
    // The answer to `session/close`.
    expect(readFileSync(transcript, "utf8")).toMatch(/"result":\{\}\}\n$/u);
    await until("nothing left", () => processesWith(`TURNFOLD_TEST_MARK=${mark}`).length === 0);
  });
});
