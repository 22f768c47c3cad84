// How bytes were cut into chunks makes no difference to the lines that are seen.
import { expect, test } from "vitest";
import { createLineTap } from "../../../src/shell/ledger/lineTap.js";

const lines = (chunks: readonly Uint8Array[], max = 10): { readonly seen: string[]; readonly tooLong: number } => {
  const seen: string[] = [];
  let tooLong = 0;
  const tap = createLineTap(
    max,
    (line) => seen.push(line),
    () => (tooLong += 1),
  );
  chunks.forEach(tap);
  return { seen, tooLong };
};

const text = Buffer.from("one\n\ntwö 😀\r\n12345678901\n1234567890\nrest");
const expected = { seen: ["one", "twö 😀\r", "1234567890"], tooLong: 1 };

test.each(Array.from({ length: text.length }, (_, at) => at + 1))("in chunks of %i bytes", (size) => {
  const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.subarray(at * size, (at + 1) * size),
  );
  expect(lines(chunks)).toEqual(expected);
});

test("a line without an end takes no memory beyond the limit, and is told once", () => {
  const chunk = Buffer.alloc(1024, 0x61);
  expect(lines([...Array.from({ length: 50 }, () => chunk), Buffer.from("\nok\n")])).toEqual({
    seen: ["ok"],
    tooLong: 1,
  });
});
