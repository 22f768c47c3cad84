/**
 * JSON without loss. An integer that a double cannot hold exactly becomes a `bigint`; everything else is as `JSON.parse` has
 * it, what is accepted and refused included. Both directions are total: errors are values, and no depth of nesting overflows
 * the stack.
 *
 * How: `JSON.parse` does the work. Only a document with a long run of digits is rewritten first, and only its unsafe integers
 * outside strings are replaced, by strings that begin with a mark; one walk over the parsed value turns them into integers. A
 * string of the document that begins with the mark itself gets a second one, so nothing can be mistaken for a number.
 */
import { type Either, left, right } from "fp-ts/lib/Either.js";

export type Json = null | boolean | number | bigint | string | JsonArray | JsonObject;
export type JsonArray = readonly Json[];
export interface JsonObject {
  readonly [key: string]: Json;
}

type Container = Json[] | { [key: string]: Json };

/** The shortest unsafe integer has sixteen digits. */
const UNSAFE_DIGITS = 16;

const isDigit = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
};

/**
 * Whether the text has a run of digits that an unsafe integer could be; inside strings as well, which only costs the rewrite.
 * Every such run covers one of the places that are a run's length apart, so only those are looked at.
 */
const hasLongDigits = (text: string): boolean => {
  for (let at = UNSAFE_DIGITS - 1; at < text.length; at += UNSAFE_DIGITS) {
    if (!isDigit(text, at)) continue;
    let start = at;
    let end = at + 1;
    while (isDigit(text, start - 1)) start -= 1;
    while (isDigit(text, end)) end += 1;
    if (end - start >= UNSAFE_DIGITS) return true;
  }
  return false;
};

/**
 * An integer literal of sixteen digits or more: no part of a longer literal, no leading zero, and not before a colon, where a
 * string would be accepted and a number must not be.
 */
const LONG_INTEGER = /(?<![0-9.eE+-])-?[1-9][0-9]{15,}(?![0-9.eE]|[ \t\r\n]*:)/g;

/** DELETE: may stand in a JSON string as it is, and can be written as an escape in two ways only. */
const MARK = "\u007f";
const startsWithMark = (text: string, at: number): boolean =>
  text.startsWith(MARK, at) || text.startsWith("\\u007f", at) || text.startsWith("\\u007F", at);

/** The parsed document, or one line of what is wrong with it. */
export const parseJson = (text: string): Either<string, Json> => {
  try {
    const rewritten = hasLongDigits(text) ? markIntegers(text) : text;
    const value = JSON.parse(rewritten) as Json;
    return right(rewritten === text ? value : unmark(value));
  } catch {
    return left(parseFault(text));
  }
};

/** What `JSON.parse` has of it, integers beyond 2^53 included; undefined where `parseJson` would have no value. */
export const parsePlainly = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};

/** Whether `parseJson` would have a value of it. Where only that is asked, nothing has to be kept exact. */
export const isJson = (text: string): boolean => parsePlainly(text) !== undefined;

/** The message for the document as it was written: the rewritten one is refused exactly when the original is. */
const parseFault = (text: string): string => {
  try {
    JSON.parse(text);
    return "not valid JSON";
  } catch (fault) {
    return fault instanceof Error ? fault.message : "not valid JSON";
  }
};

const markIntegers = (text: string): string => {
  const pieces: string[] = [];
  let kept = 0;
  let at = 0;
  for (;;) {
    const open = text.indexOf('"', at);
    const end = open < 0 ? text.length : open;
    if (end - at >= UNSAFE_DIGITS) {
      pieces.push(text.slice(kept, at), text.slice(at, end).replace(LONG_INTEGER, markInteger));
      kept = end;
    }
    if (open < 0) break;
    const close = endOfString(text, open);
    if (startsWithMark(text, open + 1) && !isKey(text, close)) {
      pieces.push(text.slice(kept, open + 1), MARK);
      kept = open + 1;
    }
    at = close;
  }
  pieces.push(text.slice(kept));
  return pieces.join("");
};

