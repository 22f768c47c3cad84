/**
 * Building blocks of the codecs: io-ts types that are strict in both directions. A record has exactly the keys of its type, a
 * union is read by its tag, and an error names the path to the value that is wrong. The TypeScript types drive the codecs: a
 * field or a variant that is added to the vocabulary does not compile until it is added here.
 */
import { isLeft } from "fp-ts/lib/Either.js";
import { isNone, none, some, type Option } from "fp-ts/lib/Option.js";
import * as t from "io-ts";
import { COUNTER_MAX } from "../usage.js";

/** Reads JSON values, writes JSON values. */
export type Codec<A> = t.Type<A, unknown>;

/** A codec for each field of a record. */
export type Fields<A> = { readonly [K in keyof A]: Codec<A[K]> };

type Plain = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const leaf = <A>(name: string, is: (value: unknown) => value is A): Codec<A> =>
  new t.Type<A, unknown>(
    name,
    is,
    (value, context) => (is(value) ? t.success(value) : t.failure(value, context)),
    (value) => value,
  );

export const text: Codec<string> = leaf("a string", (value) => typeof value === "string");
export const flag: Codec<boolean> = leaf("true or false", (value) => typeof value === "boolean");
/** An integer that a number holds exactly. */
export const integer: Codec<number> = leaf("a safe integer", (value): value is number => Number.isSafeInteger(value));
export const finite: Codec<number> = leaf("a finite number", (value): value is number => Number.isFinite(value));

/** One of a few words. The argument has every one of them as a key, so that none can be forgotten. */
export const words = <A extends string>(all: Readonly<Record<A, true>>): Codec<A> =>
  leaf(
    `one of ${Object.keys(all).join(", ")}`,
    (value): value is A => typeof value === "string" && Object.hasOwn(all, value),
  );

const isCounter = (value: unknown): value is bigint => typeof value === "bigint" && value >= 0n && value <= COUNTER_MAX;

/** An unsigned 64-bit counter; as JSON its decimal digits in a string, since a JSON number would lose some. */
export const counter: Codec<bigint> = new t.Type<bigint, unknown>(
  "a decimal string of at most 2^64 - 1",
  isCounter,
  (value, context) => {
    if (typeof value !== "string" || !/^(?:0|[1-9][0-9]{0,19})$/.test(value)) return t.failure(value, context);
    const read = BigInt(value);
    return isCounter(read) ? t.success(read) : t.failure(value, context);
  },
  (value) => value.toString(),
);

/** None is null. Not for values that are null themselves. */
export const option = <A>(inner: Codec<A>): Codec<Option<A>> =>
  new t.Type<Option<A>, unknown>(
    `${inner.name} or null`,
    (value): value is Option<A> =>
      isPlain(value) && (value["_tag"] === "None" || (value["_tag"] === "Some" && inner.is(value["value"]))),
    (value, context) => {
      if (value === null) return t.success(none);
      const read = inner.validate(value, context);
      return isLeft(read) ? read : t.success(some(read.right));
    },
    (value) => (isNone(value) ? null : inner.encode(value.value)),
  );

/** What is left out has this value. */
export const withDefault = <A>(inner: Codec<A>, value: A): Codec<A> =>
  new t.Type<A, unknown>(
    inner.name,
    inner.is,
    (read, context) => (read === undefined ? t.success(value) : inner.validate(read, context)),
    inner.encode,
  );

export const list = <A>(inner: Codec<A>): Codec<readonly A[]> =>
  new t.Type<readonly A[], unknown>(
    "a list",
    (value): value is readonly A[] => Array.isArray(value) && value.every(inner.is),
    (value, context) => {
      if (!Array.isArray(value)) return t.failure(value, context);
      const read: A[] = [];
      const errors: t.ValidationError[] = [];
      for (const [index, item] of value.entries()) {
        const one = inner.validate(item, t.appendContext(context, String(index), inner, item));
        if (isLeft(one)) errors.push(...one.left);
        else read.push(one.right);
      }
      return errors.length > 0 ? t.failures(errors) : t.success(read);
    },
    (value) => value.map(inner.encode),
  );

/** A key of a table whose keys are data; `__proto__` is no key that anybody may set. */
const isTableKey = (key: string): boolean => key !== "__proto__";

