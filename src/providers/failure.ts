/**
 * Classification of failed requests: one total function of (status, headers, body) for every provider. Sources:
 * `spec/providers.md` 9.1 to 9.3 and `decisions.md`, Model replies; the phrases of 9.3 are extended by those of servers that the
 * prior art did not know.
 */
import { assertNever } from "../core/never.js";
import { none, some } from "fp-ts/lib/Option.js";
import type { FailureKind, ModelFailure } from "../core/model.js";
import { SHELL_LIMITS } from "../core/policy.js";
import { oneLine } from "../core/text.js";
import type { Decoded, Retry } from "./dialect.js";
import { errorText } from "./errorText.js";
import { type Headers, retryOf } from "./retry.js";

/** Who is asked, as far as error lines and their meaning depend on it. */
export interface Host {
  /** As a person writes it. */
  readonly title: string;
  /** What to do about a refused credential, and about an unknown model; sentences. */
  readonly keyAdvice: string;
  readonly modelAdvice: string;
  /** OpenRouter: a 403 is moderation and no matter of the key, and some refusals have a meaning of their own. */
  readonly routes: boolean;
}

const CONTEXT_PHRASES = [
  "context_length_exceeded",
  "maximum context length",
  "context window",
  "prompt is too long",
  // llama.cpp, and Anthropic where input and output limit together do not fit.
  "exceed_context_size",
  "exceeds the available context size",
  "exceed context limit",
];
const IMAGE_PHRASES = ["no endpoints found that support image input", "is not a multimodal model"];
/** llama.cpp, whose status for it is a 500. */
const IMAGE_PHRASE_ANYWHERE = "image input is not supported";
const ROUTING_PHRASE = "No endpoints found that can handle the requested parameters";

const saysAny = (lowerBody: string, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => lowerBody.includes(phrase));

export const isContextExceeded = (body: string): boolean => saysAny(body.toLowerCase(), CONTEXT_PHRASES);
export const isImageUnsupported = (body: string): boolean => saysAny(body.toLowerCase(), IMAGE_PHRASES);

const KINDS: ReadonlyMap<number, FailureKind> = new Map<number, FailureKind>([
  [401, "authentication"],
  [402, "payment"],
  [408, "timeout"],
  [413, "requestTooLarge"],
  [429, "rateLimited"],
  [499, "serverError"],
  [503, "overloaded"],
  [529, "overloaded"],
]);

/** What a failed status means. Context and image are recoverable, so they are told from phrases only where 9.3 says so. */
export const kindOf = (status: number, body: string, host: Host): FailureKind => {
  if (status === 400 && isContextExceeded(body)) return "contextExceeded";
  if ((status === 400 || status === 404) && isImageUnsupported(body)) return "imageUnsupported";
  if (status >= 400 && body.toLowerCase().includes(IMAGE_PHRASE_ANYWHERE)) return "imageUnsupported";
  if (status === 403) return host.routes ? "permission" : "authentication";
  if (status === 404) return isRoutingRefusal(body, host) ? "invalidRequest" : "modelNotFound";
  if (status === 429 && body.includes("insufficient_quota")) return "payment";
  const known = KINDS.get(status);
  if (known !== undefined) return known;
  if (status >= 500 && status <= 599) return "serverError";
  return status >= 400 && status < 500 ? "invalidRequest" : "badReply";
};

const isRoutingRefusal = (body: string, host: Host): boolean => host.routes && body.includes(ROUTING_PHRASE);

const ROUTING_ADVICE =
  "No OpenRouter endpoint supports the requested parameters: choose another model, or unset BUZZ_AGENT_THINKING_EFFORT.";

/** What a person can do, or "". */
const adviceFor = (kind: FailureKind, status: number, body: string, host: Host): string => {
  if (isRoutingRefusal(body, host)) return ROUTING_ADVICE;
  // An ordinary outage has a type; without one OpenRouter has usually found no endpoint (spec/providers.md 9.2).
  if (host.routes && status === 503 && !body.includes('"error_type"')) return `If it lasts: ${ROUTING_ADVICE}`;
  switch (kind) {
    case "authentication":
      return host.keyAdvice;
    case "modelNotFound":
      return host.modelAdvice;
    case "payment":
      return host.routes ? "The credits are used up: https://openrouter.ai/credits" : "Check the account's balance.";
    case "requestTooLarge":
      return "The newest prompt or tool result is too large for the provider: send less at once.";
    case "contextExceeded":
    case "imageUnsupported":
    case "permission":
    case "invalidRequest":
    case "rateLimited":
    case "overloaded":
    case "serverError":
    case "timeout":
    case "transport":
    case "badReply":
    case "replyTooLarge":
    case "aborted":
    case "internal":
      return "";
  }
  return assertNever(kind);
};

