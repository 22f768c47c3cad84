import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFrameReader, type Frame } from "../../../src/shell/stdio/frameReader.js";

const readAll = (chunks: readonly Uint8Array[], maxLineBytes = 1 << 20): readonly Frame[] => {
  const reader = createFrameReader(maxLineBytes);
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()];
};
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string, maxLineBytes?: number): readonly Frame[] => readAll([bytes(text)], maxLineBytes);
const line = (text: string): Frame => ({ kind: "line", text });

/** Cuts at the given places, wherever they fall. */
const cut = (whole: Uint8Array, places: readonly number[]): readonly Uint8Array[] => {
  const ends = [...new Set(places.map((place) => place % (whole.length + 1)))].toSorted((a, b) => a - b);
  return [...ends, whole.length].map((end, index) => whole.subarray(index === 0 ? 0 : ends[index - 1], end));
};

const awkwardBytes = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc
    .array(fc.constantFrom("{", "}", "é", "😀", "\r\n", "\n", "\n\n", " ", "\ufeff", "abc", "\u2028"), {
      maxLength: 30,
    })
    .map((pieces) => bytes(pieces.join(""))),
);

describe("the frame reader", () => {
  test("gives the same frames however the bytes are cut into chunks", () => {
    fc.assert(
      fc.property(awkwardBytes, fc.array(fc.nat(200)), fc.integer({ min: 1, max: 40 }), (whole, places, max) => {
        expect(readAll(cut(whole, places), max)).toEqual(readAll([whole], max));
      }),
    );
  });

  test("gives back every line that was written, in order", () => {
    const lines = fc.array(
      fc
        .string({ unit: "binary", minLength: 1 })
        .filter((text) => !/[\n\r]/u.test(text) && text.trim() !== "" && !text.startsWith("\ufeff")),
    );
    fc.assert(
      fc.property(lines, (texts) => {
        expect(read(texts.map((text) => `${text}\n`).join(""))).toEqual(texts.map(line));
      }),
    );
  });

  test("skips a byte-order mark in front of the first frame and nowhere else", () => {
    expect(read("\ufeff{}\n\ufeff{}\n")).toEqual([line("{}"), line("\ufeff{}")]);
  });

  test("skips blank lines and lets a carriage return stand for JSON to ignore", () => {
    expect(read("\n \t\n\r\n{}\r\n").map((frame) => frame.kind === "line" && frame.text.trim())).toEqual(["{}"]);
  });

  test("takes a line of exactly the limit and refuses one byte more, line end counted", () => {
    expect(read("1234567\n", 8)).toEqual([line("1234567")]);
    expect(read("12345678\n", 8)).toEqual([{ kind: "tooLong", maxLineBytes: 8 }]);
  });

  test("refuses an endless line while it still comes in, and reads nothing behind it", () => {
    const reader = createFrameReader(8);
    expect(reader.push(bytes("12345678"))).toEqual([{ kind: "tooLong", maxLineBytes: 8 }]);
    expect(reader.push(bytes("\n{}\n"))).toEqual([]);
    expect(reader.end()).toEqual([]);
  });

  test("refuses invalid UTF-8 and reads nothing behind it, but gives what came before", () => {
    expect(readAll([bytes("{}\n"), Uint8Array.of(0x7b, 0xff, 0x7d, 0x0a), bytes("{}\n")])).toEqual([
      line("{}"),
      { kind: "notUtf8" },
    ]);
  });

  test("says of a last line that it had no end", () => {
    expect(read('{}\n{"a":1}')).toEqual([line("{}"), { kind: "unterminated", text: '{"a":1}' }]);
  });
});
