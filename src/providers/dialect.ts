/**
 * A dialect is one value: how a model request becomes an HTTP request, and how whatever comes back becomes a reply or a failure.
 * Pure and total. Credentials are not its business: the shell adds them at the last moment.
 */
import type { ModelFailure, ModelReply, ModelRequest, SummaryRequest } from "../core/model.js";

/** A POST. `body` is JSON in pieces, to be sent one behind the other: pieces of unchanged history items keep their identity. */
export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly string[];
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; of a repeated header the last value. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of at most `replyBytesMax` bytes of a 2xx, at most `errorBodyBytesMax` of anything else; no byte-order mark. */
  readonly body: string;
}

/** Whether the same request may be sent again. `afterMs` is the provider's own wish, already bounded. */
export type Retry =
  { readonly kind: "never" } | { readonly kind: "backoff" } | { readonly kind: "after"; readonly afterMs: number };

export type Decoded =
  | { readonly kind: "reply"; readonly reply: ModelReply }
  | { readonly kind: "failure"; readonly failure: ModelFailure; readonly retry: Retry };

export interface Dialect {
  /** Stable name; also the `dialect` of replay data. */
  readonly name: string;
  readonly encode: (request: ModelRequest) => HttpRequest;
  readonly encodeSummary: (request: SummaryRequest) => HttpRequest;
  /** `nowMs`: wall clock, for a `Retry-After` that is a date. Never throws. */
  readonly decode: (response: HttpResponse, model: string, nowMs: number) => Decoded;
}
