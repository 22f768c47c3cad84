/** `spec/acp.md` section 4, end of life. Names begin with the numbers of the items. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { faultEntry } from "../../support/faultTools.js";
import { program } from "../../support/program.js";
import { processesWith } from "../../support/processes.js";
import { type Frame, type RawClient, type RawClientOptions, startClient } from "../../support/rawClient.js";
import { type ScriptedModel, startScriptedModel } from "../../support/scriptedModel.js";
import { initialized, newSession, prompt, temporaryFolder } from "../../support/sessions.js";
import { within } from "../../support/slowness.js";
import { until } from "../../support/until.js";

let model: ScriptedModel;
let client: RawClient;

beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(async () => model.close());
afterEach(() => client.process.kill("SIGKILL"));

/** A client with a session whose server, its grandchild included, carries the mark. */
const withServer = async (
  faults: Readonly<Record<string, string>>,
  options: RawClientOptions = {},
): Promise<{ readonly sessionId: string; readonly mark: string }> => {
  const mark = `TURNFOLD_TEST_MARK=${randomUUID()}`;
  client = await initialized(model, options);
  const [name = "", value = ""] = mark.split("=");
  const sessionId = await newSession(client, { mcpServers: [faultEntry("f", { ...faults, [name]: value })] });
  await until("the server's processes", () => processesWith(mark).length > 0);
  return { sessionId, mark };
};
const stubborn = { FAULT_STDIN_END: "ignore", FAULT_TERM: "ignore", FAULT_START: "grandchild" };
const isReadable = (file: string): boolean => {
  try {
    return readFileSync(file).length > 0;
  } catch {
    return false;
  }
};
/** Resolves when `value` has been the same for so long. */
const quiet = async (value: () => number, ms: number): Promise<void> => {
  for (let before = -1; before !== value();) {
    before = value();
    await new Promise((resolve) => {
      setTimeout(resolve, ms);
    });
  }
};
const gone = async (mark: string): Promise<void> => {
  await until("end of the server's processes", () => processesWith(mark).length === 0, 2000);
};

