/** What an error body says, as one line for a person: a total function of any text (F52, F53). */
import { isLeft } from "fp-ts/lib/Either.js";
import { isJsonArray, isJsonObject, type Json, member, parseJson } from "../core/json.js";
import { SHELL_LIMITS } from "../core/policy.js";
import { oneLine } from "../core/text.js";

/** Of a page of any length no more than this is looked at; characters. */
const LOOKED_AT = 16_384;

/** Where hosts put their message, the more telling place first. */
const MESSAGE_MEMBERS = ["error", "message", "detail", "msg", "errors", "error_description", "error_message"];

/** "" when the body says nothing. */
export const errorText = (body: string): string => {
  const parsed = parseJson(body);
  const said = isLeft(parsed) ? "" : messageIn(parsed.right, 4);
  return oneLine(said === "" ? withoutTags(body.slice(0, LOOKED_AT)) : said, SHELL_LIMITS.errorTextBytesMax.default);
};

/** `depth` bounds the search: nobody nests a message deeper than a few objects. */
const messageIn = (value: Json | undefined, depth: number): string => {
  if (typeof value === "string") return value.trim();
  if (depth === 0) return "";
  if (isJsonArray(value)) return messageIn(value[0], depth - 1);
  if (!isJsonObject(value)) return "";
  for (const name of MESSAGE_MEMBERS) {
    const said = messageIn(member(value, name), depth - 1);
    if (said !== "") return withUpstream(said, member(member(value, "metadata"), "raw"));
  }
  return "";
};

/** A router says that its provider failed, and beside it what that provider said. */
const withUpstream = (said: string, raw: Json | undefined): string =>
  typeof raw === "string" && raw.trim() !== "" ? `${said}: ${raw.trim()}` : said;

const withoutTags = (text: string): string =>
  /<[a-z!/]/i.test(text)
    ? text.replace(/<(script|style)\b[\s\S]*?(?:<\/\1>|$)/gi, " ").replace(/<[^<>]*(?:>|$)/g, " ")
    : text;