export const table = <A>(inner: Codec<A>): Codec<Readonly<Record<string, A>>> =>
  new t.Type<Readonly<Record<string, A>>, unknown>(
    "a table",
    (value): value is Readonly<Record<string, A>> =>
      isPlain(value) && Object.entries(value).every(([key, item]) => isTableKey(key) && inner.is(item)),
    (value, context) => {
      if (!isPlain(value)) return t.failure(value, context);
      const read: Record<string, A> = {};
      const errors: t.ValidationError[] = [];
      for (const [key, item] of Object.entries(value)) {
        const at = t.appendContext(context, key, inner, item);
        const one = isTableKey(key) ? inner.validate(item, at) : t.failure<A>(item, at);
        if (isLeft(one)) errors.push(...one.left);
        else read[key] = one.right;
      }
      return errors.length > 0 ? t.failures(errors) : t.success(read);
    },
    (value) => Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inner.encode(item)])),
  );

/** A string or a number, for the fields of a log line. */
export const textOrFinite: Codec<string | number> = leaf(
  "a string or a finite number",
  (value): value is string | number => text.is(value) || finite.is(value),
);

const noSuchKey = (fields: Fields<Plain>): Codec<unknown> =>
  leaf(`no such key, only ${Object.keys(fields).join(", ")}`, (value): value is unknown => value === undefined);

/** Exactly the given keys, `extra` beside them (the tag of a union, already judged). */
const validateFields = (
  fields: Fields<Plain>,
  value: Plain,
  extra: string,
  context: t.Context,
): t.Validation<Plain> => {
  const read: Record<string, unknown> = {};
  const errors: t.ValidationError[] = [];
  for (const [key, codec] of Object.entries(fields)) {
    const one = codec.validate(value[key], t.appendContext(context, key, codec, value[key]));
    if (isLeft(one)) errors.push(...one.left);
    else read[key] = one.right;
  }
  for (const key of Object.keys(value)) {
    if (key === extra || Object.hasOwn(fields, key)) continue;
    errors.push({ value: value[key], context: t.appendContext(context, key, noSuchKey(fields), value[key]) });
  }
  return errors.length > 0 ? t.failures(errors) : t.success(read);
};

const hasFields = (fields: Fields<Plain>, value: Plain): boolean =>
  Object.entries(fields).every(([key, codec]) => codec.is(value[key]));

const encodeFields = (fields: Fields<Plain>, value: Plain): Plain =>
  Object.fromEntries(Object.entries(fields).map(([key, codec]) => [key, codec.encode(value[key])]));

/** Codecs cannot be compared by type once their record is seen as a table of unknowns; this is the one place that says so. */
const asPlain = <A>(fields: Fields<A>): Fields<Plain> => fields as unknown as Fields<Plain>;

/** A record with exactly the keys of `A`. */
export const struct = <A extends object>(name: string, fields: Fields<A>): Codec<A> => {
  const plain = asPlain(fields);
  return new t.Type<A, unknown>(
    name,
    (value): value is A => isPlain(value) && hasFields(plain, value),
    (value, context) =>
      isPlain(value) ? (validateFields(plain, value, "", context) as t.Validation<A>) : t.failure(value, context),
    (value) => encodeFields(plain, value as unknown as Plain),
  );
};

/** Codecs for the fields of each variant of `A` beside its tag. */
export type Variants<A, Tag extends keyof A> = {
  readonly [V in A[Tag] & string]: Fields<Omit<Extract<A, Readonly<Record<Tag, V>>>, Tag>>;
};

/** A union that is told apart by `tag`. */
export const tagged = <A extends object, Tag extends keyof A & string>(
  name: string,
  tag: Tag,
  variants: Variants<A, Tag>,
): Codec<A> => {
  const byTag = variants as unknown as Readonly<Record<string, Fields<Plain>>>;
  const variantOf = (value: unknown): Fields<Plain> | undefined => {
    if (!isPlain(value)) return undefined;
    const word = value[tag];
    return typeof word === "string" && Object.hasOwn(byTag, word) ? byTag[word] : undefined;
  };
  const tagCodec = leaf(`one of ${Object.keys(byTag).join(", ")}`, text.is);
  return new t.Type<A, unknown>(
    name,
    (value): value is A => {
      const fields = variantOf(value);
      return fields !== undefined && hasFields(fields, value as Plain);
    },
    (value, context) => {
      if (!isPlain(value)) return t.failure(value, context);
      const fields = variantOf(value);
      if (fields === undefined) return t.failure(value[tag], t.appendContext(context, tag, tagCodec, value[tag]));
      const read = validateFields(fields, value, tag, context);
      return isLeft(read) ? read : t.success({ [tag]: value[tag], ...read.right } as A);
    },
    (value) => {
      const plain = value as unknown as Plain;
      return { [tag]: plain[tag], ...encodeFields(variantOf(value) ?? {}, plain) };
    },
  );
};
