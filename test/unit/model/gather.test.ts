// A body is the same text in whatever chunks it comes, and never more than was asked for. It kills: a decoder per chunk (a character
// across two chunks), a memory that is read after it was given back, a cut that keeps a chunk too much or too little.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gather } from "../../../src/shell/model/gather.js";

const seed = Number(process.env["TURNFOLD_SEED"] ?? 20260901);

const someBytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => new Uint8Array(Buffer.from(text))),
  fc.string({ maxLength: 40 }).map((text) => new Uint8Array(Buffer.from(`\ufeff${text}`))),
);

/** The bytes cut at these places, empty chunks included. */
const chunksOf = (bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] => {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
};

const gathered = (
  chunks: readonly Uint8Array[],
  bytesMax: number,
): { readonly fits: boolean; readonly text: string } => {
  const body = gather(bytesMax);
  const fits = chunks.every((chunk) => body.add(chunk));
  return { fits, text: body.text() };
};

describe("gather", () => {
  test("gives what the platform decodes of all bytes together, however they were cut, up to the limit.", () => {
    fc.assert(
      fc.property(someBytes, fc.array(fc.nat(), { maxLength: 4 }), fc.nat({ max: 60 }), (bytes, cuts, bytesMax) => {
        const { fits, text } = gathered(chunksOf(bytes, cuts), bytesMax);
        expect(fits).toBe(bytes.length <= bytesMax);
        expect(text).toBe(new TextDecoder().decode(bytes.subarray(0, bytesMax)));
      }),
      { seed, numRuns: 5000 },
    );
  });

  test("keeps a text of many mebibytes whole, ASCII or not.", () => {
    for (const line of ["a line\n", "eine Zeile für 😀\n"]) {
      const bytes = Buffer.from(line.repeat(200_000));
      const chunks = chunksOf(
        bytes,
        Array.from({ length: 100 }, (_, index) => index * 64_000),
      );
      const body = gather(bytes.length);
      expect(chunks.every((chunk) => body.add(chunk))).toBe(true);
      expect(body.text()).toBe(bytes.toString());
      // Its memory is given back: while the reply is read there is room for what that takes.
      expect(body.text()).toBe("");
    }
  });
});
