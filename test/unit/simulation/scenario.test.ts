import { isLeft, isRight } from "fp-ts/lib/Either.js";
import { expect, test } from "vitest";
import { readScenario, scenarioCodec } from "../../../src/simulation/index.js";
import { everyFault, scenarioOf } from "./scenarios.js";

test("an empty scenario has defaults for everything, and survives being written", () => {
  const scenario = scenarioOf({});
  expect(scenario.policy.maxHandoffs).toBe(10);
  expect(scenario.tools).toHaveLength(1);
  const written: unknown = JSON.parse(JSON.stringify(scenarioCodec.encode(scenario)));
  expect(readScenario(written)).toEqual({ _tag: "Right", right: scenario });
});

test("a scenario with everything in it survives being written", () => {
  const scenario = scenarioOf(everyFault);
  expect(readScenario(JSON.parse(JSON.stringify(scenarioCodec.encode(scenario))))).toEqual({
    _tag: "Right",
    right: scenario,
  });
});

test("a constant may be written as a number", () => {
  expect(scenarioOf({ user: { turns: 4 } })).toEqual(scenarioOf({ user: { turns: { kind: "constant", value: 4 } } }));
});

test.each<readonly [string, unknown, readonly string[]]>([
  ["an unknown key", { user: { turn: 4 } }, ["scenario.user.turn:", "no such key, only turns, promptBytes"]],
  [
    "an unknown fault",
    { faults: { model: { attemptFailures: { aborted: 0.1 } } } },
    ["scenario.faults.model.attemptFailures.aborted:", "no such key"],
  ],
  [
    "a negative rate",
    { user: { cancelRate: -0.1 } },
    ["scenario.user.cancelRate:", "a probability from 0 to 1", "-0.1"],
  ],
  [
    "a rate above one",
    { faults: { tool: { hang: 1.5 } } },
    ["scenario.faults.tool.hang:", "a probability from 0 to 1"],
  ],
  [
    "rates above one together",
    { faults: { model: { attemptFailures: { timeout: 0.6, transport: 0.6 } } } },
    ["attemptFailures", "add up to at most 1"],
  ],
  [
    "an impossible window",
    { model: { windowTokens: 10 } },
    ["scenario.model.windowTokens:", "an integer of at least 1024"],
  ],
  [
    "a window that the reply fills",
    { model: { windowTokens: 2000, maxOutputTokens: 2000 } },
    ["scenario.model.maxOutputTokens:", "less than windowTokens, which is 2000"],
  ],
  [
    "a range the wrong way round",
    { user: { turns: { kind: "uniform", min: 3, max: 1 } } },
    ["scenario.user.turns.max:", "at least min, which is 3"],
  ],
  [
    "a distribution without values",
    { user: { turns: { kind: "empirical", values: [] } } },
    ["scenario.user.turns.values:", "at least one number"],
  ],
  [
    "a distribution that nobody knows",
    { user: { turns: { kind: "pareto" } } },
    ["scenario.user.turns.kind:", "constant, uniform, normal, logNormal, empirical"],
  ],
  ["a negative constant", { user: { turns: -1 } }, ["scenario.user.turns:", "a number of at least 0"]],
  ["two tools of one name", { tools: [{ name: "a" }, { name: "a" }] }, ["scenario.tools.1.name:", "no other tool"]],
  [
    "a limit out of its range",
    { policy: { maxHistoryBytes: 5 } },
    ["scenario.policy.maxHistoryBytes:", "an integer of at least 1048576"],
  ],
  ["something that is no scenario", [], ["scenario:"]],
])("%s is refused with its path and what is accepted", (_, value, parts) => {
  const read = readScenario(value);
  expect(isRight(read)).toBe(false);
  if (!isLeft(read)) return;
  expect(read.left.split("\n")).toHaveLength(1);
  for (const part of parts) expect(read.left).toContain(part);
});
