/** The other side of `workerSource.ts`, the recalling thread: a question comes in one message, what is recalled goes out in one. */
import { parentPort, workerData } from "node:worker_threads";
import { createRecaller } from "./recaller.js";
import type { FromWorker, ToWorker, WorkerSetup } from "./workerMessages.js";

/** Exit code 2 for a person who calls the hidden command; in a thread it never resolves. */
export const runRecallWorker = async (): Promise<number> => {
  const port = parentPort;
  if (port === null) return 2;
  const send = (message: FromWorker): void => {
    port.postMessage(message);
  };
  const recall = createRecaller({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `workerSource.ts` starts this thread, nobody else
    ...(workerData as WorkerSetup),
    log: (level, message, fields) => {
      send({ kind: "log", level, message, fields });
    },
    now: Date.now,
  });
  port.on("message", ({ id, query, k }: ToWorker) => {
    send({ kind: "recalled", id, recalled: recall(query, k) });
  });
  return new Promise(() => undefined);
};