const markInteger = (literal: string): string =>
  Number.isSafeInteger(Number(literal)) ? literal : `"${MARK}${literal}"`;

/** Index behind the closing quote of the string that opens at `open`; the end of the text if it is not closed. */
export const endOfString = (text: string, open: number): number => {
  for (let close = text.indexOf('"', open + 1); close >= 0; close = text.indexOf('"', close + 1)) {
    let backslashes = 0;
    while (text[close - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return close + 1;
  }
  return text.length;
};

const isKey = (text: string, end: number): boolean => {
  let at = end;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at += 1;
  return text[at] === ":";
};

/** `unmark` is the only writer, and it holds the only reference. */
const isContainer = (value: Json | undefined): value is Container => typeof value === "object" && value !== null;

/** Replaces marked strings in a value that nobody else holds yet. */
const unmark = (root: Json): Json => {
  const holder: Json[] = [root];
  const open: Container[] = [holder];
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    if (Array.isArray(container)) {
      for (let index = 0; index < container.length; index += 1) {
        const value = container[index];
        if (typeof value === "string" && value.startsWith(MARK)) container[index] = unmarked(value);
        else if (isContainer(value)) open.push(value);
      }
    } else {
      // Every key is an own one, `__proto__` included, so that reading and writing never reach the prototype.
      for (const key of Object.keys(container)) {
        const value = container[key];
        if (typeof value === "string" && value.startsWith(MARK)) container[key] = unmarked(value);
        else if (isContainer(value)) open.push(value);
      }
    }
  }
  return holder[0] ?? null;
};

const unmarked = (value: string): Json => (value.startsWith(MARK, 1) ? value.slice(1) : BigInt(value.slice(1)));

/**
 * JSON text of a value: a `bigint` as a bare integer, a number that JSON has no literal for as `null`, a lone surrogate as
 * U+FFFD, since strict readers refuse its escape.
 */
export const stringifyJson = (value: Json): string => {
  try {
    return withoutLoneSurrogates(JSON.stringify(value));
  } catch {
    // A bigint somewhere, or nesting that is deeper than the stack.
    return withoutLoneSurrogates(stringifySlowly(value));
  }
};

type Work = { readonly text: string } | { readonly value: Json };

const stringifySlowly = (root: Json): string => {
  const out: string[] = [];
  const work: Work[] = [{ value: root }];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    if ("text" in next) out.push(next.text);
    else if (isJsonArray(next.value)) pushArray(work, next.value);
    else if (isJsonObject(next.value)) pushObject(work, next.value);
    else out.push(typeof next.value === "bigint" ? next.value.toString() : JSON.stringify(next.value));
  }
  return out.join("");
};

const pushArray = (work: Work[], array: JsonArray): void => {
  work.push({ text: "]" });
  for (let index = array.length - 1; index >= 0; index -= 1) {
    work.push({ value: array[index] ?? null });
    if (index > 0) work.push({ text: "," });
  }
  work.push({ text: "[" });
};

const pushObject = (work: Work[], object: JsonObject): void => {
  const entries = Object.entries(object);
  work.push({ text: "}" });
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const [key, value] = entries[index] ?? ["", null];
    work.push({ value }, { text: `${index > 0 ? "," : ""}${JSON.stringify(key)}:` });
  }
  work.push({ text: "{" });
};

/** A pair of surrogate escapes, a lone one, or any other escape (so that an escaped backslash is passed over whole). */
const ESCAPE = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)/gs;

/** JSON text in which every escape of a lone surrogate is one of U+FFFD. The text itself must be well-formed. */
export const withoutLoneSurrogates = (json: string): string =>
  /\\u[dD][89a-fA-F]/.test(json)
    ? json.replace(ESCAPE, (escape: string, lone: string | undefined) => (lone === undefined ? escape : "\\ufffd"))
    : json;

export const isJsonArray = (value: Json | undefined): value is JsonArray => Array.isArray(value);

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An own member, whatever it is called: `constructor` of `{}` is absent. */
export const member = (value: Json | undefined, key: string): Json | undefined =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
