/**
 * JSON text, composed of pieces. Encoders splice schemas, arguments and opaque data into what they send without parsing them, so
 * that no digit is lost on the way.
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
