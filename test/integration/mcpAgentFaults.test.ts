/**
 * The fault matrix of `mcpFaults.test.ts` once more, with its own table, against the built agent: every fault alone, beside other
 * calls, while its turn is cancelled, and while the agent ends. The turn ends, the model reads the right words, each call is told
 * finished once, the server is there for the next turn, and no process is left (by a mark in the environment).
 *
 * Wrong implementations that this kills, which the port's own matrix cannot see: a reducer that drops or doubles a result that
 * crosses a cancel, words that are lost between the port and the provider's dialect, a drain that waits for a server that is gone.
 */
import { randomUUID } from "node:crypto";
import { describe, expect, test, type TestContext } from "vitest";
import { acceptable, FAULTS, type Fault, limitsFor, LOST_WORDS } from "../support/faults.js";
import { faultEntry } from "../support/faultTools.js";
import { processesWith } from "../support/processes.js";
import { type Frame, type RawClient } from "../support/rawClient.js";
import { type ScriptedModel, startScriptedModel } from "../support/scriptedModel.js";
import { initialized, newSession, prompt } from "../support/sessions.js";
import { within } from "../support/slowness.js";
import { until } from "../support/until.js";

interface Run {
  readonly model: ScriptedModel;
  readonly client: RawClient;
  readonly sessionId: string;
  readonly received: (tool: string) => Promise<unknown>;
  readonly nothingLeft: () => Promise<unknown>;
}

const variables = (fault: Fault): Record<string, string> => {
  const { toolTimeoutSeconds = 120, mcpLineBytesMax, mcpRestartMaxAttempts } = limitsFor(fault, 100);
  return {
    BUZZ_AGENT_TOOL_TIMEOUT_SECS: String(Math.ceil(toolTimeoutSeconds)),
    TURNFOLD_MCP_LINE_BYTES: String(mcpLineBytesMax),
    BUZZ_AGENT_MCP_RESTART_MAX_ATTEMPTS: String(mcpRestartMaxAttempts),
    BUZZ_AGENT_MCP_RESTART_BASE_MS: "1",
    BUZZ_AGENT_MCP_RESTART_MAX_MS: "5",
  };
};

/** With the test's own context: among tests side by side, Vitest's global hooks belong to any of them. */
const start = async (
  { onTestFinished }: TestContext,
  fault: Fault,
  env: Readonly<Record<string, string>> = {},
): Promise<Run> => {
  const mark = randomUUID();
  const model = await startScriptedModel("chat");
  onTestFinished(async () => model.close());
  const client = await initialized(model, { env: variables(fault) });
  onTestFinished(() => void client.process.kill("SIGKILL"));
  const sessionId = await newSession(client, { mcpServers: [faultEntry("f", { ...env, TURNFOLD_TEST_MARK: mark })] });
  return {
    model,
    client,
    sessionId,
    received: (tool) => until(`${tool} received`, () => client.stderr().includes(`received ${tool}"`)),
    nothingLeft: () =>
      until("nothing left", () => processesWith(`TURNFOLD_TEST_MARK=${mark}`).length === 0, within(500)),
  };
};

interface Call {
  readonly name: string;
  readonly arguments: object;
}
const callOf = ({ tool, args = {} }: Fault): Call => ({ name: `f__${tool}`, arguments: args });

/** The tool results of the last request, in order, each as the table writes it: without what the reducer adds for the model. */
const shown = (model: ScriptedModel): readonly string[] =>
  (model.requests.at(-1)?.body.messages ?? [])
    .filter((message: Frame) => message.role === "tool")
    .map((message: Frame) => wordsOf(message.content));

const ADVICE = /\n*The call failed\. Find the cause before you try again; do not repeat the same call unchanged\.$/;

const wordsOf = (content: Frame): string => {
  const text = typeof content === "string" ? content : content.map((part: Frame) => part.text ?? "").join("\n");
  const plain: string = text.replace(ADVICE, "").replace(/^Tool call rejected: /, "rejected: ");
  return plain === "(no output)" ? "" : plain;
};

/** One turn of these calls; resolves with what the model read of each. */
const turn = async ({ model, client, sessionId }: Run, calls: readonly Call[]): Promise<readonly string[]> => {
  model.say({ calls }, { text: "I see." });
  expect((await prompt(client, sessionId, "go")).result).toEqual({ stopReason: "end_turn" });
  const texts = shown(model).slice(-calls.length);
  expect(texts).toHaveLength(calls.length);
  return texts;
};

