/**
 * The source text of parts of a JSON document. Arguments and opaque data are spliced into later requests exactly as they came:
 * `1.0`, `-0`, `1e400`, the order of keys and what stands twice would not survive parsing. Made for text that `parseJson` has
 * accepted; of any other text the answer is arbitrary, but there always is one.
 */
import { endOfString } from "./json.js";

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

const skipSpace = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
};

const END_OF_SCALAR = /[,\]} \t\r\n]/g;

const endOfScalar = (text: string, start: number): number => {
  END_OF_SCALAR.lastIndex = start;
  return END_OF_SCALAR.test(text) ? END_OF_SCALAR.lastIndex - 1 : text.length;
};

const QUOTE = 0x22;
const isOpening = (code: number): boolean => code === 0x7b || code === 0x5b;
const isClosing = (code: number): boolean => code === 0x7d || code === 0x5d;

/** Index behind the value that begins at `start`. */
const endOfValue = (text: string, start: number): number => {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return endOfString(text, start);
  if (!isOpening(first)) return endOfScalar(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (isOpening(code)) depth += 1;
    else if (isClosing(code)) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
};

/** The members of an object as they are written, in order; of a name that stands twice the last. Empty for other values. */
export const rawMembers = (text: string): ReadonlyMap<string, string> => {
  const members = new Map<string, string>();
  let at = skipSpace(text, 0);
  if (text[at] !== "{") return members;
  at = skipSpace(text, at + 1);
  while (text[at] === '"') {
    const keyEnd = endOfString(text, at);
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = endOfValue(text, start);
    members.set(keyOf(text.slice(at, keyEnd)), text.slice(start, end));
    at = skipSpace(text, skipSpace(text, end) + 1);
  }
  return members;
};

const keyOf = (literal: string): string => {
  try {
    const key: unknown = JSON.parse(literal);
    return typeof key === "string" ? key : literal;
  } catch {
    return literal;
  }
};

/** The elements of an array as they are written, in order. Empty for other values. */
export const rawElements = (text: string): readonly string[] => {
  const elements: string[] = [];
  let at = skipSpace(text, 0);
  if (text[at] !== "[") return elements;
  at = skipSpace(text, at + 1);
  while (at < text.length && text[at] !== "]") {
    const end = endOfValue(text, at);
    elements.push(text.slice(at, end));
    // At least one step, so that text which is no JSON ends as well.
    at = skipSpace(text, Math.max(skipSpace(text, end), at) + 1);
  }
  return elements;
};
