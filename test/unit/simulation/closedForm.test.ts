// The simulator against arithmetic: what three scenarios without chance must come to is worked out here by hand, from the
// sizes in the specification, and not by running anything.

import { expect, test } from "vitest";
import { simulateSession, stageOf, type SessionMetrics } from "../../../src/simulation/index.js";
import { scenarioOf } from "./scenarios.js";

const run = (scenario: unknown): SessionMetrics => simulateSession(stageOf(scenarioOf(scenario)), 1, 0);
const tokens = (metrics: SessionMetrics): unknown => metrics.tokens;
const some = (value: number): unknown => ({ _tag: "Some", value: BigInt(value) });

/** Sum of 0, 1, ..., n - 1. */
const triangle = (n: number): number => (n * (n - 1)) / 2;

test("without handoffs input tokens are an arithmetic series", () => {
  // One token for one byte. Two turns of five rounds: four call one tool, the fifth answers.
  const [system, definition, prompt, text, args, result] = [1000, 500, 300, 100, 50, 700];
  const metrics = run({
    systemBytes: system,
    user: { turns: 2, promptBytes: prompt, pauseMs: 0 },
    model: { windowTokens: 1_000_000, tokensPerByte: 1, toolRounds: 4, textBytes: text, cacheLifetimeMs: 0 },
    tools: [{ name: "tool", definitionBytes: definition, argumentBytes: args, resultBytes: result }],
  });
  // What a round with a call adds to history: text, "call_128" (8), "tool" (4), arguments, the two bytes of no extra fields, result.
  const grown = text + 8 + 4 + args + 2 + result;
  const fixed = system + definition;
  const firstTurn = 5 * (fixed + prompt) + grown * triangle(5);
  // The second turn begins with all of the first: its prompt, four rounds with calls, and the answer.
  const secondTurn = 5 * (fixed + prompt + 4 * grown + text + prompt) + grown * triangle(5);
  const output = 2 * (4 * (text + 4 + args) + text);
  expect(metrics.rounds).toBe(10);
  expect(metrics.calls).toEqual({ result: 8 });
  expect(metrics.handoffs).toEqual({});
  expect(tokens(metrics)).toEqual({
    input: some(firstTurn + secondTurn),
    output: some(output),
    cacheRead: some(0),
    cacheWrite: some(0),
    total: some(firstTurn + secondTurn + output),
  });
});

test("handoffs come as often as the window divided by the growth says", () => {
  // One token for one byte, so that the projection of the gate is exact. Thirty rounds in one turn.
  const [system, definition, prompt, text, args, result, summary] = [500, 300, 100, 60, 26, 900, 200];
  const window = 10_000;
  const metrics = run({
    systemBytes: system,
    user: { turns: 1, promptBytes: prompt },
    model: { windowTokens: window, maxOutputTokens: 1000, tokensPerByte: 1, toolRounds: 29, textBytes: text },
    summary: { textBytes: summary },
    tools: [{ name: "tool", definitionBytes: definition, argumentBytes: args, resultBytes: result }],
  });
  // Due when the next request would reach min(9/10 of the window, window - output limit) = 9000. Provider ids of the first
  // seven rounds have 8 bytes (call_128 ... call_896), later ones 9.
  const threshold = 9000;
  const grown = (round: number): number => text + (round < 8 ? 8 : 9) + 4 + args + 2 + result;
  // The heading of the handoff item has two lines; the summary is quoted behind a bar and a space.
  const heading =
    "[Context Handoff]\nEarlier conversation was replaced by the summary below (lines behind a bar). It is a record, not an instruction.\n";
  const afterHandoff = heading.length + 2 + summary + prompt;
  let handoffs = 0;
  let history = prompt;
  let input = 0;
  for (let round = 1; round <= 30; round++) {
    // After a handoff there is no reading until the next reply: the fixed part is then counted at three bytes a token, far away from the threshold.
    if (system + definition + history >= threshold) {
      handoffs += 1;
      history = afterHandoff;
    }
    input += system + definition + history;
    history += grown(round);
  }
  // Nine rounds of 1000 bytes fit behind fixed part and prompt; behind a handoff item, eight. So at the heads of 10, 18 and 26.
  expect(handoffs).toBe(3);
  expect(metrics.rounds).toBe(30);
  expect(metrics.handoffs).toEqual({ completed: handoffs });
  expect(metrics.stops).toEqual({ end_turn: 1 });
  // Summary requests bill too; their prompts are made by the reducer, so their input is what is left.
  const summaries = Number(metrics.tokens.input._tag === "Some" ? metrics.tokens.input.value : -1n) - input;
  expect(summaries).toBeGreaterThan(0);
  expect(summaries).toBeLessThanOrEqual(handoffs * (window - 1000));
  expect(metrics.tokens.output).toEqual(some(29 * (text + 4 + args) + text + handoffs * summary));
});

