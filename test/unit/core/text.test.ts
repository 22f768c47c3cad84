import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  clampText,
  elideMiddle,
  headBytes,
  isBlank,
  oneLine,
  quoteLines,
  tailBytes,
  utf8Bytes,
  wellFormed,
} from "../../../src/core/text.js";

/** Any UTF-16: text, emoji, lone surrogates, control characters. */
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 400 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 }).map((units) => String.fromCharCode(...units)),
  fc
    .array(fc.constantFrom("\ud83d", "\ude00", "é", "漢", "a", "\u2028", "\n", "\r"), { maxLength: 300 })
    .map((parts) => parts.join("")),
);
const budget = fc.oneof(fc.integer({ min: -5, max: 20 }), fc.integer({ min: 0, max: 600 }));
const real = (text: string): number => Buffer.byteLength(text, "utf8");
const isWellFormed = (text: string): boolean => Buffer.from(text, "utf8").toString("utf8") === text;

describe("text", () => {
  // Long texts are counted by the runtime's encoder, a buffer at a time: a pair, or half of one, on the edge of a buffer counts once.
  test("measures long texts with any character on any edge", () => {
    for (const unit of ["a", "é", "€", "😀", "\ud83d", "\ude00"]) {
      for (let pad = 0; pad < 8; pad += 1) {
        const text = "x".repeat(pad) + unit.repeat(20_000);
        expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
      }
    }
  });

  test("is measured in the bytes that an encoder writes", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(utf8Bytes(text)).toBe(real(text));
      }),
    );
  });

  test("is made well-formed once and for all, and stays itself when it is", () => {
    fc.assert(
      fc.property(
        anyText,
        (text) => isWellFormed(wellFormed(text)) && wellFormed(wellFormed(text)) === wellFormed(text),
      ),
    );
    expect(wellFormed("a\ud83db")).toBe("a\ufffdb");
    expect(wellFormed("\ud83d\ude00")).toBe("\ud83d\ude00");
  });

  test("cut to any budget is well-formed and within it", () => {
    fc.assert(
      fc.property(anyText, budget, (text, max) => {
        for (const cut of [
          headBytes(text, max),
          tailBytes(text, max),
          clampText(text, max, "[cut]"),
          elideMiddle(text, max, "x"),
        ]) {
          expect(isWellFormed(cut)).toBe(true);
          expect(real(cut)).toBeLessThanOrEqual(Math.max(0, max));
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("head and tail are the longest that fit", () => {
    fc.assert(
      fc.property(anyText, budget, (raw, max) => {
        const text = wellFormed(raw);
        const points = Array.from(text);
        const sizes = points.map(real);
        const fits = (count: number, from: readonly number[]): boolean =>
          from.slice(0, count).reduce((a, b) => a + b, 0) <= max;
        const longest = (from: readonly number[]): number =>
          Math.max(0, ...from.map((_, index) => (fits(index + 1, from) ? index + 1 : 0)));
        expect(headBytes(text, max)).toBe(points.slice(0, longest(sizes)).join(""));
        expect(tailBytes(text, max)).toBe(points.slice(points.length - longest(sizes.toReversed())).join(""));
      }),
      { numRuns: 2000 },
    );
  });

  test("that fits is left as it is", () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const text = wellFormed(raw);
        expect(elideMiddle(text, real(text), "x")).toBe(text);
        expect(clampText(text, real(text), "[cut]")).toBe(text);
      }),
    );
  });

  test("that is elided says how many bytes are missing", () => {
    const text = "a".repeat(1000);
    const cut = elideMiddle(text, 328, "tool result");
    expect(cut).toBe(`${"a".repeat(100)}\n[... 800 of 1000 bytes elided from tool result ...]\n${"a".repeat(100)}`);
  });

  test("quoted has a bar at the beginning of every line, whatever breaks lines in it", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const line of quoteLines(text).split(/[\n\r\v\f\u0085\u2028\u2029]/u))
          expect(line.startsWith("| ")).toBe(true);
      }),
    );
    expect(quoteLines("[x]\r\n[y]\u2028[z]")).toBe("| [x]\n| [y]\n| [z]");
  });

  test("on one line has no break and no control character", () => {
    fc.assert(fc.property(anyText, budget, (text, max) => !/[\p{Cc}\u2028\u2029]/u.test(oneLine(text, max))));
    expect(oneLine("  a\n\tb\u0000c ", 99)).toBe("a b c");
  });

  test("is empty when there is nothing but white space in it", () => {
    expect(["", " ", "\n\t\u00a0\u3000\ufeff"].every(isBlank)).toBe(true);
    expect(isBlank("\u200b.")).toBe(false);
  });
});
