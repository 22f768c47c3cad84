/**
 * Token counts of a reply. Only what is written as a plain non-negative integer that fits 64 bits counts; a fraction, an
 * exponent, a sign, a string or null is an absent figure, never a guess (`spec/providers.md` 8.1, F48). Zero is a figure.
 */
import { none, type Option, some } from "fp-ts/lib/Option.js";
import { membersOf } from "../core/rawJson.js";
import { COUNTER_MAX, type ReportedInput } from "../core/usage.js";
import type { Members } from "./parts.js";

const WHOLE = /^(?:0|[1-9][0-9]{0,19})$/;

/** The figure called `name`, which may lie in objects within each other (`a.b`). */
export const counter = (usage: Members, name: string): Option<bigint> => {
  const [first = "", ...rest] = name.split(".");
  const part = usage.get(first);
  if (part === undefined) return none;
  if (rest.length > 0) return counter(membersOf(part), rest.join("."));
  if (!WHOLE.test(part.text)) return none;
  const value = BigInt(part.text);
  return value <= COUNTER_MAX ? some(value) : none;
};

/** The first of several spellings that is there; they are the same figure, so they are never added. */
export const firstCounter = (usage: Members, ...names: readonly string[]): Option<bigint> => {
  for (const name of names) {
    const found = counter(usage, name);
    if (found._tag === "Some") return found;
  }
  return none;
};

export const inputOf = (tokens: Option<bigint>): ReportedInput =>
  tokens._tag === "Some" ? { kind: "exact", tokens: tokens.value } : { kind: "absent" };

/** The sum of those that are there; absent if none is, overflowed if it does not fit a counter. */
export const sumOf = (parts: readonly Option<bigint>[]): ReportedInput => {
  const present = parts.flatMap((part) => (part._tag === "Some" ? [part.value] : []));
  if (present.length === 0) return { kind: "absent" };
  const tokens = present.reduce((sum, part) => sum + part, 0n);
  return tokens <= COUNTER_MAX ? { kind: "exact", tokens } : { kind: "overflowed" };
};
