/**
 * Names of immutable plain values: equal values have equal names. What two states share is named once, so naming a state costs
 * what has changed in it.
 */
import { createHash } from "node:crypto";

const names = new WeakMap<object, string>();

const shortened = (text: string): string =>
  text.length <= 40 ? text : createHash("sha1").update(text).digest("base64");

const nameOfObject = (value: object): string => {
  const inner = Object.entries(value).map(([key, one]) => `${key}=${nameOf(one)}`);
  return shortened(`${Array.isArray(value) ? "list" : "record"}(${inner.join(";")})`);
};

export const nameOf = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return `${typeof value}:${shortened(String(value))}`;
  const known = names.get(value);
  if (known !== undefined) return known;
  const name = nameOfObject(value);
  names.set(value, name);
  return name;
};
