import { isLeft } from "fp-ts/lib/Either.js";
import { expect, test } from "vitest";
import { fitted } from "../../../src/simulation/fit/family.js";
import { fitScenario, type Fit } from "../../../src/simulation/fit/fit.js";
import { noObservations } from "../../../src/simulation/fit/observations.js";
import { observeSession } from "../../../src/simulation/fit/observe.js";
import { drawsOf, uniform } from "../../../src/simulation/random.js";
import {
  readScenario,
  simulateSession,
  stageOf,
  wholeQuantile,
  type Distribution,
  type Scenario,
} from "../../../src/simulation/index.js";
import { scenarioOf } from "./scenarios.js";

const drawn = (distribution: Distribution, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => wholeQuantile(distribution, uniform(drawsOf(3, 0), 1, 0, index), 1e9));

test.each<Distribution>([
  { kind: "constant", value: 12 },
  { kind: "uniform", min: 200, max: 900 },
  { kind: "normal", mean: 500, sd: 40 },
  { kind: "logNormal", median: 800, sigma: 0.7 },
])("values of %j are recognised", (distribution) => {
  const found = fitted(drawn(distribution, 3000));
  expect(found?.distribution.kind).toBe(distribution.kind);
  expect(found?.gap).toBeLessThan(0.03);
  for (const [key, value] of Object.entries(distribution)) {
    if (typeof value !== "number") continue;
    const parameter: unknown = Object.entries(found?.distribution ?? {}).find(([name]) => name === key)?.[1];
    expect(Math.abs(Number(parameter) / value - 1)).toBeLessThan(0.06);
  }
});

test("what belongs to no family is kept as it is", () => {
  const twoHumps = [
    ...drawn({ kind: "normal", mean: 100, sd: 5 }, 500),
    ...drawn({ kind: "normal", mean: 900, sd: 5 }, 500),
  ];
  const found = fitted(twoHumps);
  expect(found?.distribution.kind).toBe("empirical");
  expect(found?.gap).toBeLessThan(0.02);
  expect(fitted([])).toBeUndefined();
});

/** The scenario that the sessions of another are taken to come from. */
const refit = (
  scenario: Scenario,
  sessions: number,
  timed: boolean,
): { readonly fit: Fit; readonly scenario: Scenario } => {
  const observations = noObservations();
  const stage = stageOf(scenario);
  for (let index = 0; index < sessions; index++) {
    const session = observeSession(observations);
    simulateSession(stage, 5, index, (seen) => session.see({ ...seen, atMs: timed ? seen.atMs : undefined }));
    session.end();
  }
  const fit = fitScenario({ name: "fitted" }, observations);
  const read = readScenario(fit.scenario);
  if (isLeft(read)) throw new Error(read.left);
  return { fit, scenario: read.right };
};

const original = scenarioOf({
  systemBytes: 1234,
  user: {
    turns: 3,
    promptBytes: { kind: "logNormal", median: 300, sigma: 0.6 },
    pauseMs: { kind: "uniform", min: 1000, max: 9000 },
  },
  model: {
    id: "some-model",
    authority: "somebody",
    windowTokens: 50_000,
    maxOutputTokens: 4000,
    tokensPerByte: 0.3,
    toolRounds: { kind: "uniform", min: 0, max: 8 },
    callsPerRound: 2,
    textBytes: { kind: "normal", mean: 400, sd: 50 },
    latencyMs: { kind: "logNormal", median: 2000, sigma: 0.4 },
    outputTokenMs: 0,
  },
  tools: [
    {
      name: "read",
      weight: 3,
      readOnly: true,
      definitionBytes: 500,
      resultBytes: { kind: "logNormal", median: 1000, sigma: 0.5 },
      latencyMs: 250,
    },
    { name: "write", definitionBytes: 700, resultBytes: 60, latencyMs: { kind: "uniform", min: 10, max: 90 } },
  ],
  faults: { model: { attemptFailures: { overloaded: 0.1 }, cutOff: 0.05 }, tool: { error: 0.2 } },
});

test("a scenario is found again in the sessions that were made of it", () => {
  const { fit, scenario } = refit(original, 60, true);
  expect(scenario).toMatchObject({
    systemBytes: 1234,
    user: { turns: { kind: "constant", value: 3 }, promptBytes: { kind: "logNormal" }, pauseMs: { kind: "uniform" } },
    model: {
      id: "some-model",
      authority: "somebody",
      windowTokens: 50_000,
      callsPerRound: { kind: "constant", value: 2 },
      textBytes: { kind: "normal" },
      latencyMs: { kind: "logNormal" },
      outputTokenMs: { kind: "constant", value: 0 },
    },
    tools: [
      {
        name: "read",
        readOnly: true,
        definitionBytes: 500,
        latencyMs: { kind: "constant", value: 250 },
        resultBytes: { kind: "logNormal" },
      },
      { name: "write", definitionBytes: 700, resultBytes: { kind: "constant", value: 60 } },
    ],
  });
  expect(scenario.model.tokensPerByte).toBeCloseTo(0.3, 2);
  expect(scenario.faults.model.attemptFailures.overloaded).toBeCloseTo(0.1, 1);
  expect(Math.abs(scenario.faults.model.cutOff - 0.05)).toBeLessThan(0.02);
  expect(Math.abs(scenario.faults.tool.error - 0.2)).toBeLessThan(0.03);
  const [read, write] = scenario.tools;
  expect((read?.weight ?? 0) / (write?.weight ?? 1)).toBeCloseTo(3, 0);
  expect(fit.lines[0]).toBe("fitted to 60 recorded sessions");
  expect(fit.lines.find((line) => line.startsWith("user.promptBytes:"))).toMatch(
    /^user\.promptBytes: logNormal median \d+(\.\d+)? sigma 0\.\d+ \(n 180, largest gap \d\.\d%\)$/,
  );
  expect(fit.lines.find((line) => line.startsWith("faults.tool.error:"))).toMatch(
    /\d+ of \d+, between 0\.1\d+ and 0\.2\d+/,
  );
});

test("records without times leave the times of the scenario, and that is said", () => {
  const { fit, scenario } = refit(original, 20, false);
  expect(scenario.model.latencyMs).toEqual(scenarioOf({}).model.latencyMs);
  expect(fit.lines.at(-1)).toBe("the records hold no times: latencies and pauses are those of the scenario");
});
