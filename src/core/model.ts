/**
 * What the core knows of a model: the provider-neutral request, reply and failure. Dialects translate between these and the
 * wire (`src/providers`); nothing here names a provider.
 */
import type { Option } from "fp-ts/lib/Option.js";
import type { HistoryItem } from "./history.js";
import type { ReportedUsage } from "./usage.js";

/** What the next model request will use. Replaced whole by `settingsChanged`; a running request keeps what it was sent with. */
export interface Settings {
  /** The model id that goes on the wire, verbatim. */
  readonly model: string;
  /** Thinking effort as the operator or client chose it; the dialect normalises it for the model. None: no reasoning field is sent. */
  readonly effort: Option<string>;
  /** Context window of the model, in tokens. */
  readonly windowTokens: number;
  /** Configured limit for one reply, in tokens. See `outputLimit` for what is really asked for. */
  readonly maxOutputTokens: number;
  /** Billing authority proven by the base URL (`spec/usage.md` 2.5), or None. */
  readonly authority: Option<string>;
}

/** A tool as the model sees it. `name` is qualified, unique in the catalogue, and is the key by which the shell finds it again. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON text of an object schema. */
  readonly schema: string;
  /** Its server declares that it changes nothing. */
  readonly readOnly: boolean;
  /** A built-in (`load_skill`) is never asked for. */
  readonly builtIn: boolean;
}

export type HookPoint = "_Stop" | "_PostCompact";

/** A hook that may be called: allowlisted, and offered by the server. */
export interface Hook {
  readonly server: string;
  readonly point: HookPoint;
}

/** One ordinary model request, everything a dialect needs to encode it. */
export interface ModelRequest {
  readonly settings: Settings;
  /** The system text; a field of its own, so that it can be nowhere else in the request. */
  readonly system: string;
  readonly tools: readonly Tool[];
  readonly history: readonly HistoryItem[];
  /** Limit for this reply, in tokens. */
  readonly maxOutputTokens: number;
}

/** A summary request: no history, no tools, one user text. */
export interface SummaryRequest {
  readonly settings: Settings;
  readonly system: string;
  readonly prompt: string;
  readonly maxOutputTokens: number;
}

/** A tool call as the provider sent it. Nothing here is a key: ids and names may be empty, repeated or illegal. */
export interface RequestedCall {
  readonly providerId: string;
  readonly name: string;
  /** JSON text as it came ("" for absent or null; an object where a string was expected is its JSON text). It may not parse. */
  readonly argumentsText: string;
  /** JSON text of an object with the unmodelled fields of the call, to be replayed beside it; "" when there are none. */
  readonly extra: string;
}

/** Signed or encrypted reasoning: replayed verbatim to the same dialect and model, otherwise dropped whole. */
export interface ReplayData {
  readonly dialect: string;
  readonly model: string;
  /** JSON text, opaque to the core. */
  readonly json: string;
}

/** Why the provider stopped. A reason that nobody has heard of is a value of its own, never an error. */
export type Stop =
  | { readonly kind: "end" }
  | { readonly kind: "toolUse" }
  | { readonly kind: "cutOff"; readonly by: "outputLimit" | "contextWindow" }
  | { readonly kind: "refusal" }
  | { readonly kind: "unknown"; readonly raw: string };

/** A successful reply of one request. All strings are well-formed UTF-16. */
export interface ModelReply {
  readonly text: string;
  /** Human-readable thinking, for display only. */
  readonly reasoning: string;
  readonly calls: readonly RequestedCall[];
  readonly stop: Stop;
  readonly usage: ReportedUsage;
  readonly replay: Option<ReplayData>;
}

export type FailureKind =
  | "contextExceeded"
  | "imageUnsupported"
  | "authentication"
  | "permission"
  | "payment"
  | "modelNotFound"
  | "requestTooLarge"
  | "invalidRequest"
  | "rateLimited"
  | "overloaded"
  | "serverError"
  | "timeout"
  | "transport"
  | "badReply"
  | "replyTooLarge"
  | "aborted"
  | "internal";

/** A failed request. `message` is one line, bounded, free of secrets, and says what to do where that is known. */
export interface ModelFailure {
  readonly kind: FailureKind;
  readonly message: string;
  /** HTTP status, when there was one. */
  readonly status: Option<number>;
}

/** How the shell got an answer: one `callModel`, one answer, whatever it took. */
export interface Attempts {
  /** HTTP requests sent, at least 1 unless aborted before the first. */
  readonly tries: number;
  /** Milliseconds spent waiting between tries. */
  readonly waitedMs: number;
}
