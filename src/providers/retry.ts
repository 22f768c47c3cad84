/** Whether a failed request may be sent again, and when (`decisions.md`, Model replies; `spec/providers.md` 9.1 and 9.2). */
import { none, type Option, some } from "fp-ts/lib/Option.js";
import { SHELL_LIMITS } from "../core/policy.js";
import type { Retry } from "./dialect.js";
import { parseHttpDate } from "./httpDate.js";

export type Headers = Readonly<Record<string, string>>;

const MAX_MS = SHELL_LIMITS.retryAfterMsMax.default;

/** The provider's own wish in milliseconds, cut to the limit; none if there is none, or it is not in the future. */
export const retryAfterMs = (headers: Headers, nowMs: number): Option<number> => {
  const milliseconds = headers["retry-after-ms"]?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(milliseconds)) return wait(Number(milliseconds));
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d+$/.test(text)) return wait(Number(text) * 1000);
  const date = parseHttpDate(text, nowMs);
  return date._tag === "Some" ? wait(date.value - nowMs) : none;
};

const wait = (ms: number): Option<number> => (ms > 0 ? some(Math.ceil(Math.min(ms, MAX_MS))) : none);

/** Statuses whose `Retry-After` is honoured. */
const ASKING = new Set([429, 503, 529]);

/** 429, 499 and every 5xx are worth another try; anything else would be refused again. */
export const retryOf = (status: number, headers: Headers, nowMs: number): Retry => {
  if (status !== 429 && status !== 499 && (status < 500 || status > 599)) return { kind: "never" };
  const asked = ASKING.has(status) ? retryAfterMs(headers, nowMs) : none;
  return asked._tag === "Some" ? { kind: "after", afterMs: asked.value } : { kind: "backoff" };
};
