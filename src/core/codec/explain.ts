/**
 * What is wrong with a value that did not decode, in words. io-ts's own PathReporter throws on bigint and on cyclic values, so
 * this one shows values itself: short, and never whole.
 */
import type * as t from "io-ts";

const shownCharsMax = 40;
const errorsMax = 5;

const clip = (text: string): string => (text.length > shownCharsMax ? `${text.slice(0, shownCharsMax)}...` : text);

const show = (value: unknown): string => {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (typeof value === "string") return JSON.stringify(clip(value));
  if (typeof value === "bigint") return `${clip(value.toString())}n`;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return `a value of type ${typeof value}`;
};

const path = (context: t.Context): string =>
  context.map(({ key, type }, depth) => (depth === 0 ? type.name : key)).join(".");

const line = (error: t.ValidationError): string => {
  const expected = error.context.at(-1)?.type.name ?? "something else";
  return `${path(error.context)}: expected ${expected}, got ${show(error.value)}`;
};

/** One line: path, expectation and value of the first few errors. */
export const explain = (errors: t.Errors): string => {
  const more = errors.length > errorsMax ? [`and ${errors.length - errorsMax} more`] : [];
  return [...errors.slice(0, errorsMax).map(line), ...more].join("; ");
};
