/**
 * JSON text, composed and read in pieces. Encoders splice schemas, arguments and opaque data into what they send without parsing
 * them, and decoders take them from replies as they are written, so that no digit is lost on the way.
 */
import { stringifyJson } from "../core/json.js";

/** JSON text of a string, well-formed. */
export const quote = (text: string): string => stringifyJson(text);

/** JSON text of an object from names and JSON texts, in order; a member whose text is "" is left out. */
export const objectOf = (members: Iterable<readonly [string, string]>): string => {
  const written: string[] = [];
  for (const [name, value] of members) if (value !== "") written.push(`${quote(name)}:${value}`);
  return `{${written.join(",")}}`;
};

/** The same from a literal. */
export const object = (members: Readonly<Record<string, string>>): string => objectOf(Object.entries(members));

export const array = (elements: readonly string[]): string => `[${elements.join(",")}]`;

export const isObjectText = (json: string | undefined): json is string => json?.startsWith("{") === true;
export const isArrayText = (json: string | undefined): json is string => json?.startsWith("[") === true;

/** The string that a JSON text stands for; "" for every other value and for none. */
export const stringOf = (json: string | undefined): string => {
  if (json?.startsWith('"') !== true) return "";
  const value: unknown = JSON.parse(json);
  return typeof value === "string" ? value : "";
};

/** A name or id: strings as they are, a number by its digits, everything else "". */
export const labelOf = (json: string | undefined): string =>
  json !== undefined && /^-?[0-9]/.test(json) ? json : stringOf(json);
