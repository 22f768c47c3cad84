/** Figures out of JSON. Absent and null are the same: unknown. Of anything that is no such figure the reader says what it is. */
import { type Either, left, right } from "fp-ts/lib/Either.js";
import { none, some, type Option } from "fp-ts/lib/Option.js";
import { member, type Json } from "../core/json.js";
import { COUNTER_MAX } from "../core/usage.js";

/** A counter: an integer from 0 to 2^64 − 1 that came without loss. */
export const readTokens = (object: Json | undefined, key: string): Either<string, Option<bigint>> => {
  const value = member(object, key);
  if (value === undefined || value === null) return right(none);
  const tokens = typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  return typeof tokens === "bigint" && tokens >= 0n && tokens <= COUNTER_MAX
    ? right(some(tokens))
    : left(`${key} is no integer from 0 to 2^64 - 1`);
};

/** A number of any sign and size; whoever uses it judges that. An integer too large for a double is rounded: cost is a double. */
export const readNumber = (object: Json | undefined, key: string): Either<string, Option<number>> => {
  const value = member(object, key);
  if (value === undefined || value === null) return right(none);
  const number = typeof value === "bigint" ? Number(value) : value;
  return typeof number === "number" ? right(some(number)) : left(`${key} is no number`);
};

/** A cost that can be one: finite and not negative. */
export const isCost = (amount: number): boolean => Number.isFinite(amount) && amount >= 0;

/** A string; whatever else stands there is as good as nothing. */
export const readText = (object: Json | undefined, key: string): Option<string> => {
  const value = member(object, key);
  return typeof value === "string" ? some(value) : none;
};
