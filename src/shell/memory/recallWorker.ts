/** The recalling thread: what is asked comes in one message, what is recalled goes out in one. Bundled as a file of its own. */
import { parentPort, workerData } from "node:worker_threads";
import { createRecaller } from "./recaller.js";
import type { FromWorker, ToWorker, WorkerSetup } from "./workerMessages.js";

const port = parentPort;
if (port !== null) {
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
}
