/** One request, one answer: nothing is thrown, nothing is read beyond a limit, and an abort ends it at once. */
import * as O from "fp-ts/lib/Option.js";
import type { Dispatcher } from "undici";
import type { ShellLimits } from "../../core/policy.js";
import { headBytes } from "../../core/text.js";
import { brokenBy, type Attempt, type Phase } from "./attempt.js";
import type { Connections } from "./dispatcher.js";
import { gather } from "./gather.js";
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

/** Fires when the caller aborts or the deadline passes, and can tell which it was. */
const stopper = (signal: AbortSignal, deadlineMs: number) => {
  const controller = new AbortController();
  const stop = (): void => {
    controller.abort();
  };
  const timer = setTimeout(stop, deadlineMs);
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    },
  };
};

type Response = Dispatcher.ResponseData;

const isSuccess = ({ statusCode }: Response): boolean => statusCode >= 200 && statusCode < 300;

/** Of a repeated header the last value. */
const flatHeaders = (headers: Response["headers"]): Readonly<Record<string, string>> => {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) flat[name] = (Array.isArray(value) ? value.at(-1) : value) ?? "";
  return flat;
};

interface Read {
  /** Of at most as many bytes as were asked for. */
  readonly text: string;
  readonly end: "whole" | "tooLong" | { readonly broken: unknown };
}

/** Reads until the end or `bytesMax`; the connection is given up then, not read to its end. */
const readText = async (body: AsyncIterable<Buffer>, bytesMax: number): Promise<Read> => {
  const gathered = gather(bytesMax);
  try {
    // Leaving the loop destroys the body, and with it the connection.
    for await (const chunk of body) if (!gathered.add(chunk)) return { text: gathered.take(), end: "tooLong" };
  } catch (error) {
    return { text: gathered.take(), end: { broken: error } };
  }
  return { text: gathered.take(), end: "whole" };
};

const readSuccess = async (response: Response, limits: ShellLimits): Promise<Attempt> => {
  const { statusCode: status, headers, body } = response;
  if (Number(headers["content-length"]) > limits.replyBytesMax) {
    body.on("error", () => undefined).destroy();
    return { kind: "tooLarge" };
  }
  const { text, end } = await readText(body, limits.replyBytesMax);
  if (end === "tooLong") return { kind: "tooLarge" };
  if (end !== "whole") throw end.broken;
  return { kind: "response", response: { status, headers: flatHeaders(headers), body: text } };
};

/**
 * Of an error the beginning is enough, and what was read before it broke off is still worth showing (spec/providers.md 9.7).
 * Gateways repeat the request's headers in their pages (F55): secrets are taken out before anything is cut, and twice as much
 * is read so that none of them lies across the cut.
 */
const readError = async (response: Response, limits: ShellLimits, redact: Redact): Promise<Attempt> => {
  const { statusCode: status, headers, body } = response;
  const { text } = await readText(body, limits.errorBodyBytesMax * 2);
  const shown = headBytes(redact(text), limits.errorBodyBytesMax);
  return { kind: "response", response: { status, headers: flatHeaders(headers), body: shown } };
};

type Redact = (text: string) => string;

export const createSend =
  (connections: Connections, limits: ShellLimits, redact: Redact): Send =>
  async ({ method, url, headers, body, deadlineMs }, signal) => {
    const stop = stopper(signal, deadlineMs);
    let phase: Phase = "headers";
    try {
      const { origin, pathname, search } = new URL(url);
      const response = await connections.dispatcherFor(url).request({
        origin,
        path: `${pathname}${search}`,
        method,
        headers: O.isSome(body) ? { ...headers, "content-length": String(body.value.bytes) } : headers,
        body: O.isSome(body) ? body.value.open() : null,
        signal: stop.signal,
      });
      phase = "body";
      if (isSuccess(response)) return await readSuccess(response, limits);
      const failed = await readError(response, limits, redact);
      return signal.aborted ? { kind: "aborted" } : failed;
    } catch (error) {
      if (signal.aborted) return { kind: "aborted" };
      if (stop.signal.aborted) return { kind: "timedOut", phase, ms: deadlineMs };
      if (error instanceof connections.ConnectTimeoutError) {
        return { kind: "timedOut", phase: "connect", ms: limits.connectTimeoutMs };
      }
      return brokenBy(error);
    } finally {
      stop.release();
    }
  };
