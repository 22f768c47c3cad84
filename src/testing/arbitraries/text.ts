/** Texts: short and long, blank, and any UTF-16 whatever, lone surrogates included. */
import * as fc from "fast-check";

export const word: fc.Arbitrary<string> = fc.constantFrom(
  "go on",
  "read it",
  "done",
  "héllo",
  "日本",
  "🙂",
  "a\nb",
  "<end>",
);

const blank: fc.Arbitrary<string> = fc.constantFrom("", " ", "\n\t ", "\u00a0\u2028");

const utf16: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd7ff, max: 0xe000 })), { maxLength: 6 })
  .map((units) => String.fromCharCode(...units));

/** Up to some thousand bytes: what fills histories and windows. */
const long: fc.Arbitrary<string> = fc
  .tuple(word, fc.integer({ min: 50, max: 600 }))
  .map(([unit, times]) => unit.repeat(times));

export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 2, arbitrary: long },
  { weight: 1, arbitrary: blank },
  { weight: 1, arbitrary: utf16 },
);

export const filledText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: word },
  { weight: 1, arbitrary: long },
);
