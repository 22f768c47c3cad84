/** Something whose code is still to be read. What is done with it meanwhile is done in order, as soon as it is there. */
export interface Later<T extends object> {
  /** At once if it is there; otherwise reading begins now. */
  readonly use: (work: (it: T) => void) => void;
  /** Reading begins in the next turn of the event loop: whoever is being answered in this one comes first. */
  readonly readSoon: () => void;
  /** It is there, or somebody waits for it. */
  readonly isWanted: () => boolean;
}

/** A fault of ours in one piece of work comes up by itself, and costs none of those behind it. */
const safely = <T>(work: (it: T) => void, it: T): void => {
  try {
    work(it);
  } catch (fault) {
    queueMicrotask(() => {
      throw fault;
    });
  }
};

/** `load` is called once and never rejects. */
export const createLater = <T extends object>(load: () => Promise<T>): Later<T> => {
  let there: T | undefined;
  let loading: Promise<void> | undefined;
  const waiting: ((it: T) => void)[] = [];

  const start = async (): Promise<void> => {
    const loaded = await load();
    there = loaded;
    for (const work of waiting.splice(0)) safely(work, loaded);
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
    isWanted: () => there !== undefined || waiting.length > 0,
  };
};