describe("end of life", () => {
  test("116, 118: stdin closed when idle ends it with code 0 in less than 2 s, what was asked before is answered", async () => {
    const { mark } = await withServer({});
    client.write(
      `${JSON.stringify({ jsonrpc: "2.0", id: "new", method: "session/new", params: { cwd: temporaryFolder() } })}\n`,
    );
    client.write(`${JSON.stringify({ jsonrpc: "2.0", id: "last", method: "nothing/such" })}\n`);
    const exit = await client.end();
    expect(exit).toMatchObject({ code: 0, signal: null });
    expect(exit.afterMs).toBeLessThan(2000);
    expect(client.frames.find((frame) => frame.id === "last").error.code).toBe(-32601);
    expect(client.frames.find((frame) => frame.id === "new").result.sessionId).toMatch(/^ses_/u);
    await gone(mark);
  });

  test("117, 122: stdin closed in mid-turn, with a stubborn server and its grandchild: answered, ended in 5 s, nothing left", async () => {
    const { sessionId, mark } = await withServer(stubborn);
    model.say({ calls: [{ name: "f__hang", arguments: {} }] });
    const answer = prompt(client, sessionId, "go");
    await client.until("start of the tool", (frame) => frame.params?.update?.status === "in_progress");
    const exit = await client.end();
    expect((await answer).result).toEqual({ stopReason: "cancelled" });
    expect(exit).toMatchObject({ code: 0, signal: null });
    expect(exit.afterMs).toBeLessThan(5500);
    await gone(mark);
  });

  test("117: stdin closed while a permission question is open", async () => {
    const { sessionId, mark } = await withServer({}, { env: { TURNFOLD_PERMISSIONS: "always" } });
    model.say({ calls: [{ name: "f__echo", arguments: {} }] });
    const answer = prompt(client, sessionId, "go");
    await client.until("question", (frame) => frame.method === "session/request_permission");
    const exit = await client.end();
    expect((await answer).result).toEqual({ stopReason: "cancelled" });
    expect(exit.afterMs).toBeLessThan(3000);
    await gone(mark);
  });

  test("stdin closed while session/new still starts its servers leaves none of them", async () => {
    const mark = `TURNFOLD_TEST_MARK=${randomUUID()}`;
    const [name = "", value = ""] = mark.split("=");
    client = await initialized(model);
    const entry = faultEntry("f", {
      FAULT_START: "hang",
      FAULT_STDIN_END: "ignore",
      FAULT_TERM: "ignore",
      [name]: value,
    });
    void client.request("session/new", { cwd: temporaryFolder(), mcpServers: [entry] });
    await until("the server's process", () => processesWith(mark).length > 0);
    const exit = await client.end();
    expect(exit).toMatchObject({ code: 0, signal: null });
    expect(exit.afterMs).toBeLessThan(5500);
    await gone(mark);
  });

  test("stdin closed while a closed session still ends its servers: they are ended by then, in the shorter time", async () => {
    const { sessionId, mark } = await withServer(stubborn);
    expect((await client.request("session/close", { sessionId })).result).toEqual({});
    expect(processesWith(mark).length).toBeGreaterThan(0);
    const exit = await client.end();
    expect(exit).toMatchObject({ code: 0, signal: null });
    expect(exit.afterMs).toBeLessThan(5500);
    await gone(mark);
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
  ] as const)("120: %s in mid-turn: answered, servers gone, exit code %i", async (signal, code) => {
    const { sessionId, mark } = await withServer({ FAULT_START: "grandchild" });
    model.say("hang");
    const answer = prompt(client, sessionId, "go");
    await client.until("start", (frame) => frame.params?.sessionId === sessionId);
    client.process.kill(signal);
    expect((await answer).result).toEqual({ stopReason: "cancelled" });
    expect(await client.exited).toMatchObject({ code, signal: null });
    await gone(mark);
  });

  // The first frame is waited for without a turn of the event loop: a signal that we listened to meanwhile would not be heard.
  test("120: a signal before the first frame ends it on the spot", async (context) => {
    client = startClient({ env: model.env });
    const call = `/proc/${client.process.pid}/syscall`;
    if (!isReadable(call)) context.skip("the calls of a process cannot be seen here");
    // One with stdin as its first argument: it waits in the read.
    await until("wait for a frame", () => /^\d+ 0x0 /.test(readFileSync(call, "utf8")));
    client.process.kill("SIGTERM");
    const { code, signal, afterMs } = await client.exited;
    expect({ code, signal }).toEqual({ code: null, signal: "SIGTERM" });
    expect(afterMs).toBeLessThan(5000);
  });

  // The first answers are written without a stream: into a pipe that others had filled, that waited for ever and heard no signal.
  test("120: a signal ends it also where stdout was full before it began", async (context) => {
    if (process.platform !== "linux") context.skip("a pipe takes 64 KiB on Linux");
    const folder = temporaryFolder();
    const mark = `TURNFOLD_TEST_MARK=${randomUUID()}`;
    // The shell's own descriptor 3 keeps the pipe open, and nobody reads it.
    const script = 'mkfifo out && exec 3<>out && head -c 65536 /dev/zero >&3 && exec "$1" "$2" >out';
    client = startClient({
      env: model.env,
      cwd: folder,
      command: ["sh", "-c", script, "sh", process.execPath, program],
    });
    const [name = "", value = ""] = mark.split("=");
    void client.request("initialize", { protocolVersion: 1 }).catch(() => undefined);
    void client
      .request("session/new", { cwd: folder, mcpServers: [faultEntry("f", { [name]: value })] })
      .catch(() => undefined);
    await until("the server's processes", () => processesWith(mark).length > 0);
    client.process.kill("SIGTERM");
    const { code, afterMs } = await client.exited;
    expect(code).toBe(143);
    expect(afterMs).toBeLessThan(within(6000));
    await gone(mark);
  });

  test("119: stdout closed by the reader is noticed at the next write, and ends it as stdin's end does", async () => {
    const { sessionId, mark } = await withServer({});
    model.say("hang");
    void prompt(client, sessionId, "go").catch(() => undefined);
    await client.until("start", (frame) => frame.params?.sessionId === sessionId);
    client.process.stdout.destroy();
    client.notify("session/cancel", { sessionId });
    expect(await client.exited).toMatchObject({ code: 0, signal: null });
    await gone(mark);
  });

  test("119: stderr closed by the reader does no harm", async () => {
    client = await initialized(model);
    client.process.stderr.destroy();
    const sessionId = await newSession(client);
    model.say({ text: "ok" });
    expect((await prompt(client, sessionId, "go")).result).toEqual({ stopReason: "end_turn" });
    expect(await client.end()).toMatchObject({ code: 0 });
  });

  test("121: a client that stops reading holds up the next call, not the process, and loses nothing", async () => {
    const rounds = 14;
    // A window in which nothing has to be summarised.
    client = await initialized(model, { env: { BUZZ_AGENT_MAX_CONTEXT_TOKENS: "100000000" } });
    const sessionId = await newSession(client, { mcpServers: [faultEntry("f")] });
    const text = "x".repeat(1024 * 1024);
    const big = (index: number): { text: string; calls: [{ name: string; arguments: { text: string } }] } => ({
      text: `${index} ${text}`,
      calls: [{ name: "f__echo", arguments: { text: String(index) } }],
    });
    const seen = model.requests.length;
    model.say(...Array.from({ length: rounds }, (_, index) => big(index)), { text: "end" });
    client.process.stdout.pause();
    client.write(
      `{"jsonrpc":"2.0","id":"flood","method":"session/prompt","params":{"sessionId":"${sessionId}","prompt":[{"type":"text","text":"flood"}]}}\n`,
    );
    // 8 MiB are unsent after about eight rounds; then no request comes while nobody reads, however long that is.
    await model.until("eight requests", (requests) => requests.length >= seen + 8);
    await quiet(() => model.requests.length, 2000);
    expect(model.requests.length - seen).toBeLessThan(rounds);
    client.process.stdout.resume();
    const answer = await client.until("answer", ({ id }) => id === "flood", within(15_000));
    expect(answer.result).toEqual({ stopReason: "end_turn" });
    const said = client.updates().filter((update) => update.sessionUpdate === "agent_message_chunk");
    const bytes = said.reduce((sum: number, update: Frame) => sum + update.content.text.length, 0);
    expect(bytes).toBeGreaterThan(rounds * text.length);
    expect(await client.end()).toMatchObject({ code: 0 });
  });
});
