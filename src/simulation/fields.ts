/** Codecs of the values in a scenario, beside those that the core has: with defaults, with ranges, with a reason. */
import { isRight } from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import { list, tagged, withDefault, type Codec } from "../core/codec/basics.js";
import type { Distribution } from "./distribution.js";

/** A number with a condition; `name` says what is accepted. */
const number = (name: string, holds: (value: number) => boolean): Codec<number> => {
  const is = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && holds(value);
  return new t.Type<number, unknown>(
    name,
    is,
    (value, context) => (is(value) ? t.success(value) : t.failure(value, context)),
    (value) => value,
  );
};

export const rate = number("a probability from 0 to 1", (value) => value >= 0 && value <= 1);
export const amount = number("a number of at least 0", (value) => value >= 0);
export const positive = number("a number above 0", (value) => value > 0);
export const whole = (min: number, max: number): Codec<number> =>
  number(
    max === Number.MAX_SAFE_INTEGER ? `an integer of at least ${min}` : `an integer from ${min} to ${max}`,
    (value) => Number.isSafeInteger(value) && value >= min && value <= max,
  );

/** A record whose fields all have defaults, and which may therefore be left out itself. */
export const withDefaults = <A>(inner: Codec<A>): Codec<A> =>
  new t.Type<A, unknown>(
    inner.name,
    inner.is,
    (read, context) => inner.validate(read === undefined ? {} : read, context),
    inner.encode,
  );

/** What is wrong with a value whose fields are right one by one. */
export interface Mismatch {
  readonly key: string;
  readonly value: unknown;
  readonly accepted: string;
}

const named = (name: string): t.Mixed => new t.Type<unknown>(name, t.unknown.is, t.unknown.validate, t.identity);

/** Judges fields against each other; the error names the field that has to give way. */
export const agreeing = <A>(inner: Codec<A>, mismatch: (value: A) => Mismatch | undefined): Codec<A> =>
  new t.Type<A, unknown>(
    inner.name,
    (value): value is A => inner.is(value) && mismatch(value) === undefined,
    (read, context) => {
      const decoded = inner.validate(read, context);
      const found = isRight(decoded) ? mismatch(decoded.right) : undefined;
      return found === undefined
        ? decoded
        : t.failure(found.value, t.appendContext(context, found.key, named(found.accepted), found.value));
    },
    inner.encode,
  );

const written = tagged<Distribution, "kind">("a distribution", "kind", {
  constant: { value: amount },
  uniform: { min: amount, max: amount },
  normal: { mean: amount, sd: amount },
  logNormal: { median: positive, sigma: amount },
  empirical: { values: list(amount) },
});

const impossible = (distribution: Distribution): Mismatch | undefined => {
  if (distribution.kind === "uniform" && distribution.max < distribution.min) {
    return { key: "max", value: distribution.max, accepted: `a number of at least min, which is ${distribution.min}` };
  }
  if (distribution.kind === "empirical" && distribution.values.length === 0) {
    return { key: "values", value: distribution.values, accepted: "a list of at least one number" };
  }
  return undefined;
};

const full = agreeing(written, impossible);

/** A number is a constant. */
export const distribution: Codec<Distribution> = new t.Type<Distribution, unknown>(
  "a number of at least 0, or a distribution",
  full.is,
  (read, context) =>
    typeof read === "number"
      ? amount.is(read)
        ? t.success<Distribution>({ kind: "constant", value: read })
        : t.failure(read, context)
      : full.validate(read, context),
  (value) => (value.kind === "constant" ? value.value : full.encode(value)),
);

/** The distribution, with a constant for what is left out. */
export const orConstant = (value: number): Codec<Distribution> =>
  withDefault(distribution, { kind: "constant", value });
