import { describe, expect, test } from "vitest";
import { type Json, stringifyJson } from "../../../src/core/json.js";
import { lineReader } from "../../../src/shell/mcp/lines.js";
import { readLine } from "../../../src/shell/mcp/message.js";
import { fc, runs } from "./fastCheck.js";

const read = (
  bytes: Buffer,
  cuts: readonly number[],
  bytesMax = 1000,
): { lines: string[]; tooLong: number; pending: number } => {
  const lines: string[] = [];
  let tooLong = 0;
  const reader = lineReader(
    bytesMax,
    (line) => lines.push(line),
    () => (tooLong += 1),
  );
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((one, other) => one - other);
  let at = 0;
  for (const end of [...ends, bytes.length]) {
    reader.push(bytes.subarray(at, end));
    at = end;
  }
  return { lines, tooLong, pending: reader.pending() };
};

describe("Lines of a server", () => {
  test("Come out alike however the bytes are cut into chunks.", () => {
    const text = fc.array(fc.string({ unit: "grapheme" }).map((line) => line.replace(/[\n\r\uFEFF]/g, "")));
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 10 }), fc.constantFrom("\n", "\r\n"), (lines, cuts, end) => {
        const bytes = Buffer.from(lines.map((line) => line + end).join(""));
        expect(read(bytes, cuts, 10_000)).toEqual({ lines, tooLong: 0, pending: 0 });
      }),
      runs,
    );
  });

  test("A byte-order mark is taken from the first line only; a rest without line end is no line (F63).", () => {
    expect(read(Buffer.from("\uFEFFa\n\uFEFFb\nrest"), [1, 4, 9])).toEqual({
      lines: ["a", "\uFEFFb"],
      tooLong: 0,
      pending: 4,
    });
  });

  test("A line of exactly the limit passes; one byte more is reported once, and nothing is read after it.", () => {
    const exact = `${"x".repeat(10)}\n`;
    expect(read(Buffer.from(exact), [], 10).lines).toEqual(["x".repeat(10)]);
    expect(read(Buffer.from(`ok\n${"x".repeat(11)}\nlater\n`), [5, 9], 10)).toMatchObject({
      lines: ["ok"],
      tooLong: 1,
    });
    expect(read(Buffer.from("y".repeat(100)), [11, 20, 30], 10)).toMatchObject({ lines: [], tooLong: 1 });
  });

  // The SDK's transport joins its buffer anew with every chunk: 9 MB took half a second, 64 MB half a minute.
  test("A long line costs its length, not its square.", () => {
    const chunk = Buffer.alloc(16 * 1024, "x");
    const lengths: number[] = [];
    const reader = lineReader(
      2 ** 27,
      (line) => lengths.push(line.length),
      () => lengths.push(-1),
    );
    const at = performance.now();
    for (let n = 0; n < 4096; n += 1) reader.push(chunk);
    reader.push(Buffer.from("\n"));
    expect(lengths).toEqual([2 ** 26]);
    expect(performance.now() - at).toBeLessThan(2000);
  });
});

const answerOf = (line: string): unknown => {
  const read = readLine(line, (text) => text);
  return read.kind === "noise" ? "noise" : read.message;
};

describe("A line of a server", () => {
  test.each([
    "",
    "Starting...",
    "{",
    "42",
    "null",
    "[]",
    '[{"jsonrpc":"2.0","id":1,"result":{}}]',
    "{}",
    '{"jsonrpc":"1.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","id":null,"result":{}}',
    '{"jsonrpc":"2.0","id":{},"result":{}}',
    '{"jsonrpc":"2.0","method":7}',
  ])("is noise if it is no JSON-RPC: %s (F72)", (line) => {
    expect(answerOf(line)).toBe("noise");
  });

  test("that answers wrongly becomes an error answer to the same call, which would otherwise wait for ever.", () => {
    for (const wrong of ['"result":"done"', '"result":null', '"result":[1]', '"x":1', '"error":"no"']) {
      expect(answerOf(`{"jsonrpc":"2.0","id":7,${wrong}}`)).toMatchObject({ id: 7, error: { code: -32603 } });
    }
  });

  // A walk by recursion would end in a stack overflow, and the call would wait for an answer that had come.
  test("is cleaned in every string, at any depth, and in nothing else.", () => {
    const depth = 100_000;
    const deep = `${"[".repeat(depth)}"secret","x"${"]".repeat(depth)}`;
    const line = `{"jsonrpc":"2.0","id":1,"result":{"secret":1,"list":["a secret",{"n":18446744073709551615}],"deep":${deep}}}`;
    const read = readLine(line, (text) => text.replace("secret", "…"));
    if (read.kind === "noise") throw new Error("noise");
    const text = stringifyJson(read.message as unknown as Json);
    expect(text).toBe(line.replace('"a secret"', '"a …"').replace('["secret","x"]', '["…","x"]'));
  });

  test("keeps what counts: integers exactly, error codes, no strange `_meta`.", () => {
    expect(answerOf('{"jsonrpc":"2.0","id":1,"extra":1,"result":{"_meta":5,"n":18446744073709551615}}')).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: { n: 18446744073709551615n },
    });
    expect(answerOf('{"jsonrpc":"2.0","id":"a","error":{"code":-5,"message":"m","data":{"x":1}}}')).toEqual({
      jsonrpc: "2.0",
      id: "a",
      error: { code: -5, message: "m" },
    });
  });
});