const ECHO: Call = { name: "f__echo", arguments: {} };

/** The next turns reach a server that works; one that is dying may take a call or two along. */
const expectWorking = async (run: Run): Promise<void> => {
  const answers: string[] = [];
  while (answers.at(-1) !== "ok" && answers.length < 4) answers.push(...(await turn(run, [ECHO])));
  expect(answers.pop()).toBe("ok");
  for (const lost of answers) expect(lost).toMatch(LOST_WORDS);
};

const ENDED = new Set(["completed", "failed"]);

/** How the last call ended, as the client heard it. */
/** How the last call ended: an answer is completed, also one that says it failed; failed is what got no answer. */
const lastTold = ({ client }: Run): unknown => {
  const ended = client
    .updates()
    .findLast(({ sessionUpdate, status }) => sessionUpdate === "tool_call_update" && ENDED.has(status));
  return { status: ended?.status, rawOutput: ended?.["rawOutput"] };
};

/** Every call that the client heard of has ended, once. */
const expectToldOnce = ({ client }: Run): void => {
  const updates = client.updates();
  const called = updates.filter(({ sessionUpdate }) => sessionUpdate === "tool_call");
  const ended = updates.filter(
    ({ sessionUpdate, status }) => sessionUpdate === "tool_call_update" && ENDED.has(status),
  );
  const ids = (of: readonly Frame[]): readonly string[] => of.map(({ toolCallId }) => toolCallId as string).toSorted();
  expect(called.length).toBeGreaterThan(0);
  expect(ids(ended)).toEqual(ids(called));
};

const end = async (run: Run): Promise<void> => {
  expectToldOnce(run);
  expect(await run.client.end()).toMatchObject({ code: 0, signal: null });
  await run.nothingLeft();
};

describe.concurrent.each(FAULTS)("The built agent with a server that does '$tool'", (fault) => {
  const lost = fault.dies ? [LOST_WORDS] : [];

  test("ends the turn, and the model reads the right words", async (context) => {
    const run = await start(context, fault);
    const [text] = await turn(run, [callOf(fault)]);
    expect(text).toMatch(fault.words);
    expect(lastTold(run)).toMatchObject(
      fault.kind === "result"
        ? { status: "completed", rawOutput: { isError: fault.isError === true } }
        : { status: "failed" },
    );
    await expectWorking(run);
    await end(run);
  });

  test("ends a turn of nine calls at a time, each with the right words", async (context) => {
    const run = await start(context, fault);
    const three = [ECHO, { name: "f__slow", arguments: { ms: 20 } }, callOf(fault)];
    const texts = await turn(run, [...three, ...three, ...three]);
    texts.forEach((text, at) => {
      const words = [/^ok$/, /^slow$/, fault.words][at % 3] ?? fault.words;
      expect(text).toMatch(acceptable({ ...fault, words }, ...lost));
    });
    await expectWorking(run);
    await end(run);
  });

  test("ends a cancelled turn at once, and works afterwards", async (context) => {
    const run = await start(context, fault);
    const { model, client, sessionId } = run;
    // Whichever is first: a call that has ended before the cancel is followed by a request that only the cancel ends.
    model.say({ calls: [callOf(fault)] }, "hang");
    const answer = prompt(client, sessionId, "go");
    await run.received(fault.tool);
    const at = performance.now();
    client.notify("session/cancel", { sessionId });
    expect((await answer).result).toEqual({ stopReason: "cancelled" });
    expect(performance.now() - at).toBeLessThan(within(1000));
    await turn(run, [ECHO]);
    expect(shown(model)[0]).toMatch(acceptable(fault, /cancelled/));
    await expectWorking(run);
    await end(run);
  });

  test("ends in the middle of the call, and takes a stubborn server along", async (context) => {
    const run = await start(context, fault, { FAULT_STDIN_END: "ignore", FAULT_TERM: "ignore" });
    const { model, client, sessionId } = run;
    model.say({ calls: [callOf(fault)] }, "hang");
    const answer = prompt(client, sessionId, "go");
    await run.received(fault.tool);
    const exit = await client.end();
    expect((await answer).result).toEqual({ stopReason: "cancelled" });
    expect(exit).toMatchObject({ code: 0, signal: null });
    expect(exit.afterMs).toBeLessThan(within(5000));
    expectToldOnce(run);
    await run.nothingLeft();
  });
});
