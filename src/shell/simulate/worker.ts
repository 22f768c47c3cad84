/** The other side of `workers.ts`: a thread that simulates what it is told until it is ended. */
import { isLeft } from "fp-ts/lib/Either.js";
import { parentPort, workerData } from "node:worker_threads";
import { explain } from "../../core/codec.js";
import { runChunk, stagesOf } from "../../simulation/chunk.js";
import { setupCodec, type Chunk } from "./workers.js";

/** Exit code 2 for a person who calls the hidden command; in a thread it never resolves. */
export const runWorker = async (): Promise<number> => {
  const port = parentPort;
  if (port === null) return 2;
  const setup = setupCodec.decode(workerData);
  if (isLeft(setup)) throw new Error(`a bug in starting a thread: ${explain(setup.left)}`);
  const { seed, scenarios } = setup.right;
  const stages = stagesOf(scenarios);
  port.on("message", ({ from, to }: Chunk) => {
    port.postMessage(runChunk(stages, seed, from, to));
  });
  return new Promise(() => undefined);
};
