import { expect, test, vi } from "vitest";
import { simulate, simulateSession, stageOf, type SessionMetrics } from "../../../src/simulation/index.js";
import { everyFault, scenarioOf } from "./scenarios.js";

// Hundreds of sessions take their time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const sessionsOf = (value: unknown, seed: number, sessions: number): readonly SessionMetrics[] => {
  const all: SessionMetrics[] = [];
  simulate(scenarioOf(value), { seed, sessions, onSession: (metrics) => all.push(metrics) });
  return all;
};

test("the same scenario and seed give the same digest, another seed another", () => {
  const scenario = scenarioOf(everyFault);
  const digest = simulate(scenario, { seed: 5, sessions: 15 }).digest;
  expect(simulate(scenario, { seed: 5, sessions: 15 }).digest).toBe(digest);
  expect(simulate(scenario, { seed: 6, sessions: 15 }).digest).not.toBe(digest);
  expect(digest).toMatch(/^[0-9a-f]{32}$/);
});

test("a session is the same whether or not others ran before it", () => {
  const stage = stageOf(scenarioOf(everyFault));
  const later = simulateSession(stage, 5, 33);
  expect(simulateSession(stageOf(scenarioOf(everyFault)), 5, 33)).toEqual(later);
  expect(sessionsOf(everyFault, 5, 34)[33]).toEqual(later);
});

test("changing one distribution leaves what is drawn for the others as it was", () => {
  // Kills a single generator for all purposes: there a slower tool would shift every later draw.
  const base = {
    user: { promptBytes: { kind: "uniform", min: 10, max: 500 }, pauseMs: { kind: "uniform", min: 0, max: 9000 } },
    model: { toolRounds: { kind: "uniform", min: 1, max: 9 }, textBytes: { kind: "uniform", min: 10, max: 900 } },
  };
  const slow = { ...base, tools: [{ name: "tool", latencyMs: { kind: "logNormal", median: 9000, sigma: 1 } }] };
  const withoutTimes = (metrics: SessionMetrics): unknown => ({ ...metrics, turnMs: [], durationMs: 0 });
  const before = sessionsOf(base, 3, 30);
  const after = sessionsOf(slow, 3, 30);
  expect(after.map(withoutTimes)).toEqual(before.map(withoutTimes));
  expect(after.map(({ durationMs }) => durationMs)).not.toEqual(before.map(({ durationMs }) => durationMs));
});

test("a variation of one turn does not reach the draws of the next", () => {
  // Longer first turns (more rounds) under the same seed: prompts and pauses of later turns are drawn as before.
  const turnsOf = (toolRounds: number): readonly number[] => {
    const prompts: number[] = [];
    const stage = stageOf(
      scenarioOf({ user: { promptBytes: { kind: "uniform", min: 10, max: 5000 } }, model: { toolRounds } }),
    );
    simulateSession(stage, 9, 0, ({ event }) => {
      if (event.type === "promptReceived") prompts.push(event.text.length);
    });
    return prompts;
  };
  expect(turnsOf(9)).toEqual(turnsOf(2));
  expect(new Set(turnsOf(2)).size).toBe(3);
});

test.runIf(process.env["TURNFOLD_TEST_LONG"] === "1")(
  "a session that would go on for ever is stopped at its limit of events, and said to be",
  () => {
    // 100,000 turns of 5 requests and 8 calls each would be 1.4 million events.
    const endless = {
      policy: { maxHistoryBytes: 1_048_576 },
      user: { turns: 100_000, promptBytes: 5000 },
      model: { toolRounds: 4, callsPerRound: 2, textBytes: 1, windowTokens: 1_000_000_000 },
      tools: [{ name: "tool", resultBytes: 1 }],
    };
    const metrics = simulateSession(stageOf(scenarioOf(endless)), 1, 0);
    expect(metrics.differences).toEqual([
      "the session was stopped after 1000000 events: shorten its turns or bound its rounds",
    ]);
  },
  600_000,
);
