/**
 * Faults of servers as the client and the model of the built agent see them: the turn ends, the words reach the model, and when
 * the agent has ended, however it ended, nothing of its servers is left.
 */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { faultEntry } from "../support/faultTools.js";
import { processesWith } from "../support/processes.js";
import type { RawClient } from "../support/rawClient.js";
import { type ScriptedModel, startScriptedModel } from "../support/scriptedModel.js";
import { initialized, newSession, prompt } from "../support/sessions.js";
import { until } from "../support/until.js";
import { within } from "../support/slowness.js";

let model: ScriptedModel;
let client: RawClient;
let mark = "";

const STUBBORN = { FAULT_STDIN_END: "ignore", FAULT_TERM: "ignore", FAULT_START: "grandchild" };

beforeEach(async () => {
  mark = randomUUID();
  model = await startScriptedModel("chat");
});
afterEach(async () => {
  client.process.kill("SIGKILL");
  await model.close();
});

const start = async (env: Readonly<Record<string, string>>, agentEnv: Record<string, string> = {}): Promise<string> => {
  client = await initialized(model, { env: agentEnv });
  return newSession(client, { mcpServers: [faultEntry("f", { ...env, TURNFOLD_TEST_MARK: mark })] });
};

const marked = (): readonly number[] => processesWith(`TURNFOLD_TEST_MARK=${mark}`);
const nothingLeft = (ms: number): Promise<unknown> => until("nothing left", () => marked().length === 0, ms);

/** Text of the last tool results that the model was shown. */
const shown = (): string =>
  JSON.stringify(
    (model.requests.at(-1)?.body.messages ?? []).filter((message: { role: string }) => message.role === "tool"),
  );

describe("One turn with a fault", () => {
  test.each([
    ["crash", /MCP server f: exited with code 3/],
    ["halfLine", /MCP server f: exited with code 7/],
    ["endlessLine", /MCP server f: sent a line over/],
    ["hang", /timed out after \d+ s/],
    ["closeStdout", /MCP server f: closed its output/],
    ["rejects", /Tool call rejected: no such flavour/],
    ["stringResult", /the answer holds no result/],
    ["emptyResult", /\(no output\)/],
    ["noise", /after the noise/],
    ["wrongId", /right/],
    ["duplicate", /first/],
    ["content", /inside y.*unreadable content block: of type hologram/],
    ["structured", /18446744073709551615/],
    ["isError", /it did not work/],
  ])("'%s' alone and beside other calls: the turn ends and the model reads why.", async (tool, words) => {
    const seconds = tool === "hang" ? Math.ceil(within(1000) / 1000) : 120;
    const limits = { BUZZ_AGENT_TOOL_TIMEOUT_SECS: String(seconds), BUZZ_AGENT_MCP_RESTART_BASE_MS: "1" };
    const sessionId = await start({}, limits);
    const call = { name: `f__${tool}`, arguments: {} };
    model.say({ calls: [call] }, { text: "I see." });
    expect((await prompt(client, sessionId, "go")).result).toEqual({ stopReason: "end_turn" });
    expect(shown()).toMatch(words);
    model.say({ calls: [{ name: "f__echo", arguments: {} }, call, call] }, { text: "I see." });
    expect((await prompt(client, sessionId, "and again")).result).toEqual({ stopReason: "end_turn" });
    model.say({ calls: [{ name: "f__echo", arguments: { text: "alive" } }] }, { text: "Good." });
    expect((await prompt(client, sessionId, "still there?")).result).toEqual({ stopReason: "end_turn" });
    expect(shown()).toMatch(/alive|MCP server f: /);
    expect(await client.end()).toMatchObject({ code: 0 });
    await nothingLeft(within(200));
  });
});

describe("The end of the agent", () => {
  const running = async (tool: string): Promise<void> => {
    const sessionId = await start({ ...STUBBORN }, {});
    model.say({ calls: [{ name: `f__${tool}`, arguments: {} }] }, { text: "never" });
    void prompt(client, sessionId, "go");
    await client.until("start of the tool", (frame) => frame.params?.update?.status === "in_progress");
    expect(marked().length).toBeGreaterThanOrEqual(2);
  };

  test.each([
    ["stdin ends", (): unknown => client.process.stdin.end(), { code: 0 }],
    ["TERM", (): unknown => client.process.kill("SIGTERM"), { code: 143 }],
    ["INT", (): unknown => client.process.kill("SIGINT"), { code: 130 }],
    ["HUP", (): unknown => client.process.kill("SIGHUP"), { code: 129 }],
  ])("By %s takes a stubborn server and its grandchild along.", async (_, end, exit) => {
    await running("hang");
    const at = performance.now();
    end();
    expect(await client.exited).toMatchObject(exit);
    expect(performance.now() - at).toBeLessThan(within(6000));
    await nothingLeft(within(200));
  });

  // F77. A parent-death signal would leave the grandchild; without the guard both would live on.
  test.runIf(process.platform === "linux")("By KILL does so too.", async () => {
    await running("hang");
    client.process.kill("SIGKILL");
    expect(await client.exited).toMatchObject({ signal: "SIGKILL" });
    await nothingLeft(within(5000));
  });
});
