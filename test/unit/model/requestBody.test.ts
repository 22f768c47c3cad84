// The body that is sent is the pieces one behind the other, whatever they hold and however large it is, with its length told
// exactly: a wrong length is a request that the server waits for, or one that runs into the next.

import { buffer } from "node:stream/consumers";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { requestBody, type RequestBody } from "../../../src/shell/model/requestBody.js";

const sent = async (body: RequestBody): Promise<Buffer> => {
  const opened = body.open();
  return opened instanceof Uint8Array ? Buffer.from(opened) : buffer(opened);
};

/** Whether the pieces arrive, with their length told; twice, since every try of a request sends its body anew. */
const arrives = async (texts: readonly string[]): Promise<boolean> => {
  const whole = Buffer.from(texts.join(""));
  const body = requestBody(texts);
  const tries = [await sent(body), await sent(body)];
  return body.bytes === whole.length && tries.every((bytes) => bytes.equals(whole));
};

test("any pieces are sent one behind the other", async () => {
  const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { minLength: 1, maxLength: 30 });
  const found = await fc.check(fc.asyncProperty(texts, arrives));
  expect(found.counterexample).toBeNull();
});

const MIB = 1024 * 1024;

test.each([
  ["a byte below one write", [MIB - 1]],
  ["exactly one write", [MIB]],
  ["a byte above", [MIB + 1]],
  ["many small pieces over several writes", Array.from({ length: 300 }, () => 10_007)],
  ["one piece larger than a write between small ones", [3, 3 * MIB, 3]],
])("a body of %s arrives whole", async (_, sizes) => {
  // Two bytes a character, so that lengths in characters and in bytes differ.
  const texts = sizes.map((bytes) => "é".repeat(Math.floor(bytes / 2)) + "x".repeat(bytes % 2));
  expect(await arrives(texts)).toBe(true);
});
