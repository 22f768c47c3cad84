/** Sessions that are being opened: each within a time limit, and all given up when the agent ends. */
export interface Openings {
  readonly count: () => number;
  /** `work` ends in an answer, whatever its signal says. */
  readonly start: (work: (signal: AbortSignal) => Promise<void>) => void;
  /** Resolves when all have been answered; those that take longer than `graceMs` are given up. */
  readonly finish: (graceMs: number) => Promise<void>;
}

export const createOpenings = (timeoutMs: number): Openings => {
  const openings = new Map<AbortController, Promise<void>>();

  const within = async (ms: number, aborts: Iterable<AbortController>, work: Promise<unknown>): Promise<void> => {
    const timer = setTimeout(() => {
      for (const abort of aborts) abort.abort();
    }, ms);
    await work;
    clearTimeout(timer);
  };

  return {
    count: () => openings.size,
    start: (work) => {
      const abort = new AbortController();
      const opening = within(timeoutMs, [abort], work(abort.signal));
      openings.set(abort, opening);
      void opening.then(() => openings.delete(abort));
    },
    finish: async (graceMs) => within(graceMs, openings.keys(), Promise.all(openings.values())),
  };
};
