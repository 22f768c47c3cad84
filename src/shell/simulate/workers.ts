/**
 * Threads that simulate chunks of sessions. The work is handed out in order and the results come back in order, whoever is done
 * first, so that the file does not depend on how many there are.
 */
import { Worker } from "node:worker_threads";
import { integer, list, struct } from "../../core/codec/basics.js";
import type { ChunkResult } from "../../simulation/chunk.js";
import type { Scenario } from "../../simulation/scenario.js";
import { scenarioCodec } from "../../simulation/scenarioCodec.js";
import { programFile } from "../programFile.js";

/** What a thread is told when it starts; it crosses as JSON. */
export interface WorkerSetup {
  readonly seed: number;
  /** The variants. */
  readonly scenarios: readonly Scenario[];
}

export const setupCodec = struct<WorkerSetup>("setup", { seed: integer, scenarios: list(scenarioCodec) });

export interface Chunk {
  readonly from: number;
  readonly to: number;
}

/** Hidden command of the program under which a thread finds its work. */
export const WORKER_COMMAND = "simulate-worker";

/** Runs one chunk somewhere else; rejects only when the thread has died, which is a bug. */
interface Thread {
  readonly run: (chunk: Chunk) => Promise<ChunkResult>;
  readonly end: () => Promise<unknown>;
}

/** Garbage that a thread may pile up. What it simulates lives shortly; more would only look like memory that grows with the run. */
const YOUNG_MIB = 16;

const startThread = (setup: WorkerSetup): Thread => {
  const worker = new Worker(programFile(), {
    argv: [WORKER_COMMAND],
    workerData: setupCodec.encode(setup),
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  });
  return {
    run: (chunk) =>
      new Promise((resolve, reject) => {
        const died = (): void => reject(new Error("a simulating thread ended before its work"));
        worker.once("exit", died);
        worker.once("error", reject);
        worker.once("message", (result: ChunkResult) => {
          worker.off("exit", died);
          worker.off("error", reject);
          resolve(result);
        });
        worker.postMessage(chunk, []);
      }),
    end: () => worker.terminate(),
  };
};

/** Sessions that a thread simulates at a time: long enough to pay for the message, short enough to be interrupted. */
const CHUNK_SESSIONS = 32;

/** Chunks that are begun and not yet written, for each thread. */
const WAITING_MAX = 4;

export interface WorkOptions {
  readonly setup: WorkerSetup;
  readonly workers: number;
  readonly from: number;
  readonly to: number;
  /** Gets the results in the order of the sessions, one after the other. */
  readonly onChunk: (result: ChunkResult) => Promise<void>;
  /** Asked before every chunk. */
  readonly isInterrupted: () => boolean;
}

/** Resolves when everything is done, or when all that was begun before an interruption is. */
export const shareWork = async (options: WorkOptions): Promise<void> => {
  const { setup, workers, from, to, onChunk, isInterrupted } = options;
  const chunks = Math.ceil((to - from) / CHUNK_SESSIONS);
  const threads = Array.from({ length: Math.min(workers, chunks) }, () => startThread(setup));
  let next = from;
  let waiting = 0;
  // Each result waits for the one before it.
  let written: Promise<void> = Promise.resolve();
  const write = async (running: Promise<ChunkResult>, before: Promise<void>): Promise<void> => {
    const [result] = await Promise.all([running, before]);
    await onChunk(result);
    waiting -= 1;
  };
  const enter = (running: Promise<ChunkResult>): void => {
    waiting += 1;
    written = write(running, written);
  };
  const work = async (thread: Thread): Promise<void> => {
    while (next < to && !isInterrupted()) {
      const chunk = { from: next, to: Math.min(to, next + CHUNK_SESSIONS) };
      next = chunk.to;
      const running = thread.run(chunk);
      enter(running);
      await running;
      // A thread does not run far ahead of a slow one: what waits to be written is bounded.
      if (waiting > WAITING_MAX * threads.length) await written;
    }
  };
  try {
    await Promise.all(threads.map(work));
    await written;
  } finally {
    await Promise.all(threads.map(({ end }) => end()));
  }
};
