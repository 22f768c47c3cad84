// The body that is sent is the pieces one behind the other, whatever they hold and however large it is, with its length told
// exactly: a wrong length is a request that the server waits for, or one that runs into the next.

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CHUNK_BYTES, requestBody, type RequestBody } from "../../../src/shell/model/requestBody.js";

/** What a reader takes that copies each chunk before it asks for the next. */
const chunksOf = (body: RequestBody): readonly Buffer[] => {
  const opened = body.open();
  if (opened instanceof Uint8Array) return [Buffer.from(opened)];
  const chunks: Buffer[] = [];
  for (const chunk of opened) chunks.push(Buffer.from(chunk));
  return chunks;
};

const sent = (body: RequestBody): Buffer => Buffer.concat(chunksOf(body));

/** Whether the pieces arrive, with their length told; twice, since every try of a request sends its body anew. */
const arrives = (texts: readonly string[]): boolean => {
  const whole = Buffer.from(texts.join(""));
  const body = requestBody(texts);
  const tries = [sent(body), sent(body)];
  return body.bytes === whole.length && tries.every((bytes) => bytes.equals(whole));
};

test("any pieces are sent one behind the other", () => {
  const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { minLength: 1, maxLength: 30 });
  const found = fc.check(fc.property(texts, arrives));
  expect(found.counterexample).toBeNull();
});

test.each([
  ["a byte below one chunk", [CHUNK_BYTES - 1]],
  ["exactly one chunk", [CHUNK_BYTES]],
  ["a byte above", [CHUNK_BYTES + 1]],
  ["many small pieces over several chunks", Array.from({ length: 300 }, () => 10_007)],
  ["one piece larger than a chunk between small ones", [3, 3 * CHUNK_BYTES, 3]],
  ["pieces that end where a chunk does", [CHUNK_BYTES, CHUNK_BYTES, 0, 7]],
])("a body of %s arrives whole", (_, sizes) => {
  // Two bytes a character, so that lengths in characters and in bytes differ.
  const texts = sizes.map((bytes) => "é".repeat(Math.floor(bytes / 2)) + "x".repeat(bytes % 2));
  expect(arrives(texts)).toBe(true);
  expect(arrives(sizes.map((bytes) => "x".repeat(bytes)))).toBe(true);
});

// A short chunk is taken by a socket without a wait for the drain, and would be overwritten before it has left.
test("every chunk but the last is full, but for a character that does not fit", () => {
  const texts = ["x", "😀".repeat(CHUNK_BYTES / 4), "é".repeat(CHUNK_BYTES), "x".repeat(2 * CHUNK_BYTES), "y"];
  const chunks = chunksOf(requestBody(texts));
  expect(chunks.length).toBe(6);
  for (const chunk of chunks.slice(0, -1)) expect(chunk.length).toBeGreaterThan(CHUNK_BYTES - 4);
});
