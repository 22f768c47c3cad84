// Frames in, turns out: correlation of requests with their answers, and whatever else passes on the wire.
import { isSome } from "fp-ts/lib/Option.js";
import { expect, test } from "vitest";
import { newRecorder, recordAgentFrame, recordClientFrame, recordEnd } from "../../../src/usage/recorder.js";
import { adapterOf, IGNORED } from "../../../src/usage/standard.js";
import { figures } from "./build.js";

interface Turn {
  readonly seq: number;
  readonly turn: unknown;
  readonly stop: string;
  readonly id?: string | null;
}

type Frame = readonly ["client" | "agent", unknown] | "end";

const run = (
  frames: readonly Frame[],
  harness = "",
): { readonly turns: readonly Turn[]; readonly faults: readonly string[] } => {
  let recorder = newRecorder(harness === "" ? IGNORED : adapterOf(harness));
  const turns: Turn[] = [];
  const faults: string[] = [];
  for (const frame of frames) {
    const text = frame === "end" ? "" : typeof frame[1] === "string" ? frame[1] : JSON.stringify(frame[1]);
    const recording =
      frame === "end"
        ? recordEnd(recorder)
        : (frame[0] === "client" ? recordClientFrame : recordAgentFrame)(recorder, text);
    recorder = recording.recorder;
    faults.push(...recording.faults);
    for (const { usage, stopReason } of recording.turns) {
      const id = isSome(usage.identity) ? usage.identity.value.model : null;
      turns.push({ seq: Number(usage.seq), turn: figures(usage.turn), stop: stopReason, id });
    }
  }
  return { turns, faults };
};

const newSession = (id: unknown = 1, session = "s"): readonly Frame[] => [
  ["client", { jsonrpc: "2.0", id, method: "session/new", params: { cwd: "/", mcpServers: [] } }],
  ["agent", { jsonrpc: "2.0", id, result: { sessionId: session } }],
];
const prompt = (id: unknown, session = "s"): Frame => [
  "client",
  {
    jsonrpc: "2.0",
    ...(id === undefined ? {} : { id }),
    method: "session/prompt",
    params: { sessionId: session, prompt: [] },
  },
];
const goose = (input: unknown, output: unknown, session: unknown = "s"): Frame => [
  "agent",
  {
    jsonrpc: "2.0",
    method: "_goose/unstable/session/update",
    params: {
      sessionId: session,
      update: {
        sessionUpdate: "usage_update",
        used: 1,
        contextLimit: 0,
        accumulatedInputTokens: input,
        accumulatedOutputTokens: output,
        model: "m",
        pricingIdentity: { authority: "api.anthropic.com", model: "m" },
      },
    },
  },
];
const answer = (id: unknown, result: unknown = { stopReason: "end_turn" }): Frame => [
  "agent",
  { jsonrpc: "2.0", id, result },
];
const refusal = (id: unknown, code: number): Frame => ["agent", { jsonrpc: "2.0", id, error: { code, message: "no" } }];

test("a prompt with usage is one turn", () => {
  expect(run([...newSession(), prompt("a"), goose(10, 2), goose(30, 5), answer("a")]).turns).toEqual([
    { seq: 1, turn: { in: 30, out: 5 }, stop: "end_turn", id: "m" },
  ]);
});

test.each<[string, readonly Frame[], string]>([
  ["max_tokens", [answer(2, { stopReason: "max_tokens" })], "max_tokens"],
  ["cancelled", [answer(2, { stopReason: "cancelled" })], "cancelled"],
  ["refusal", [answer(2, { stopReason: "refusal" })], "unknown"],
  ["no reason", [answer(2, {})], "unknown"],
  ["an error", [refusal(2, -32603)], "error"],
  ["a cancelled request", [refusal(2, -32800)], "cancelled"],
  ["the agent's end", ["end"], "error"],
])("a turn ends with %s", (_name, frames, stop) => {
  expect(run([...newSession(), prompt(2), goose(1, 1), ...frames]).turns).toEqual([
    { seq: 1, turn: { in: 1, out: 1 }, stop, id: "m" },
  ]);
});

test("a session that was loaded has no reliable first turn", () => {
  const load: Frame = [
    "client",
    { jsonrpc: "2.0", id: 1, method: "session/load", params: { sessionId: "s", cwd: "/" } },
  ];
  const frames: readonly Frame[] = [load, answer(1, {}), prompt(2), goose(9, 9), answer(2)];
  expect(run([...frames, prompt(3), goose(10, 12), answer(3)]).turns).toEqual([
    { seq: 1, turn: null, stop: "end_turn", id: null },
    { seq: 2, turn: { in: 1, out: 3 }, stop: "end_turn", id: "m" },
  ]);
});