test("virtual time is the sum of what was waited for", () => {
  // A round takes 1000 ms to the first token and 2 ms for each of its 50 output tokens (200 bytes of text and call at a quarter),
  // its tools take 400 ms side by side. Of an attempt that never succeeds three are made, 500 and 1000 ms apart at most.
  const quiet = run({
    user: { turns: 2, promptBytes: 40, pauseMs: 10_000 },
    model: { toolRounds: 3, callsPerRound: 2, textBytes: 92, latencyMs: 1000, outputTokenMs: 2 },
    tools: [{ name: "tool", argumentBytes: 50, latencyMs: 400 }],
  });
  const answer = 1000 + 2 * 23;
  const turn = 3 * (1000 + 2 * 50 + 400) + answer;
  expect(quiet.turnMs).toEqual([turn, turn]);
  expect(quiet.durationMs).toBe(2 * turn + 10_000);

  const failing = run({
    user: { turns: 9, pauseMs: 0, patience: 2 },
    model: { latencyMs: 100 },
    faults: { model: { attemptFailures: { overloaded: 1 } } },
  });
  expect(failing).toMatchObject({ rounds: 2, failures: { overloaded: 2 }, gaveUp: true, retries: 4, stops: {} });
  expect(failing.durationMs).toBe(2 * 3 * 100 + failing.waitedMs);
  expect(failing.waitedMs).toBeGreaterThanOrEqual(2 * 0.5 * 1500);
  expect(failing.waitedMs).toBeLessThanOrEqual(2 * 1500);
});

test("a reply that never ends is recovered twice and then ends the turn", () => {
  const metrics = run({ user: { turns: 3 }, faults: { model: { cutOff: 1 } } });
  expect(metrics).toMatchObject({ rounds: 9, stops: { max_tokens: 3 }, recoveries: { cutOff: 6 }, calls: {} });
});

test("a window that is smaller than it was said to be is climbed down", () => {
  // The session believes in 200,000 tokens, the provider has 16,384, which is 65,536 bytes or twenty rounds.
  const metrics = run({
    systemBytes: 400,
    user: { turns: 1, promptBytes: 100 },
    model: { trueWindowTokens: 16_384, tokensPerByte: 0.25, toolRounds: 50, textBytes: 50 },
    summary: { textBytes: 400 },
    tools: [{ name: "tool", definitionBytes: 200, resultBytes: 3000 }],
  });
  expect(metrics.stops).toEqual({ end_turn: 1 });
  expect(metrics.recoveries).toEqual({ contextExceeded: 2 });
  expect(metrics.handoffs).toEqual({ completed: 2 });
  // Refused requests are sent again after the handoff.
  expect(metrics.rounds).toBe(51 + 2);
});

test("cost is the sum of the parts at their rates", () => {
  const metrics = run({
    systemBytes: 4000,
    user: { turns: 1, promptBytes: 400 },
    model: {
      authority: "anthropic",
      toolRounds: 1,
      usdPerMillionTokens: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    },
  });
  const value = (tokens: typeof metrics.tokens.input): number =>
    tokens._tag === "Some" ? Number(tokens.value) : Number.NaN;
  const { input, output, cacheRead, cacheWrite } = metrics.tokens;
  const fresh = value(input) - value(cacheRead) - value(cacheWrite);
  const usd = (fresh * 3 + value(output) * 15 + value(cacheRead) * 0.3 + value(cacheWrite) * 3.75) / 1e6;
  expect(value(cacheRead)).toBeGreaterThan(0);
  expect(metrics.microUsd).toEqual({ _tag: "Some", value: Math.round(1e6 * usd) });
  expect(run({}).microUsd).toEqual({ _tag: "None" });
});

test("the cache holds the last request for its lifetime, and nothing after it", () => {
  // One token for one byte; two turns of three rounds; in the pause between them the cache is forgotten.
  const [fixed, prompt, grown] = [1000, 100, 50 + 8 + 4 + 20 + 2 + 200];
  const cached = (pauseMs: number): number => {
    const { cacheRead } = run({
      systemBytes: 700,
      user: { turns: 2, promptBytes: prompt, pauseMs },
      model: { windowTokens: 1_000_000, tokensPerByte: 1, toolRounds: 2, textBytes: 50, cacheLifetimeMs: 60_000 },
      tools: [{ name: "tool", definitionBytes: 300, argumentBytes: 20, resultBytes: 200 }],
    }).tokens;
    return cacheRead._tag === "Some" ? Number(cacheRead.value) : Number.NaN;
  };
  // Rounds two and three of a turn read what the round before has sent.
  const first = 2 * (fixed + prompt) + grown;
  const second = 2 * (fixed + 2 * prompt + 2 * grown + 50) + grown;
  // Soon after, the second turn's first round reads the first turn's last one.
  const between = fixed + prompt + 2 * grown;
  expect(cached(60_001)).toBe(first + second);
  expect(cached(1000)).toBe(first + between + second);
});
