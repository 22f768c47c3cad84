/**
 * Which keywords of JSON Schema a tool's schema may keep, and in which form. Everything else is left out, and each omission
 * only loosens: a keyword that limits others (`additionalProperties` without `properties`, `not`, `oneOf`) is handled where that
 * matters (`schemaNode.ts`). What stays is understood alike by every draft and taken by every provider.
 */
import { isJsonArray, type Json } from "../../core/json.js";

const TYPES: readonly string[] = ["object", "array", "string", "number", "integer", "boolean", "null"];

const isText = (value: Json | undefined): value is string => typeof value === "string";
const isFlag = (value: Json): boolean => typeof value === "boolean";
const isAnything = (): boolean => true;
const isNumber = (value: Json): boolean => typeof value === "bigint" || (typeof value === "number" && isFinite(value));
const isCount = (value: Json): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isFactor = (value: Json): boolean => isNumber(value) && Number(value) > 0;
const isChoice = (value: Json): boolean => isJsonArray(value) && value.length > 0;

/** A pattern that not even JavaScript can read would make a strict reader refuse every request. */
const isPattern = (value: Json): boolean => {
  try {
    return typeof value === "string" && RegExp(value, "u") instanceof RegExp;
  } catch {
    return false;
  }
};

/** Keywords whose value stays as it is, if it has the right form. */
const PLAIN: Readonly<Record<string, (value: Json) => boolean>> = {
  title: isText,
  description: isText,
  format: isText,
  default: isAnything,
  const: isAnything,
  examples: isJsonArray,
  enum: isChoice,
  deprecated: isFlag,
  readOnly: isFlag,
  writeOnly: isFlag,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: isFactor,
  minLength: isCount,
  maxLength: isCount,
  pattern: isPattern,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: isFlag,
  minProperties: isCount,
  maxProperties: isCount,
};

export const staysAsItIs = (keyword: string, value: Json): boolean =>
  Object.hasOwn(PLAIN, keyword) && PLAIN[keyword]?.(value) === true;

/** Words for a reader, which accept and refuse nothing. */
export const isAnnotation = (keyword: string): boolean =>
  ["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"].includes(keyword);

/** The types a node allows: undefined for all of them, which is also what a type that does not exist stands for. */
export const typesOf = (type: Json | undefined): readonly string[] | undefined => {
  const types = isJsonArray(type) ? type : [type];
  const known = types.filter(isText).filter((each) => TYPES.includes(each));
  return types.length > 0 && known.length === types.length ? [...new Set(known)] : undefined;
};

/** Names without what is no name and without repetition, or undefined if nothing is left. */
export const requiredNames = (value: Json | undefined): readonly string[] | undefined => {
  if (!isJsonArray(value)) return undefined;
  const names = [...new Set(value.filter(isText))];
  return names.length > 0 ? names : undefined;
};
