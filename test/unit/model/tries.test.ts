/** Retries against a clock that jumps instead of waiting: what would take half an hour in the world. */
import * as O from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import { defaultShellLimits } from "../../../src/core/policy.js";
import type { Decoded, Dialect } from "../../../src/providers/dialect.js";
import type { Attempt } from "../../../src/shell/model/attempt.js";
import { staticCredential } from "../../../src/shell/model/credential.js";
import { createModelPort } from "../../../src/shell/model/port.js";
import type { OnWait } from "../../../src/shell/ports.js";

const failing = (retry: Extract<Decoded, { kind: "failure" }>["retry"]): Dialect => ({
  name: "test",
  encode: () => ({ url: "http://x", headers: {}, body: [] }),
  encodeSummary: () => ({ url: "http://x", headers: {}, body: [] }),
  decode: () => ({
    kind: "failure",
    failure: { kind: "rateLimited", message: "busy", status: O.some(429) },
    retry,
  }),
});

const answered: Attempt = { kind: "response", response: { status: 429, headers: {}, body: "" } };

/** Each try takes `tookMs` and comes to the next of `attempts`; sleeping takes as long as it says. */
const run = async (dialect: Dialect, attempts: readonly Attempt[], tookMs: number) => {
  let now = 0;
  const deadlines: number[] = [];
  const waits: Parameters<OnWait>[0][] = [];
  const logged: string[] = [];
  const port = createModelPort({
    title: "Test",
    dialects: { dialectFor: () => dialect, demandsUpgrade: () => false },
    credential: staticCredential({ kind: "none" }),
    send: () =>
      Promise.resolve(({ deadlineMs }) => {
        now += tookMs;
        deadlines.push(deadlineMs);
        return Promise.resolve(attempts[deadlines.length - 1] ?? answered);
      }),
    limits: defaultShellLimits,
    clock: {
      now: () => now,
      sleep: (ms) => {
        now += ms;
        return Promise.resolve();
      },
    },
    random: () => 0,
    log: (level, message) => logged.push(`${level} ${message}`),
    redact: (text) => text,
  });
  const settings = { model: "m", effort: O.none, windowTokens: 2, maxOutputTokens: 1, authority: O.none };
  const request = { settings, system: "", tools: [], history: [], maxOutputTokens: 1 };
  const answer = await port.call(request, new AbortController().signal, (wait) => waits.push(wait));
  return { answer, deadlines, waits, logged };
};

const timedOut: Attempt = { kind: "timedOut", phase: "headers", ms: 1 };
const broken: Attempt = { kind: "broken", what: "dropped", again: true };

describe("only a timeout makes the next try longer", () => {
  test.each([
    ["three timeouts", [timedOut, timedOut, timedOut], [240, 480, 960]],
    ["a dropped connection between", [timedOut, broken, timedOut], [240, 480, 480]],
    ["busy answers", [answered, answered, answered], [240, 240, 240]],
  ])("%s", async (_name, attempts, expected) => {
    const { deadlines } = await run(failing({ kind: "backoff" }), attempts, 1);
    expect(deadlines.map((ms) => ms / 1000)).toEqual(expected);
  });
});

test("waits add up, and only long ones are told", async () => {
  const { answer, waits } = await run(failing({ kind: "after", afterMs: 60_000 }), [], 10);
  expect(answer.attempts).toEqual({ tries: 3, waitedMs: 120_000 });
  expect(waits).toEqual([
    { ms: 60_000, reason: "busy" },
    { ms: 60_000, reason: "busy" },
  ]);
  expect((await run(failing({ kind: "after", afterMs: 10_000 }), [], 10)).waits).toEqual([]);
});

describe("giving up", () => {
  test("says how many attempts it took and how long", async () => {
    const { answer } = await run(failing({ kind: "backoff" }), [], 100_000);
    expect(answer).toMatchObject({ failure: { message: "Test: busy (model m, 3 attempts in 301s)" } });
    const { answer: once } = await run(failing({ kind: "never" }), [], 2000);
    expect(once).toMatchObject({ failure: { message: "Test: busy (model m, 1 attempt in 2s)" } });
  });

  test.each([
    [299_999, 0],
    [300_000, 1],
  ])("after %i ms logs %i stalls", async (tookMs, stalls) => {
    const { logged } = await run(failing({ kind: "never" }), [], tookMs);
    expect(logged.filter((line) => line.includes("stall"))).toHaveLength(stalls);
  });
});
