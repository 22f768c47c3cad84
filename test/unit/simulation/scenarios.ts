import { isLeft } from "fp-ts/lib/Either.js";
import { readScenario, type Scenario } from "../../../src/simulation/index.js";

/** A scenario that must be readable. */
export const scenarioOf = (value: unknown): Scenario => {
  const read = readScenario(value);
  if (isLeft(read)) throw new Error(read.left);
  return read.right;
};

/** Every fault there is, at rates at which sessions still get somewhere. */
export const everyFault = {
  name: "every fault",
  policy: { maxHandoffs: 2, permissions: "writes", requireReply: true, maxHistoryBytes: 1048576 },
  systemBytes: 2000,
  user: {
    turns: { kind: "uniform", min: 1, max: 4 },
    promptBytes: { kind: "logNormal", median: 300, sigma: 1.5 },
    pauseMs: { kind: "uniform", min: 0, max: 60000 },
    steers: { kind: "uniform", min: 0, max: 2 },
    steerBytes: { kind: "uniform", min: 1, max: 500 },
    steerDelayMs: { kind: "uniform", min: 0, max: 20000 },
    cancelRate: 0.1,
    cancelDelayMs: { kind: "uniform", min: 0, max: 30000 },
    rejectRate: 0.1,
    allowAlwaysRate: 0.2,
    patience: 2,
  },
  model: {
    authority: "anthropic",
    windowTokens: 16000,
    maxOutputTokens: 2000,
    trueWindowTokens: 9000,
    tokensPerByte: 0.3,
    toolRounds: { kind: "uniform", min: 0, max: 6 },
    callsPerRound: { kind: "uniform", min: 1, max: 5 },
    textBytes: { kind: "logNormal", median: 200, sigma: 1.2 },
    reasoningBytes: { kind: "uniform", min: 0, max: 400 },
    replayBytes: { kind: "uniform", min: 0, max: 300 },
    latencyMs: { kind: "logNormal", median: 1500, sigma: 0.6 },
  },
  tools: [
    { name: "files__read", weight: 3, readOnly: true, resultBytes: { kind: "logNormal", median: 1500, sigma: 1.2 } },
    {
      name: "run__shell",
      resultBytes: { kind: "logNormal", median: 800, sigma: 1.5 },
      latencyMs: { kind: "logNormal", median: 900, sigma: 1.5 },
    },
    { name: "screen__shot", imageRate: 0.5, imageBytes: { kind: "uniform", min: 0, max: 40000 } },
  ],
  hooks: {
    _Stop: { servers: 2, textRate: 0.2, latencyMs: { kind: "uniform", min: 0, max: 3000 } },
    _PostCompact: { servers: 1, textRate: 0.5 },
  },
  faults: {
    model: {
      attemptFailures: {
        contextExceeded: 0.02,
        imageUnsupported: 0.02,
        overloaded: 0.05,
        timeout: 0.02,
        transport: 0.02,
        authentication: 0.01,
      },
      cutOff: 0.05,
      refusal: 0.02,
      toolUseWithoutCalls: 0.01,
      emptyReply: 0.02,
      unknownStop: 0.02,
      callFlood: 0.01,
      badArguments: 0.05,
      unknownTool: 0.05,
    },
    summary: { failure: 0.1, refusal: 0.05, emptyText: 0.05 },
    usage: { missing: 0.02, partial: 0.02, zeroInput: 0.01, overflowed: 0.005 },
    tool: { error: 0.1, rejected: 0.03, crash: 0.03, hang: 0.02, stubborn: 0.3 },
    shell: {
      duplicateAnswer: 0.05,
      unknownAnswer: 0.05,
      lateCatalog: 0.2,
      catalogChange: 0.1,
      modelChange: 0.1,
      doublePrompt: 0.1,
      close: 0.1,
    },
  },
};
