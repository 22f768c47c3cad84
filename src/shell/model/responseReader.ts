/** Makes the answer out of what comes of one response, and reads no more of it than that takes. */
import type { Dispatcher } from "undici";
import type { ShellLimits } from "../../core/policy.js";
import { headBytes } from "../../core/text.js";
import type { Attempt, Phase } from "./attempt.js";
import { gather, type Gathered } from "./gather.js";

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2];

export interface ResponseReader {
  /** Of an informational response nothing is kept: the response is still to come. */
  readonly begin: (status: number, headers: Headers) => Attempt | undefined;
  /** An answer as soon as there is nothing more to read for. */
  readonly take: (chunk: Buffer) => Attempt | undefined;
  readonly end: () => Attempt | undefined;
  /** The answer if no more will come: what there is of an error, or else `attempt`. */
  readonly short: (attempt: Attempt) => Attempt;
  readonly phase: () => Phase;
}

/** A response that has begun. */
interface Begun {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Gathered;
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Of a repeated header the last value. */
const flatHeaders = (headers: Headers): Readonly<Record<string, string>> => {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) flat[name] = (Array.isArray(value) ? value.at(-1) : value) ?? "";
  return flat;
};

const response = ({ status, headers }: Begun, body: string): Attempt => ({
  kind: "response",
  response: { status, headers: flatHeaders(headers), body },
});

/**
 * Of an error the beginning is enough, and what was read before it broke off is still worth showing (spec/providers.md 9.7).
 * Gateways repeat the request's headers in their pages (F55): secrets are taken out before anything is cut, and twice as much
 * is read so that none of them lies across the cut.
 */
const errorResponse = (begun: Begun, limits: ShellLimits, redact: (text: string) => string): Attempt =>
  response(begun, headBytes(redact(begun.body.text()), limits.errorBodyBytesMax));

export const createResponseReader = (limits: ShellLimits, redact: (text: string) => string): ResponseReader => {
  let begun: Begun | undefined;

  const short = (attempt: Attempt): Attempt =>
    begun === undefined || isSuccess(begun.status) ? attempt : errorResponse(begun, limits, redact);

  return {
    begin: (status, headers) => {
      if (status < 200) return undefined;
      const success = isSuccess(status);
      const bytesMax = success ? limits.replyBytesMax : limits.errorBodyBytesMax * 2;
      if (success && Number(headers["content-length"]) > bytesMax) return { kind: "tooLarge" };
      begun = { status, headers, body: gather(bytesMax) };
      return undefined;
    },
    take: (chunk) => (begun?.body.add(chunk) === false ? short({ kind: "tooLarge" }) : undefined),
    end: () => {
      if (begun === undefined) return undefined;
      return isSuccess(begun.status) ? response(begun, begun.body.text()) : errorResponse(begun, limits, redact);
    },
    short,
    phase: () => (begun === undefined ? "headers" : "body"),
  };
};
