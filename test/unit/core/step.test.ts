import { describe, expect, test } from "vitest";
import { none, some } from "fp-ts/lib/Option.js";
import {
  defaultPolicy,
  initialSession,
  step,
  type Effect,
  type Event,
  type ModelReply,
  type Policy,
  type Session,
} from "../../../src/core/index.js";

const settings = { model: "m", effort: none, windowTokens: 200_000, maxOutputTokens: 32_768, authority: none };
const tool = (name: string) => ({
  name,
  description: "",
  schema: '{"type":"object"}',
  readOnly: false,
  builtIn: false,
});

const fresh = (policy: Partial<Policy> = {}): Session =>
  initialSession({ id: "s", policy: { ...defaultPolicy, ...policy }, system: "sys", settings });

const ready = (policy: Partial<Policy> = {}): Session =>
  step(fresh(policy), { type: "catalogChanged", tools: [tool("a__x"), tool("a__y")], hooks: [], complete: true })[0];

const reply = (over: Partial<ModelReply> = {}): ModelReply => ({
  text: "",
  reasoning: "",
  calls: [],
  stop: { kind: "end" },
  usage: { input: { kind: "absent" }, output: none, cacheRead: none, cacheWrite: none, total: none },
  replay: none,
  ...over,
});

const call = (name: string, argumentsText = "{}") => ({ providerId: "p", name, argumentsText, extra: "" });
const attempts = { tries: 1, waitedMs: 0 };

/** Runs events that are made from the last effects. */
const play = (session: Session, ...makers: ((effects: readonly Effect[]) => Event)[]) => {
  let state = session;
  let effects: readonly Effect[] = [];
  const all: Effect[][] = [];
  for (const make of makers) {
    [state, effects] = step(state, make(effects));
    all.push([...effects]);
  }
  return { state, effects, all };
};
const prompt =
  (text = "hi") =>
  (): Event => ({ type: "promptReceived", request: "q", runId: "run", text });
const ofType = <T extends Effect["type"]>(effects: readonly Effect[], type: T) =>
  effects.filter((e): e is Extract<Effect, { type: T }> => e.type === type);
const answerModel =
  (r: ModelReply) =>
  (effects: readonly Effect[]): Event => {
    const effect = ofType(effects, "callModel")[0];
    if (effect === undefined) throw new Error("no callModel");
    return { type: "modelReplied", effect: effect.id, turn: effect.turn, reply: r, attempts };
  };
const finish =
  (index = 0, text = "ok") =>
  (effects: readonly Effect[]): Event => {
    const effect = ofType(effects, "runTool")[index];
    if (effect === undefined) throw new Error("no runTool");
    return {
      type: "toolFinished",
      effect: effect.id,
      turn: effect.turn,
      outcome: { kind: "result", parts: [{ kind: "text", text }], isError: false },
    };
  };

describe("step", () => {
  test("a text answer ends the turn", () => {
    const { effects, state } = play(ready(), prompt(), answerModel(reply({ text: "hello" })));
    expect(effects.map((e) => (e.type === "publish" ? e.update.kind : e.type))).toEqual([
      "messageSaid",
      "turnEnded",
      "answerPrompt",
    ]);
    expect(state.phase.kind).toBe("idle");
    expect(state.history.length).toBe(2);
  });

  test("calls run, and their results go into the next request", () => {
    const { effects, state, all } = play(
      ready(),
      prompt(),
      answerModel(reply({ calls: [call("a__x"), call("nope")], stop: { kind: "toolUse" } })),
      finish(),
    );
    expect(ofType(all[1] ?? [], "runTool")).toHaveLength(1);
    expect(ofType(effects, "callModel")).toHaveLength(1);
    expect(state.phase.kind).toBe("awaitingModel");
    expect(state.history.chunks.flat().at(-1)).toMatchObject({
      kind: "assistant",
      exchanges: [{ outcome: { kind: "closed" } }, { outcome: { kind: "closed", result: { isError: true } } }],
    });
  });

  test("no step changes its input", () => {
    const start = ready();
    const text = JSON.stringify(start, (_, v: unknown) => (typeof v === "bigint" ? String(v) : v));
    play(start, prompt(), answerModel(reply({ calls: [call("a__x")] })), finish());
    expect(JSON.stringify(start, (_, v: unknown) => (typeof v === "bigint" ? String(v) : v))).toBe(text);
  });

  test("a cancel while a tool runs closes it and answers cancelled", () => {
    const { effects, state } = play(
      ready(),
      prompt(),
      answerModel(reply({ calls: [call("a__x")] })),
      () => ({ type: "cancelRequested", drainMs: 5000 }),
      (effects) => {
        const timer = ofType(effects, "startTimer")[0];
        return { type: "drainExpired", effect: timer?.id ?? 0, turn: timer?.turn ?? 0 };
      },
    );
    expect(effects.at(-1)).toMatchObject({ type: "answerPrompt", outcome: { kind: "stopped", reason: "cancelled" } });
    expect(state.phase.kind).toBe("idle");
  });

  test("usage over the threshold hands the context over before the next request", () => {
    const usage = { ...reply().usage, input: { kind: "exact" as const, tokens: 190_000n }, output: some(5n) };
    const first = play(ready(), prompt("one"), answerModel(reply({ text: "x", usage })));
    const { effects, state } = play(first.state, prompt("two"), (e) => {
      const s = ofType(e, "summarise")[0];
      expect(s?.request.prompt).toContain("one");
      return {
        type: "summaryReplied",
        effect: s?.id ?? 0,
        turn: s?.turn ?? 0,
        reply: reply({ text: "SUM\n[x]" }),
        attempts,
      };
    });
    expect(ofType(effects, "callModel")).toHaveLength(1);
    expect(state.history.chunks.flat().map((i) => (i.kind === "user" ? i.text : i.kind))).toEqual([
      expect.stringContaining("| SUM\n| [x]"),
      "two",
    ]);
  });
});
