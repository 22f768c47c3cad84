/** One request, one answer: nothing is thrown, nothing is read beyond a limit, and an abort ends it at once. */
import * as O from "fp-ts/lib/Option.js";
import type { Dispatcher } from "undici";
import type { ShellLimits } from "../../core/policy.js";
import { brokenBy, type Attempt } from "./attempt.js";
import type { Connections } from "./dispatcher.js";
import { createResponseReader } from "./responseReader.js";
import type { RequestBody } from "./requestBody.js";

export interface HttpOrder {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: O.Option<RequestBody>;
  /** From connecting to the last byte. */
  readonly deadlineMs: number;
}

export type Send = (order: HttpOrder, signal: AbortSignal) => Promise<Attempt>;

type DispatchBody = NonNullable<Dispatcher.DispatchOptions["body"]>;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- undici takes any iterable, as its documentation says; its types do not
const opened = (body: RequestBody): DispatchBody => body.open() as DispatchBody;

const dispatchOptions = ({ method, url, headers, body }: HttpOrder): Dispatcher.DispatchOptions => {
  const { origin, pathname, search } = new URL(url);
  return {
    origin,
    path: `${pathname}${search}`,
    method,
    headers: O.isSome(body) ? { ...headers, "content-length": String(body.value.bytes) } : headers,
    body: O.isSome(body) ? opened(body.value) : null,
  };
};

/**
 * undici's own `request` gives the body as a stream and takes a signal; both cost more than all the rest of a small request. Here
 * its parser calls the reader, and whatever settles the answer first ends the exchange.
 */
export const createSend =
  (connections: Connections, limits: ShellLimits, redact: (text: string) => string): Send =>
  async (order, signal) => {
    if (signal.aborted) return { kind: "aborted" };
    const reader = createResponseReader(limits, redact);
    return new Promise((resolve) => {
      let connection: Dispatcher.DispatchController | undefined;
      let over = false;

      const settle = (attempt: Attempt | undefined): void => {
        if (over || attempt === undefined) return;
        over = true;
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
        resolve(attempt);
      };
      /** With an answer before the response has come to its end the connection is of no use any more. */
      const giveUp = (attempt: Attempt | undefined): void => {
        settle(attempt);
        if (over) connection?.abort(new Error("the rest is not wanted"));
      };
      const abort = (): void => {
        giveUp({ kind: "aborted" });
      };
      const timer = setTimeout(() => {
        giveUp(reader.short({ kind: "timedOut", phase: reader.phase(), ms: order.deadlineMs }));
      }, order.deadlineMs);
      signal.addEventListener("abort", abort);

      const broken = (error: unknown): void => {
        const attempt: Attempt =
          error instanceof connections.ConnectTimeoutError
            ? { kind: "timedOut", phase: "connect", ms: limits.connectTimeoutMs }
            : brokenBy(error);
        settle(reader.short(attempt));
      };
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: (controller) => {
          connection = controller;
          // It may have been settled while it was still connecting.
          giveUp(undefined);
        },
        onResponseStart: (_, status, headers) => {
          giveUp(reader.begin(status, headers));
        },
        onResponseData: (_, chunk) => {
          giveUp(reader.take(chunk));
        },
        onResponseEnd: () => {
          settle(reader.end());
        },
        onResponseError: (_, error) => {
          broken(error);
        },
      };
      try {
        connections.dispatcherFor(order.url).dispatch(dispatchOptions(order), handler);
      } catch (error) {
        broken(error);
      }
    });
  };
