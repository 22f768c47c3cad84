/** Requests of ours to the client. A person may take hours to answer, so there is no time limit: the signal ends the wait. */
import { type Either, left } from "fp-ts/lib/Either.js";
import type { Json, JsonObject } from "../../core/json.js";
import { notificationFrame, requestFrame, type RequestId } from "../stdio/envelope.js";
import type { Writer } from "../stdio/writer.js";

export interface ClientRequests {
  /** Left: refused, malformed, aborted, or nobody there. Never rejects. */
  readonly ask: (method: string, params: JsonObject, signal: AbortSignal) => Promise<Either<string, Json>>;
  /** A response has come in. One that nobody waits for - unknown, late, second - changes nothing. */
  readonly answered: (id: RequestId, result: Either<string, Json>) => void;
}

export const createClientRequests = (writer: Writer): ClientRequests => {
  const waiting = new Map<RequestId, (result: Either<string, Json>) => void>();
  let asked = 0;

  const answered = (id: RequestId, result: Either<string, Json>): void => {
    const resolve = waiting.get(id);
    waiting.delete(id);
    resolve?.(result);
  };

  return {
    ask: async (method, params, signal) => {
      if (signal.aborted) return left("aborted");
      asked += 1;
      const id = `turnfold-${asked}`;
      return new Promise((resolve) => {
        const abort = (): void => {
          if (!waiting.has(id)) return;
          writer.send(notificationFrame("$/cancel_request", { requestId: id }));
          answered(id, left("aborted"));
        };
        waiting.set(id, (result) => {
          signal.removeEventListener("abort", abort);
          resolve(result);
        });
        signal.addEventListener("abort", abort, { once: true });
        writer.send(requestFrame(id, method, params));
      });
    },
    answered,
  };
};
