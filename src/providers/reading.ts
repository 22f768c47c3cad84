/**
 * From an HTTP answer to a reply or a failure: what all dialects have in common. A dialect only says how its own reply is read
 * from a JSON object; that something came back with a good status never makes it a reply.
 */
import { assertNever } from "../core/never.js";
import { parsePlainly } from "../core/json.js";
import type { ModelReply } from "../core/model.js";
import { defaultShellLimits } from "../core/policy.js";
import { countParts, membersOf, type Part, type Shape, takeApart } from "../core/rawJson.js";
import { oneLine } from "../core/text.js";
import type { Decoded, HttpResponse } from "./dialect.js";
import { errorText } from "./errorText.js";
import { failed, failure, failureOfError, failureOfStatus, type Host, type ReportedError } from "./failure.js";
import { isObject, jsonOf, labelOf, type Members, stringOf } from "./parts.js";

const { replyPartsMax } = defaultShellLimits;

export type Read =
  | { readonly kind: "reply"; readonly reply: ModelReply }
  /** The provider says that it failed, in the middle of its own reply. */
  | { readonly kind: "error"; readonly error: ReportedError }
  /** The object is no reply of this dialect: why. */
  | { readonly kind: "noReply"; readonly why: string };

export const noReply = (why: string): Read => ({ kind: "noReply", why });

/** `read` gets the members of an object; `shape` says what it looks into. */
export const decodeWith =
  (host: Host, shape: Shape, read: (body: Members, model: string) => Read) =>
  (response: HttpResponse, model: string, nowMs: number): Decoded => {
    const { status, headers, body: text } = response;
    if (status < 200 || status > 299) return failureOfStatus(host, status, headers, text, nowMs);
    // Content types are not looked at: hosts and proxies get them wrong (F53).
    const body = text.trim();
    if (body === "") return notJson(host, status, "an empty body");
    const value = parsePlainly(body);
    if (value === undefined) return notJson(host, status, garbled(body));
    if (countParts(value, shape) > replyPartsMax) {
      return badReply(host, status, `it has more than ${replyPartsMax} parts`);
    }
    const whole = takeApart(body, value, shape);
    const members = membersOf(whole);
    const reported = reportedError(members.get("error"));
    if (reported !== undefined) return failureOfError(host, reported, body, status, headers, nowMs);
    const result = isObject(whole) ? read(members, model) : noReply("response is no object");
    switch (result.kind) {
      case "reply":
        return result;
      case "error": {
        // What was generated up to here is billed, so this is not tried again (spec/providers.md 7.2).
        const decoded = failureOfError(host, result.error, result.error.message, status, headers, nowMs);
        return decoded.kind === "failure" ? failed(decoded.failure, { kind: "never" }) : decoded;
      }
      case "noReply":
        return badReply(host, status, result.why);
    }
    return assertNever(result);
  };

/** The same request would fare no better. */
const badReply = (host: Host, status: number, why: string): Decoded =>
  failed(failure("badReply", `${host.title} answered ${status} without a reply: ${why}.`, status), { kind: "never" });

/** A body that was cut off or replaced on the way: the same request may fare better (spec/providers.md 9.1). */
const notJson = (host: Host, status: number, what: string): Decoded =>
  failed(failure("badReply", `${host.title} answered ${status} with ${what}.`, status), { kind: "backoff" });

const garbled = (body: string): string => {
  const what = body.startsWith("<") ? "a page instead of JSON" : "a body that is not valid JSON";
  const said = errorText(body);
  return said === "" ? what : `${what} (${oneLine(said, 200)})`;
};

/** An error object, or a text in its place; null, an empty object and an empty text report nothing. */
export const reportedError = (part: Part | undefined): ReportedError | undefined => {
  if (!isObject(part)) {
    const message = stringOf(part).trim();
    return message === "" ? undefined : { code: "", type: "", message };
  }
  const members = membersOf(part);
  if (members.size === 0) return undefined;
  const metadata = membersOf(members.get("metadata"));
  const type = stringOf(metadata.get("error_type")) || stringOf(members.get("type"));
  return { code: labelOf(members.get("code")), type, message: errorText(jsonOf(part)) };
};