const PHRASES: ReadonlyMap<number, string> = new Map([
  [301, "Moved Permanently"],
  [302, "Found"],
  [307, "Temporary Redirect"],
  [308, "Permanent Redirect"],
  [400, "Bad Request"],
  [401, "Unauthorized"],
  [402, "Payment Required"],
  [403, "Forbidden"],
  [404, "Not Found"],
  [408, "Request Timeout"],
  [409, "Conflict"],
  [413, "Content Too Large"],
  [422, "Unprocessable Content"],
  [429, "Too Many Requests"],
  [500, "Internal Server Error"],
  [502, "Bad Gateway"],
  [503, "Service Unavailable"],
  [504, "Gateway Timeout"],
  [529, "Overloaded"],
]);

/** A failure whose message is one bounded line. `status` 0: there was none that matters. */
export const failure = (kind: FailureKind, message: string, status: number): ModelFailure => ({
  kind,
  message: oneLine(message, SHELL_LIMITS.errorTextBytesMax.default),
  status: status === 0 ? none : some(status),
});

export const failed = (reason: ModelFailure, retry: Retry): Decoded => ({ kind: "failure", failure: reason, retry });

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** The failure that a status other than 2xx stands for. */
export const failureOfStatus = (host: Host, status: number, headers: Headers, body: string, nowMs: number): Decoded => {
  const kind = kindOf(status, body, host);
  const moved = status >= 300 && status < 400 ? ` to ${headers["location"] ?? "an unnamed place"}` : "";
  const said = `${host.title} answered ${`${status} ${PHRASES.get(status) ?? ""}`.trim()}${moved}`;
  const detail = errorText(body);
  const advice = adviceFor(kind, status, body, host);
  const parts = [detail === "" ? `${said}.` : sentence(`${said}: ${detail}`), advice];
  // A used-up quota comes as a 429, and waiting does not fill it; nor does it teach a model to see.
  const final = kind === "payment" || kind === "imageUnsupported";
  const retry: Retry = final ? { kind: "never" } : retryOf(status, headers, nowMs);
  return failed(failure(kind, parts.join(" ").trim(), status), retry);
};

/** An error object inside a successful answer: its code or type says what it means. */
export interface ReportedError {
  /** As it came: a status, a word, or "". */
  readonly code: string;
  readonly type: string;
  readonly message: string;
}

const WORDS: readonly (readonly [RegExp, FailureKind, Retry])[] = [
  [/overloaded/, "overloaded", { kind: "backoff" }],
  [/rate_?limit/, "rateLimited", { kind: "backoff" }],
  [/insufficient_quota|billing|payment|credit/, "payment", { kind: "never" }],
  [/authentication|invalid_api_key|unauthori/, "authentication", { kind: "never" }],
  [/permission|forbidden/, "permission", { kind: "never" }],
  [/not_found/, "modelNotFound", { kind: "never" }],
  [/too_large/, "requestTooLarge", { kind: "never" }],
  [/timeout|timed_out/, "timeout", { kind: "backoff" }],
  [/server_error|api_error|internal|unavailable/, "serverError", { kind: "backoff" }],
  [/invalid/, "invalidRequest", { kind: "never" }],
];

const meaningOf = (
  error: ReportedError,
  body: string,
  host: Host,
  headers: Headers,
  nowMs: number,
): readonly [FailureKind, Retry] => {
  const status = /^[45][0-9]{2}$/.test(error.code) ? Number(error.code) : 0;
  if (status > 0) return [kindOf(status, body, host), retryOf(status, headers, nowMs)];
  if (isContextExceeded(body)) return ["contextExceeded", { kind: "never" }];
  if (isImageUnsupported(body)) return ["imageUnsupported", { kind: "never" }];
  const words = `${error.type} ${error.code}`.toLowerCase();
  const found = WORDS.find(([pattern]) => pattern.test(words));
  return found === undefined ? ["serverError", { kind: "never" }] : [found[1], found[2]];
};

/** The failure that an error inside a 2xx stands for. `body`: the JSON text that is searched for phrases. */
export const failureOfError = (
  host: Host,
  error: ReportedError,
  body: string,
  status: number,
  headers: Headers,
  nowMs: number,
): Decoded => {
  const [kind, retry] = meaningOf(error, body, host, headers, nowMs);
  const labels = [error.code === "" ? "unknown" : error.code, error.type].filter((label) => label !== "");
  const message = error.message === "" ? "without a message" : error.message;
  const said = sentence(`${host.title} reported a provider error (${labels.join(", ")}): ${message}`);
  return failed(failure(kind, `${said} ${adviceFor(kind, 0, body, host)}`.trim(), status), retry);
};
