/** Waiting for a condition, with a bound: the only way a test here lets time pass. */
export const until = async <T>(what: string, look: () => T | undefined | false, ms = 10_000): Promise<T> => {
  for (const end = performance.now() + ms; ;) {
    const seen = look();
    if (seen !== undefined && seen !== false) return seen;
    if (performance.now() > end) throw new Error(`did not happen within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
