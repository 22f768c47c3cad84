/** Work that is asked for in bursts. */

/**
 * A trigger: however often it is pulled, `work` runs one at a time, and starts at least `spacingMs` after the last one ended. A
 * pull during a run causes one more. `work` never rejects.
 */
export const coalesced = (spacingMs: number, work: () => Promise<void>): (() => void) => {
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    do {
      again = false;
      await work();
      await new Promise((resolve) => setTimeout(resolve, spacingMs).unref());
    } while (again);
    running = false;
  };
  return () => {
    again = true;
    if (running) return;
    running = true;
    void run();
  };
};
