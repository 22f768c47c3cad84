/** Largest use first (`spec/usage.md` 4.11, D6). */
import { isNone, isSome, none, type Option } from "fp-ts/lib/Option.js";
import { addTokens } from "./counts.js";
import type { Scope, Sum } from "./scope.js";

const complete = <A>(sum: Sum<A>): Option<A> => (sum.incomplete ? none : sum.value);

/** For sorting alone: the provider's total, else input and output together, else nothing. */
export const sortValue = (scope: Scope): Option<bigint> => {
  const total = complete(scope.total);
  if (isSome(total)) return total;
  const input = complete(scope.input);
  const output = complete(scope.output);
  return isSome(input) && isSome(output) ? addTokens(input.value, output.value) : none;
};

/** Known before unknown, more before less. */
export const compareScopes = (a: Scope, b: Scope): number => {
  const [left, right] = [sortValue(a), sortValue(b)];
  if (isNone(left) || isNone(right)) return Number(isNone(left)) - Number(isNone(right));
  if (left.value === right.value) return 0;
  return left.value > right.value ? -1 : 1;
};

/**
 * By the bytes of UTF-8, which is the order of code points; JavaScript's own would put an emoji before the last of the letters.
 */
export const compareBytes = (a: string, b: string): number => {
  const [left, right] = [Array.from(a), Array.from(b)];
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const order = (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? 0);
    if (order !== 0) return order;
  }
  return left.length - right.length;
};

/** Absent ones last. */
export const compareNames = (a: Option<string>, b: Option<string>): number => {
  if (isNone(a) || isNone(b)) return Number(isNone(a)) - Number(isNone(b));
  return compareBytes(a.value, b.value);
};
