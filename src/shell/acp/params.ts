/**
 * Parameters of the methods, decoded leniently: what is not asked for is ignored, and a fault is told in one line that names
 * the member.
 */
import { type Either, left, right } from "fp-ts/lib/Either.js";
import { isJsonArray, member, type Json } from "../../core/json.js";
import { isBlank } from "../../core/text.js";

/** A string that is more than white space. */
export const requiredString = (params: Json, name: string): Either<string, string> => {
  const value = member(params, name);
  return typeof value === "string" && !isBlank(value)
    ? right(value)
    : left(`${name} must be a string that is not empty`);
};

/** Any string at all: an id is opaque, and an unknown one is told as such. */
export const anyString = (params: Json, name: string): Either<string, string> => {
  const value = member(params, name);
  return typeof value === "string" ? right(value) : left(`${name} must be a string`);
};

/** Absent and null are the empty list. */
export const optionalArray = (params: Json, name: string): Either<string, readonly Json[]> => {
  const value = member(params, name) ?? [];
  return isJsonArray(value) ? right(value) : left(`${name} must be an array`);
};

/** Absent and null are the empty string. */
export const optionalString = (params: Json, name: string): Either<string, string> => {
  const value = member(params, name) ?? "";
  return typeof value === "string" ? right(value) : left(`${name} must be a string`);
};
