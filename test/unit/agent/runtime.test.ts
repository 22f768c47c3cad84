import { none } from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import type { ModelReply, ModelRequest } from "../../../src/core/model.js";
import { defaultPolicy } from "../../../src/core/policy.js";
import type { Event } from "../../../src/core/event.js";
import type { Update } from "../../../src/core/update.js";
import type { PromptAnswer } from "../../../src/shell/acp/agent.js";
import { createRuntime, type Runtime } from "../../../src/shell/agent/runtime.js";
import type { ModelAnswer, ModelPort, ToolsPort } from "../../../src/shell/ports.js";

const reply = (text: string): ModelReply => ({
  text,
  reasoning: "",
  calls: [],
  stop: { kind: "end" },
  usage: { input: { kind: "absent" }, output: none, cacheRead: none, cacheWrite: none, total: none },
  replay: none,
});
const settings = { model: "m", effort: none, windowTokens: 100_000, maxOutputTokens: 1000, authority: none };
const noTools: ToolsPort = {
  offered: () => ({ tools: [], hooks: [], complete: true }),
  onChange: () => undefined,
  onNotice: () => undefined,
  run: () => Promise.resolve({ kind: "cancelled" }),
  callHooks: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};

interface World {
  readonly runtime: Runtime;
  readonly updates: Update[];
  readonly requests: ModelRequest[];
  readonly logged: string[];
  readonly ask: (text: string) => Promise<PromptAnswer>;
}

const createWorld = (
  call: (request: ModelRequest, signal: AbortSignal) => Promise<ModelAnswer>,
  onPublish: (update: Update) => void = () => undefined,
): World => {
  const updates: Update[] = [];
  const requests: ModelRequest[] = [];
  const logged: string[] = [];
  const model: ModelPort = {
    call: async (request, signal) => {
      requests.push(request);
      return call(request, signal);
    },
    summarise: () => Promise.reject(new Error("not asked for")),
  };
  const runtime = createRuntime({
    config: { id: "s", policy: defaultPolicy, system: "", settings },
    model,
    tools: noTools,
    client: {
      publish: (update) => {
        onPublish(update);
        updates.push(update);
      },
      askPermission: () => Promise.resolve("rejectOnce"),
      whenDrained: () => Promise.resolve(),
    },
    redact: (event) => event,
    record: () => undefined,
    log: (level, message) => void logged.push(`${level} ${message}`),
  });
  runtime.post({ type: "catalogChanged", tools: [], hooks: [], complete: true });
  const ask = async (text: string): Promise<PromptAnswer> =>
    new Promise((resolve) => {
      runtime.prompt("run", text, resolve);
    });
  return { runtime, updates, requests, logged, ask };
};
const replied = (text: string): ModelAnswer => ({
  kind: "replied",
  reply: reply(text),
  attempts: { tries: 1, waitedMs: 0 },
});
const done: PromptAnswer = { kind: "stopped", reason: "end_turn" };

// An event of a kind that does not exist stands for any fault of our own inside `step`: it throws there.
const poison = { type: "unheardOf" } as unknown as Event;

describe("the runtime", () => {
  test("answers a turn that a fault of ours ends as an internal error, and the session goes on with its history", async () => {
    const world = createWorld(async (request, signal) =>
      request.history.length > 1
        ? replied("fine")
        : new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              resolve({
                kind: "failed",
                failure: { kind: "aborted", message: "aborted", status: none },
                attempts: { tries: 1, waitedMs: 0 },
              });
            });
          }),
    );
    const answer = world.ask("first");
    world.runtime.post(poison);
    expect(await answer).toMatchObject({ kind: "failed", failure: { kind: "internal" }, model: "m" });
    expect(world.updates.at(-1)).toMatchObject({ kind: "turnEnded" });
    expect(world.logged.some((line) => line.startsWith("error a fault of our own"))).toBe(true);
    expect(await world.ask("second")).toEqual(done);
    expect(world.requests.at(-1)?.history.map((item) => (item.kind === "user" ? item.text : item.kind))).toEqual([
      "first",
      "second",
    ]);
  });

  test("takes a fault outside a turn without harm", async () => {
    const world = createWorld(() => Promise.resolve(replied("fine")));
    world.runtime.post(poison);
    expect(await world.ask("hello")).toEqual(done);
  });

  test("answers a prompt whose publishing fails, and goes on", async () => {
    let broken = true;
    const world = createWorld(
      () => Promise.resolve(replied("fine")),
      (update) => {
        if (broken && update.kind === "turnStarted") throw new Error("no");
      },
    );
    expect(await world.ask("hello")).toMatchObject({ kind: "failed", failure: { kind: "internal" } });
    broken = false;
    expect(await world.ask("again")).toEqual(done);
  });

  test("answers the turn whose last update cannot be published", async () => {
    const world = createWorld(
      () => Promise.resolve(replied("fine")),
      (update) => {
        if (update.kind === "turnEnded") throw new Error("no");
      },
    );
    expect(await world.ask("hello")).toEqual(done);
    expect(await world.ask("again")).toEqual(done);
  });

  test("answers the effect when a port throws against its promise", async () => {
    const world = createWorld(() => Promise.reject(new Error("port")));
    expect(await world.ask("hello")).toMatchObject({ kind: "failed", failure: { kind: "internal" } });
  });

  test("queues what an effect brings about at once instead of stepping inside it", async () => {
    const order: string[] = [];
    const world = createWorld(
      () => Promise.resolve(replied("fine")),
      (update) => {
        order.push(`publish ${update.kind}`);
        if (update.kind === "turnStarted") {
          world.runtime.post({ type: "cancelRequested", drainMs: 0 });
          order.push("posted");
        }
      },
    );
    expect(await world.ask("hello")).toEqual({ kind: "stopped", reason: "cancelled" });
    expect(order).toEqual(["publish turnStarted", "posted", "publish turnEnded"]);
  });

  test("is idle when the turn has been answered, and says so to whoever waits", async () => {
    let release: (answer: ModelAnswer) => void = () => undefined;
    const world = createWorld(
      async () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    );
    const seen: string[] = [];
    const answer = world.ask("hello").then(() => seen.push("answered"));
    const idle = world.runtime.idle().then(() => seen.push("idle"));
    await Promise.resolve();
    release(replied("fine"));
    await Promise.all([answer, idle]);
    expect(seen).toEqual(["answered", "idle"]);
  });
});
