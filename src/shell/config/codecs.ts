/**
 * From the text of an environment variable to its value. No fault ever repeats the text, which may be a secret. These are not
 * io-ts codecs: a variable is one text and never written back, and io-ts alone would be a third of what is read before
 * `initialize` is answered.
 */
import * as E from "fp-ts/lib/Either.js";

export interface Codec<A> {
  /** What is accepted, for a person. */
  readonly accepted: string;
  /** The value of a trimmed text, or its fault as the end of a sentence that begins with the text. */
  readonly parse: (text: string) => E.Either<string, A>;
}

export const codec = <A>(accepted: string, parse: Codec<A>["parse"]): Codec<A> => ({ accepted, parse });

export const text: Codec<string> = codec("any text", E.right);
export const path: Codec<string> = codec("a path", E.right);

/** Decimal digits, with a `+` if somebody wants one; `max` of 2^53 − 1 stands for no upper bound and is not mentioned. */
export const wholeNumber = (min: number, max: number): Codec<number> => {
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
  return codec(`a whole number, ${range}`, (input) => {
    if (!/^\+?\d+$/.test(input)) return E.left("is not a whole number");
    const value = Number(input);
    if (value < min) return E.left("is too small");
    return value > max ? E.left("is too large") : E.right(value);
  });
};

/** 0 is off, 1 to 255 is on; words are errors, as in the prior art. */
export const onOff: Codec<boolean> = codec("0 (off) or 1 (on)", (input) =>
  /^\+?\d+$/.test(input) && Number(input) <= 255 ? E.right(Number(input) !== 0) : E.left("is neither 0 nor 1"),
);

/** One of a few words, in any case. `spellings` are lower case. */
export const oneOf = <A>(spellings: Readonly<Record<string, A>>, accepted: string): Codec<A> =>
  codec(accepted, (input) => {
    const found = Object.entries(spellings).find(([spelling]) => spelling === input.toLowerCase());
    return found === undefined ? E.left("is not one of them") : E.right(found[1]);
  });

export const word = <A extends string>(words: readonly A[]): Codec<A> =>
  codec(words.join(", "), (input) =>
    E.fromNullable("is not one of them")(words.find((each) => each === input.toLowerCase())),
  );

/** Names between commas, trimmed, blanks dropped. */
export const commaList: Codec<readonly string[]> = codec("names separated by commas", (input) => {
  const entries = input.split(",").map((entry) => entry.trim());
  return E.right(entries.filter((entry) => entry !== ""));
});

/** What may stand in an HTTP header: visible ASCII. A line break inside a pasted key would otherwise fail every request. */
export const headerValue: Codec<string> = codec("visible ASCII characters", (input) =>
  /^[\x21-\x7e]+$/.test(input) ? E.right(input) : E.left("holds characters that no HTTP header may hold"),
);

const parseHttpUrl = (input: string): URL | undefined => {
  const url = URL.canParse(input) ? new URL(input) : undefined;
  return url?.protocol === "https:" || url?.protocol === "http:" ? url : undefined;
};

/** The base that paths are appended to; given back without trailing slashes. */
export const baseUrl: Codec<string> = codec("an http or https URL without user, query and fragment", (input) => {
  const url = parseHttpUrl(input);
  if (url === undefined) return E.left("is not an http or https URL");
  if (url.username !== "" || url.password !== "") return E.left("holds a user or password");
  return /[?#]/.test(input) ? E.left("holds a query or fragment") : E.right(input.replace(/\/+$/, ""));
});

/** `host:port` alone means `http://host:port`, as it does for curl. */
export const proxyUrl: Codec<string> = codec("an http or https URL of a proxy", (input) => {
  const url = parseHttpUrl(/^[a-z][a-z\d+.-]*:\/\//i.test(input) ? input : `http://${input}`);
  if (url === undefined) return E.left("is not an http or https URL");
  return percentDecoded(`${url.username}:${url.password}`) === undefined
    ? E.left("has a broken % in its user or password")
    : E.right(url.href);
});

/** Nothing where a `%` begins no escape. */
export const percentDecoded = (input: string): string | undefined => {
  try {
    return decodeURIComponent(input);
  } catch {
    return undefined;
  }
};
