/** Something whose code is still to be read. What is done with it meanwhile is done in order, as soon as it is there. */
export interface Later<T> {
  /** At once if it is there; otherwise reading begins now. */
  readonly use: (work: (it: T) => void) => void;
  /** Reading begins in the next turn of the event loop: whoever is being answered in this one comes first. */
  readonly readSoon: () => void;
  /** Somebody has used it. */
  readonly isUsed: () => boolean;
}

/** `load` is called once and never rejects. */
export const createLater = <T>(load: () => Promise<T>): Later<T> => {
  let there: T | undefined;
  let loading: Promise<void> | undefined;
  const waiting: ((it: T) => void)[] = [];

  const start = async (): Promise<void> => {
    const loaded = await load();
    there = loaded;
    waiting.splice(0).forEach((work) => {
      work(loaded);
    });
  };
  const read = (): void => {
    loading ??= start();
  };

  return {
    use: (work) => {
      if (there !== undefined) return work(there);
      waiting.push(work);
      return read();
    },
    readSoon: () => {
      setImmediate(read);
    },
    isUsed: () => there !== undefined || waiting.length > 0,
  };
};
