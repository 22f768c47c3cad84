/**
 * Parts of a JSON document, as they mean and as they are written. Arguments and opaque data are spliced into later requests exactly
 * as they came: `1.0`, `-0`, `1e400`, the order of keys and what stands twice would not survive parsing. Made for text that
 * `parseJson` has accepted; of any other text the answer is arbitrary, but there always is one.
 *
 * A value's end is only found by going through it, so `takeApart` is told beforehand what to open: then all of a reply, which may
 * have 16 MiB, is gone through once. What it was not told to open is opened when somebody asks for what is inside.
 */
import { endOfString, isJsonArray, isJsonObject, type Json, member } from "./json.js";

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

const skipSpace = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
};

const skipComma = (text: string, from: number): number => {
  const at = skipSpace(text, from);
  return text[at] === "," ? skipSpace(text, at + 1) : at;
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

/** What is to be opened of a value, if it is an object or an array at all. */
export type Shape =
  | { readonly kind: "whole" }
  | { readonly kind: "object"; readonly members: ReadonlyMap<string, Shape> }
  | { readonly kind: "array"; readonly elements: Shape };

const WHOLE: Shape = { kind: "whole" };

/** An object, of whose members some are opened as well. */
export const objectWith = (members: Readonly<Record<string, Shape>> = {}): Shape => ({
  kind: "object",
  members: new Map(Object.entries(members)),
});

/** An array, of whose elements each is opened in the same way. */
export const arrayOf = (elements: Shape = WHOLE): Shape => ({ kind: "array", elements });

interface Written {
  readonly text: string;
  /** As `JSON.parse` has it; undefined where there was only the text. */
  readonly value: Json | undefined;
}
/** Of a name that stands twice the last, as in `value`. */
type ObjectPart = Written & { readonly kind: "object"; readonly members: ReadonlyMap<string, Part> };
type ArrayPart = Written & { readonly kind: "array"; readonly elements: readonly Part[] };
export type Part = (Written & { readonly kind: "whole" }) | ObjectPart | ArrayPart;

/** How many members and elements `takeApart` would make parts of, each of which takes many times the memory of its text. */
export const countParts = (value: Json | undefined, shape: Shape): number => {
  if (shape.kind === "object" && isJsonObject(value)) {
    const inner = [...shape.members].map(([name, of]) => countParts(member(value, name), of));
    return inner.reduce((a, b) => a + b, Object.keys(value).length);
  }
  if (shape.kind === "array" && isJsonArray(value)) {
    return value.reduce<number>((sum, element) => sum + countParts(element, shape.elements), value.length);
  }
  return 0;
};

/** `value`: of the same text. */
export const takeApart = (text: string, value: Json | undefined, shape: Shape): Part =>
  partAt(text, skipSpace(text, 0), value, shape);

const partAt = (text: string, start: number, value: Json | undefined, shape: Shape): Part => {
  if (shape.kind === "object" && text[start] === "{") return objectAt(text, start, value, shape.members);
  if (shape.kind === "array" && text[start] === "[") return arrayAt(text, start, value, shape.elements);
  return { kind: "whole", text: text.slice(start, endOfValue(text, start)), value };
};

const objectAt = (
  text: string,
  start: number,
  value: Json | undefined,
  shapes: ReadonlyMap<string, Shape>,
): ObjectPart => {
  const members = new Map<string, Part>();
  let at = skipSpace(text, start + 1);
  while (text[at] === '"') {
    const keyEnd = endOfString(text, at);
    const key = keyOf(text.slice(at, keyEnd));
    const from = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const part = partAt(text, from, member(value, key), shapes.get(key) ?? WHOLE);
    members.set(key, part);
    at = skipComma(text, from + part.text.length);
  }
  return { kind: "object", text: text.slice(start, at + 1), value, members };
};

const keyOf = (literal: string): string => {
  try {
    const key: unknown = JSON.parse(literal);
    return typeof key === "string" ? key : literal;
  } catch {
    return literal;
  }
};

const arrayAt = (text: string, start: number, value: Json | undefined, shape: Shape): ArrayPart => {
  const values = isJsonArray(value) ? value : [];
  const elements: Part[] = [];
  let at = skipSpace(text, start + 1);
  while (at < text.length && text[at] !== "]") {
    const part = partAt(text, at, values[elements.length], shape);
    elements.push(part);
    // At least one step, so that text which is no JSON ends as well.
    at = skipComma(text, at + Math.max(part.text.length, 1));
  }
  return { kind: "array", text: text.slice(start, at + 1), value, elements };
};

const OBJECT = objectWith();
const ARRAY = arrayOf();
const NO_MEMBERS: ReadonlyMap<string, Part> = new Map();

/** The members of an object, in order. Empty for other values and for none. */
export const membersOf = (part: Part | undefined): ReadonlyMap<string, Part> => {
  const opened = part?.kind === "whole" ? partAt(part.text, 0, part.value, OBJECT) : part;
  return opened?.kind === "object" ? opened.members : NO_MEMBERS;
};

/** The elements of an array, in order. Empty for other values and for none. */
export const elementsOf = (part: Part | undefined): readonly Part[] => {
  const opened = part?.kind === "whole" ? partAt(part.text, 0, part.value, ARRAY) : part;
  return opened?.kind === "array" ? opened.elements : [];
};

/** The same of a text alone, as texts. */
export const rawMembers = (text: string): ReadonlyMap<string, string> =>
  new Map([...membersOf(takeApart(text, undefined, OBJECT))].map(([name, part]) => [name, part.text]));

export const rawElements = (text: string): readonly string[] =>
  elementsOf(takeApart(text, undefined, ARRAY)).map((part) => part.text);
