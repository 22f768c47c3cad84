/**
 * When the agent has ended, however it ended, nothing of its servers is left, and of what they have started neither. Faults in a
 * call are in `mcpAgentFaults.test.ts`, the other states in `shutdownMatrix.test.ts`.
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

const start = async (env: Readonly<Record<string, string>>): Promise<string> => {
  client = await initialized(model);
  return newSession(client, { mcpServers: [faultEntry("f", { ...env, TURNFOLD_TEST_MARK: mark })] });
};

const marked = (): readonly number[] => processesWith(`TURNFOLD_TEST_MARK=${mark}`);
const nothingLeft = (ms: number): Promise<unknown> => until("nothing left", () => marked().length === 0, ms);

describe("The end of the agent", () => {
  const running = async (tool: string): Promise<void> => {
    const sessionId = await start(STUBBORN);
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
