/** Waiting that can be given up. */
import { setMaxListeners } from "node:events";

/** Longest delay that a timer of Node takes; a longer one would fire at once. */
export const TIMER_MS_MAX = 2 ** 31 - 1;

/** Resolves after `ms`, or at once when the signal fires. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(ms, TIMER_MS_MAX));
    signal.addEventListener("abort", done);
  });

export type Stop = "cancelled" | "timedOut";

export interface Limited {
  /** Fires when the outer signal fires or the time is over; never after `release`. */
  readonly signal: AbortSignal;
  /** Why it fired. If both came together the cancel counts. */
  readonly stopped: () => Stop | undefined;
  /** `promise`, or undefined as soon as the signal fires. */
  readonly until: <T>(promise: Promise<T>) => Promise<T | undefined>;
  readonly release: () => void;
}

/** One signal for one piece of work, out of the caller's and a time limit. Nothing of it stays on the caller's signal. */
export const limited = (outer: AbortSignal, ms: number): Limited => {
  const inner = new AbortController();
  const fired = new Promise<undefined>((resolve) => {
    inner.signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const cancel = (): void => inner.abort("session cancelled");
  const timer = setTimeout(() => inner.abort("timeout"), Math.min(ms, TIMER_MS_MAX));
  // Hooks of many servers share one signal, and Node would warn of a leak at the eleventh.
  setMaxListeners(0, outer);
  if (outer.aborted) cancel();
  else outer.addEventListener("abort", cancel);
  return {
    signal: inner.signal,
    stopped: () => (!inner.signal.aborted ? undefined : outer.aborted ? "cancelled" : "timedOut"),
    until: (promise) => Promise.race([fired, promise]),
    release: () => {
      clearTimeout(timer);
      outer.removeEventListener("abort", cancel);
    },
  };
};
