/** One HTTP request and its repetitions: which outcomes are tried again, when, and what is said in the end. */
import * as O from "fp-ts/lib/Option.js";
import type { ModelFailure, ModelReply } from "../../core/model.js";
import { assertNever } from "../../core/never.js";
import type { ShellLimits } from "../../core/policy.js";
import type { Decoded, Dialect } from "../../providers/dialect.js";
import type { Log } from "../log.js";
import type { OnWait } from "../ports.js";
import type { Attempt } from "./attempt.js";
import { takeLoopTurn } from "../loopTurns.js";
import type { Clock } from "./clock.js";
import type { Send } from "./send.js";
import type { RequestBody } from "./requestBody.js";
import { backoffMs, seconds, tryDeadlineMs } from "./timing.js";

export interface TryContext {
  readonly limits: ShellLimits;
  readonly send: Send;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly onWait: OnWait;
}

export interface Order {
  readonly dialect: Dialect;
  readonly model: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody;
}

/** What has been spent on this request so far. */
export interface Spent {
  readonly tries: number;
  readonly waitedMs: number;
  /** Tries that ran out of time; each doubles the next one's time. */
  readonly timeouts: number;
}

export const nothingSpent: Spent = { tries: 0, waitedMs: 0, timeouts: 0 };

export type Tried = { readonly spent: Spent } & (
  { readonly kind: "replied"; readonly reply: ModelReply } | { readonly kind: "failed"; readonly failure: ModelFailure }
);

const failed = (kind: ModelFailure["kind"], message: string, again: boolean): Decoded => ({
  kind: "failure",
  failure: { kind, message, status: O.none },
  retry: { kind: again ? "backoff" : "never" },
});

export const cancelled: ModelFailure = { kind: "aborted", message: "cancelled", status: O.none };

/** Which variable helps is said where it does: connecting takes as long as it takes. */
const timeoutMessage = (phase: "connect" | "headers" | "body", ms: number): string => {
  const budget = seconds(ms);
  if (phase === "connect") return `no connection within ${budget}`;
  const what = phase === "headers" ? `no response within ${budget}` : `the response did not complete within ${budget}`;
  return `${what}; BUZZ_AGENT_LLM_TIMEOUT_SECS sets the limit`;
};

const judge = (attempt: Attempt, { dialect, model }: Order, nowMs: number, limits: ShellLimits): Decoded => {
  switch (attempt.kind) {
    case "response":
      return dialect.decode(attempt.response, model, nowMs);
    case "timedOut":
      return failed("timeout", timeoutMessage(attempt.phase, attempt.ms), true);
    case "broken":
      return failed("transport", attempt.what, attempt.again);
    case "tooLarge":
      return failed("replyTooLarge", `the reply is larger than ${limits.replyBytesMax} bytes`, false);
    case "aborted":
      return { kind: "failure", failure: cancelled, retry: { kind: "never" } };
  }
  return assertNever(attempt);
};

const waitMs = (
  retry: Exclude<Extract<Decoded, { kind: "failure" }>["retry"], { kind: "never" }>,
  spent: Spent,
  context: TryContext,
) => (retry.kind === "after" ? retry.afterMs : backoffMs(context.limits, spent.tries, context.random()));

/** Tries until there is a reply, a failure that would only repeat itself, or no try left. An abort ends it at once. */
export const tryUntilDone = async (
  order: Order,
  context: TryContext,
  before: Spent,
  triesLeft: number,
): Promise<Tried> => {
  const { limits, send, clock, signal, log } = context;
  const { url, headers, body, dialect } = order;
  if (signal.aborted) return { kind: "failed", failure: cancelled, spent: before };
  const attempt = await send(
    { method: "POST", url, headers, body: O.some(body), deadlineMs: tryDeadlineMs(limits, before.timeouts) },
    signal,
  );
  const spent: Spent = {
    ...before,
    tries: before.tries + 1,
    timeouts: before.timeouts + (attempt.kind === "timedOut" ? 1 : 0),
  };
  await takeLoopTurn();
  const judged = judge(attempt, order, clock.now(), limits);
  if (judged.kind === "reply") return { kind: "replied", reply: judged.reply, spent };
  const { failure, retry } = judged;
  if (retry.kind === "never" || triesLeft <= 1) return { kind: "failed", failure, spent };

  const ms = waitMs(retry, spent, context);
  log("warn", "model request failed, trying again", {
    model: order.model,
    dialect: dialect.name,
    failure: failure.kind,
    message: failure.message,
    attempt: spent.tries,
    wait_ms: ms,
    timeouts: spent.timeouts,
  });
  if (ms > limits.waitToldMs) context.onWait({ ms, reason: failure.message });
  const startedAt = clock.now();
  await clock.sleep(ms, signal);
  const waited: Spent = { ...spent, waitedMs: spent.waitedMs + Math.max(0, clock.now() - startedAt) };
  return tryUntilDone(order, context, waited, triesLeft - 1);
};
