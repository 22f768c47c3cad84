/** How long a try may take, and how long to wait before the next: pure numbers (`spec/providers.md` 9.4 and 9.5). */
import type { ShellLimits } from "../../core/policy.js";

/**
 * Milliseconds that a try may take from connecting to the last byte, after `timeouts` tries that ran out of time. A reply that
 * was too slow once is worth waiting for longer; an operator's own limit is never made smaller.
 */
export const tryDeadlineMs = (limits: ShellLimits, timeouts: number): number => {
  const base = limits.llmTimeoutSeconds;
  return Math.min(base * 2 ** timeouts, Math.max(limits.llmTimeoutSecondsMax, base)) * 1000;
};

/** Milliseconds before try `index` (from 1 on), between half and the whole of a doubling base. `random` is in [0, 1). */
export const backoffMs = (limits: ShellLimits, index: number, random: number): number => {
  const base = Math.min(limits.backoffBaseMs * 2 ** (index - 1), limits.backoffMaxMs);
  return Math.round(base / 2 + (random * base) / 2);
};

/** A duration as an error line tells it: `0.4s`, `12s`. */
export const seconds = (ms: number): string => {
  const rounded = ms < 10_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1000);
  return `${rounded}s`;
};
