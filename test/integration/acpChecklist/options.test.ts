/** `spec/acp.md` section 4, config options and models. Names begin with the numbers of the items. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Frame, RawClient } from "../../support/rawClient.js";
import { type ScriptedModel, startScriptedModel } from "../../support/scriptedModel.js";
import { initialized, prompt, temporaryFolder } from "../../support/sessions.js";

let model: ScriptedModel;
let client: RawClient;

beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(async () => model.close());
afterEach(() => client.process.kill("SIGKILL"));

const start = async (): Promise<Frame> => {
  client = await initialized(model, { env: { TURNFOLD_MODELS: "gpt-5.1, other" } });
  return (await client.request("session/new", { cwd: temporaryFolder(), mcpServers: [] })).result;
};
const set = async (sessionId: string, configId: unknown, value: unknown): Promise<Frame> =>
  client.request("session/set_config_option", { sessionId, configId, value });

describe("config options", () => {
  test("54, 55, 56: each option can be set to each of its values, and the answer shows all of them", async () => {
    const { sessionId, configOptions } = await start();
    expect(configOptions.map((option: Frame) => [option.id, option.category, option.type])).toEqual([
      ["model", "model", "select"],
      ["thought_level", "thought_level", "select"],
    ]);
    for (const option of configOptions) {
      const values = option.options.map((choice: Frame) => choice.value);
      expect(new Set(values).size).toBe(values.length);
      expect(values).toContain(option.currentValue);
      for (const value of values) {
        const { result } = await set(sessionId, option.id, value);
        expect(result.configOptions.map((each: Frame) => each.id)).toEqual(["model", "thought_level"]);
        expect(result.configOptions.find((each: Frame) => each.id === option.id).currentValue).toBe(value);
      }
    }
    await client.end();
  });

  test("57: an unknown option, an unknown value and a wrong type are -32602 and change nothing", async () => {
    const { sessionId } = await start();
    for (const [id, value] of [
      ["mode", "x"],
      ["model", "no-such"],
      ["model", true],
      ["thought_level", "enormous"],
      [7, "x"],
    ]) {
      expect((await set(sessionId, id, value)).error).toMatchObject({ code: -32602 });
    }
    const { result } = await set(sessionId, "thought_level", "low");
    expect(result.configOptions[0].currentValue).toBe("scripted");
    await client.end();
  });

  test("59, 60: what is chosen while a turn runs is answered at once and holds from the next request on", async () => {
    const { sessionId } = await start();
    let release: (answer: { text: string }) => void = () => undefined;
    const held = new Promise<{ text: string }>((resolve) => {
      release = resolve;
    });
    model.say(async () => held, { text: "second" });
    const seen = model.requests.length;
    const first = prompt(client, sessionId, "one");
    await model.until("the first request", (requests) => requests.length > seen);
    await set(sessionId, "model", "gpt-5.1");
    await set(sessionId, "thought_level", "high");
    release({ text: "first" });
    await first;
    await prompt(client, sessionId, "two");
    const [one, two] = model.requests.slice(seen).map((request) => request.body);
    expect([one.model, two.model]).toEqual(["scripted", "gpt-5.1"]);
    expect(two.reasoning_effort).toBe("high");
    await client.end();
  });

  test("61: session/set_model takes any id, tells of it, and refuses an empty one", async () => {
    const { sessionId, models } = await start();
    expect(models).toMatchObject({ currentModelId: "scripted" });
    expect(models.availableModels.map((each: Frame) => each.modelId)).toEqual(["scripted", "gpt-5.1", "other"]);
    expect((await client.request("session/set_model", { sessionId, modelId: "brand-new" })).result).toEqual({});
    const told = await client.until(
      "config_option_update",
      (each) => each.params?.update?.sessionUpdate === "config_option_update",
    );
    expect(told.params.update.configOptions[0]).toMatchObject({ id: "model", currentValue: "brand-new" });
    model.say({ text: "ok" });
    await prompt(client, sessionId, "hello");
    expect(model.requests.at(-1)?.body.model).toBe("brand-new");
    for (const modelId of ["", "  ", 7, undefined]) {
      expect((await client.request("session/set_model", { sessionId, modelId })).error.code).toBe(-32602);
    }
    await client.end();
  });

  test("session/set_model of an unknown session is -32002 with its id", async () => {
    await start();
    const { error } = await client.request("session/set_model", { sessionId: "ses_x", modelId: "m" });
    expect(error).toMatchObject({ code: -32002, data: { sessionId: "ses_x" } });
    await client.end();
  });

  test("a model with other efforts is told by a config_option_update behind the answer", async () => {
    const { sessionId } = await start();
    await set(sessionId, "model", "gpt-5.1");
    const frame = await client.until("update", (each) => each.params?.sessionId === sessionId);
    const { update } = frame.params;
    expect(update.sessionUpdate).toBe("config_option_update");
    expect(update.configOptions[0].currentValue).toBe("gpt-5.1");
    await client.end();
  });
});
