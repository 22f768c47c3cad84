/**
 * A memory behind a thread: SQLite and the building of an index hold up the thread they run in, and this one has to read
 * cancels and send signs of life. The thread starts with the first question and is replaced when it dies or takes too long.
 */
import { Worker } from "node:worker_threads";
import { left } from "fp-ts/lib/Either.js";
import type { Log } from "../log.js";
import { programFile } from "../programFile.js";
import type { MemorySource, Recalled } from "./source.js";
import type { FromWorker, ToWorker, WorkerSetup } from "./workerMessages.js";

export interface WorkerSourceDeps extends WorkerSetup {
  readonly heapMebibytesMax: number;
  readonly recallMs: number;
  readonly log: Log;
}

/** Under which the program starts the thread in itself; not for people. */
const RECALL_COMMAND = "recall-worker";

interface Waiting {
  readonly settle: (recalled: Recalled) => void;
}

const TOO_LARGE = "the store is too large for the memory it may take (TURNFOLD_MEMORY_HEAP_MIB)";

/** One thread and who waits for it. */
interface Thread {
  readonly ask: (question: Omit<ToWorker, "id">, settle: Waiting["settle"]) => void;
  /** Ends it; whoever waits is told `why`. */
  readonly end: (why: string) => void;
}

const startThread = (deps: WorkerSourceDeps, ended: (thread: Thread) => void): Thread => {
  const { store, table, limits, heapMebibytesMax, log } = deps;
  const setup: WorkerSetup = { store, table, limits };
  const worker = new Worker(programFile(), {
    argv: [RECALL_COMMAND],
    workerData: setup,
    // Its stdout would otherwise be ours, which belongs to the frames.
    stdout: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMebibytesMax },
  });
  worker.stdout.resume();
  const waiting = new Map<number, Waiting>();
  let lastId = 0;

  const settleAll = (why: string): void => {
    ended(thread);
    for (const { settle } of waiting.values()) settle(left(why));
    waiting.clear();
  };
  worker.on("message", (message: FromWorker) => {
    if (message.kind === "log") {
      log(message.level, message.message, message.fields);
      return;
    }
    const waiter = waiting.get(message.id);
    waiting.delete(message.id);
    waiter?.settle(message.recalled);
  });
  worker.on("error", (fault: NodeJS.ErrnoException) => {
    log("error", "the recalling thread has failed", { fault: fault.message });
    settleAll(fault.code === "ERR_WORKER_OUT_OF_MEMORY" ? TOO_LARGE : "the recalling thread has failed");
  });
  worker.on("exit", () => {
    settleAll("the recalling thread has ended");
  });

  const thread: Thread = {
    ask: (question, settle) => {
      lastId += 1;
      waiting.set(lastId, { settle });
      const message: ToWorker = { id: lastId, ...question };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(message);
    },
    end: (why) => {
      settleAll(why);
      void worker.terminate();
    },
  };
  return thread;
};

export const createWorkerSource = (deps: WorkerSourceDeps): MemorySource => {
  let current: Thread | undefined;

  const thread = (): Thread => {
    current ??= startThread(deps, (ended) => {
      if (current === ended) current = undefined;
    });
    return current;
  };

  const ask = async (query: string, k: number, signal: AbortSignal): Promise<Recalled> =>
    new Promise((resolve) => {
      const asked = thread();
      const done = (recalled: Recalled): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", abandon);
        resolve(recalled);
      };
      const abandon = (): void => {
        done(left("cancelled"));
      };
      const timer = setTimeout(() => {
        asked.end(`nothing was recalled within ${deps.recallMs / 1000} s (TURNFOLD_MEMORY_RECALL_MS)`);
      }, deps.recallMs);
      signal.addEventListener("abort", abandon, { once: true });
      asked.ask({ query, k }, done);
    });

  // The thread ends with the process: it only reads, so there is nothing to bring to an end.
  return {
    recall: async (query, k, signal) => (signal.aborted ? left("cancelled") : ask(query, k, signal)),
  };
};