test("ids of different types are different requests", () => {
  const { turns } = run([...newSession(), prompt("1"), goose(1, 1), answer(1), answer("1")]);
  expect(turns).toHaveLength(1);
  expect(run([...newSession(), prompt("1"), goose(1, 1), answer(1)]).turns).toEqual([]);
});

test("a second prompt that is refused while the first runs is no turn and does not end it", () => {
  const frames = [...newSession(), prompt(2), goose(1, 1), prompt(3), refusal(3, -32602), goose(5, 5), answer(2)];
  expect(run(frames).turns).toEqual([{ seq: 1, turn: { in: 5, out: 5 }, stop: "end_turn", id: "m" }]);
});

test("two prompts that an agent works off one behind the other are two turns", () => {
  const frames = [...newSession(), prompt(2), prompt(3), goose(4, 1), answer(2), goose(9, 3), answer(3)];
  expect(run(frames).turns.map(({ turn }) => turn)).toEqual([
    { in: 4, out: 1 },
    { in: 5, out: 2 },
  ]);
});

test("a client that sends no ids: its tokens are counted at the agent's end, and nothing fails", () => {
  const frames = [prompt(undefined), goose(3, 1), prompt(undefined), goose(9, 3), "end"] as const;
  expect(run([...newSession(), ...frames]).turns).toEqual([
    { seq: 1, turn: { in: 9, out: 3 }, stop: "error", id: null },
  ]);
});

test.each<[string, Frame]>([
  ["a negative counter", goose(-5, 1)],
  ["a counter that is text", goose("5", 1)],
  ["a fraction", goose(1.5, 1)],
])("%s costs its notification, is named, and costs the turn its identity", (_name, bad) => {
  const { turns, faults } = run([...newSession(), prompt(2), goose(1, 1), bad, goose(8, 8), answer(2)]);
  expect(turns).toEqual([{ seq: 1, turn: { in: 8, out: 8 }, stop: "end_turn", id: null }]);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain("accumulatedInputTokens");
});

test("a notification without a session is named and nothing else", () => {
  const { turns, faults } = run([...newSession(), prompt(2), goose(1, 1), goose(7, 7, null), answer(2)]);
  expect(turns[0]?.turn).toEqual({ in: 1, out: 1 });
  expect(faults).toEqual(["a usage notification without a session was ignored"]);
});

test("usage_update of the standard method is no goose-style one, and the other way round", () => {
  const standard: Frame = [
    "agent",
    {
      jsonrpc: "2.0",
      method: "session/update",
      params: {
        sessionId: "s",
        update: {
          sessionUpdate: "usage_update",
          used: 5,
          size: 10,
          cost: { amount: 0.25, currency: "USD" },
          accumulatedInputTokens: 9,
        },
      },
    },
  ];
  const frames = [...newSession(), prompt(2), standard, answer(2)];
  expect(run(frames).turns).toEqual([]);
  expect(run(frames, "claude-code-acp").turns).toEqual([{ seq: 1, turn: { cost: 0.25 }, stop: "end_turn", id: null }]);
});

test("the usage of a prompt's answer is taken where the agent is known", () => {
  const usage = { inputTokens: 100, outputTokens: 20, totalTokens: 175, cachedReadTokens: 30, cachedWriteTokens: 25 };
  const frames = [...newSession(), prompt(2), answer(2, { stopReason: "end_turn", usage })];
  expect(run(frames, "claude-agent-acp").turns[0]?.turn).toEqual({ in: 155, out: 20, r: 30, w: 25 });
  expect(run(frames, "some-agent").turns).toEqual([]);
});

test.each(["", "null", "[]", "[1,", "{", '{"method":', '{"id":{},"method":5}', "\u0000", '"x"', '{"id":2,"result":'])(
  "noise on the wire changes nothing: %j",
  (noise) => {
    const frames = [...newSession(), prompt(9), goose(1, 1)];
    const tail = [goose(3, 3), answer(9)];
    expect(run([...frames, ["agent", noise], ["client", noise], ...tail]).turns).toEqual(
      run([...frames, ...tail]).turns,
    );
  },
);

test("other kinds of update and other methods are passed over", () => {
  const other = (method: string, update: unknown): Frame => [
    "agent",
    { jsonrpc: "2.0", method, params: { sessionId: "s", update } },
  ];
  const { turns, faults } = run([
    ...newSession(),
    prompt(2),
    other("_goose/unstable/session/update", { sessionUpdate: "message_usage", usage: { inputTokens: 5 } }),
    other("_goose/unstable/session/update", { sessionUpdate: "status_message" }),
    other("_goose/unstable/session/update", "usage_update"),
    other("_other/session/update", { sessionUpdate: "usage_update", accumulatedInputTokens: 5 }),
    answer(2),
  ]);
  expect([turns, faults]).toEqual([[], []]);
});
