/** HTTP attempts of one model request, as the shell makes them: what may pass is tried again after a growing wait. */
import { none, some, type Option } from "fp-ts/lib/Option.js";
import type { FailureKind } from "../core/model.js";
import { defaultShellLimits } from "../core/policy.js";
import { purpose, uniform } from "./random.js";
import { drawn, type World } from "./world.js";
import { ATTEMPT_FAILURES, DRAW_LIMITS, type AttemptFailures } from "./scenario.js";

const MAY_PASS: ReadonlySet<FailureKind> = new Set<FailureKind>([
  "rateLimited",
  "overloaded",
  "serverError",
  "timeout",
  "transport",
  "badReply",
]);

export interface AttemptsMade {
  readonly tries: number;
  readonly waitedMs: number;
  /** Of all attempts, the waits included, until the last one's first token or failure. */
  readonly durationMs: number;
  /** Why the last attempt failed, if it did. */
  readonly failure: Option<FailureKind>;
}

const FAILS = purpose("faults.model.attemptFailures");
const JITTER = purpose("attempts.jitter");
const LATENCY = purpose("model.latencyMs");
/** Draws for the attempts of one request stand this far apart. */
const ATTEMPTS_MAX = 16;

/** One number decides whether an attempt fails and how: kinds have their places in the order of the table. */
const failureOf = (rates: AttemptFailures, u: number): Option<FailureKind> => {
  let reached = 0;
  for (const kind of ATTEMPT_FAILURES) {
    reached += rates[kind];
    if (u < reached) return some(kind);
  }
  return none;
};

/** The wait before the next attempt: it doubles, and up to half of it is left to chance. */
const backoffMs = (tries: number, jitter: number): number => {
  const { backoffBaseMs, backoffMaxMs } = defaultShellLimits;
  return Math.round(Math.min(backoffMaxMs, backoffBaseMs * 2 ** (tries - 1)) * (0.5 + jitter / 2));
};

/** An attempt that times out takes the shell's limit, which doubles after each. */
const durationOf = (failure: Option<FailureKind>, latencyMs: number, tries: number): number => {
  const { llmTimeoutSeconds, llmTimeoutSecondsMax } = defaultShellLimits;
  return failure._tag === "Some" && failure.value === "timeout"
    ? 1000 * Math.min(llmTimeoutSecondsMax, llmTimeoutSeconds * 2 ** (tries - 1))
    : latencyMs;
};

/** `index` names the request within its turn. */
export const attempt = (world: World, turn: number, index: number): AttemptsMade => {
  const { model, faults } = world.stage.scenario;
  let waitedMs = 0;
  let durationMs = 0;
  for (let tries = 1; ; tries += 1) {
    const draw = index * ATTEMPTS_MAX + tries;
    const latencyMs = drawn(world, model.latencyMs, DRAW_LIMITS.milliseconds, LATENCY, turn, draw);
    const failure = failureOf(faults.model.attemptFailures, uniform(world.draws, FAILS, turn, draw));
    durationMs += durationOf(failure, latencyMs, tries);
    const again = failure._tag === "Some" && MAY_PASS.has(failure.value) && tries < defaultShellLimits.llmAttempts;
    if (!again) return { tries, waitedMs, durationMs, failure };
    const waitMs = backoffMs(tries, uniform(world.draws, JITTER, turn, draw));
    waitedMs += waitMs;
    durationMs += waitMs;
  }
};
