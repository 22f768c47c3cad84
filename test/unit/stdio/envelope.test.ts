import { left, right } from "fp-ts/lib/Either.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeFrame, errorFrame, idKey, notificationFrame, resultFrame } from "../../../src/shell/stdio/envelope.js";

const invalidCode = (text: string): readonly unknown[] => {
  const incoming = decodeFrame(text);
  return incoming.kind === "invalid" ? [incoming.id, incoming.error.code] : [incoming.kind];
};

describe("an envelope", () => {
  test("keeps the type and every digit of an id", () => {
    for (const id of ["0", "-7", "9007199254740993", "123456789012345678901234567890", '"9"', '""', "null"]) {
      const incoming = decodeFrame(`{"jsonrpc":"2.0","id":${id},"method":"m"}`);
      const answer = incoming.kind === "request" ? resultFrame(incoming.id, {}) : incoming.kind;
      expect(answer).toBe(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    }
  });

  test("that is not JSON is answered -32700, one that is no message -32600, each with id null", () => {
    expect(invalidCode("{")).toEqual([null, -32700]);
    for (const text of ["3", '"x"', "null", "[]", '[{"jsonrpc":"2.0","id":1,"method":"m"}]', '{"foo":1}', "{}"]) {
      expect([text, ...invalidCode(text)]).toEqual([text, null, -32600]);
    }
  });

  // The parser's fault quotes what it could not read, with its line ends; the message is one line whatever came.
  test("that is not JSON is told so in one line", () => {
    const incoming = decodeFrame('{"a":\r\r\tx}');
    expect(incoming.kind === "invalid" ? incoming.error.message : "").toMatch(/^not JSON: [^\r\n\t]+$/);
  });

  test("with a fault beside a good id is answered under that id", () => {
    expect(invalidCode('{"id":4,"method":"m"}')).toEqual([4, -32600]);
    expect(invalidCode('{"jsonrpc":"2.0","id":4,"method":42}')).toEqual([4, -32600]);
    expect(invalidCode('{"jsonrpc":"2.0","id":4}')).toEqual([4, -32600]);
    expect(invalidCode('{"jsonrpc":"2.0","id":1.5,"method":"m"}')).toEqual([null, -32600]);
    expect(invalidCode('{"jsonrpc":"2.0","id":{},"method":"m"}')).toEqual([null, -32600]);
  });

  test("without an id is a notification, with id null a request, with method and result a request", () => {
    expect(decodeFrame('{"jsonrpc":"2.0","method":"m"}').kind).toBe("notification");
    expect(decodeFrame('{"jsonrpc":"2.0","method":"m","id":null}').kind).toBe("request");
    expect(decodeFrame('{"jsonrpc":"2.0","method":"m","id":1,"result":1}').kind).toBe("request");
  });

  test("of a response counts as a failure unless it has a result and no error", () => {
    const result = (text: string): unknown => {
      const incoming = decodeFrame(text);
      return incoming.kind === "response" ? incoming.result : incoming.kind;
    };
    expect(result('{"jsonrpc":"2.0","id":"a","result":null}')).toEqual(right(null));
    expect(result('{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"no"}}')).toEqual(left("no"));
    expect(result('{"jsonrpc":"2.0","id":"a","result":1,"error":{"code":1,"message":"no"}}')).toEqual(
      left("both a result and an error"),
    );
    expect(result('{"jsonrpc":"2.0","id":"a","error":null}')).toEqual(left("an error without a message"));
  });

  test("is one line of ASCII-safe separators whatever text it carries", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const frame = notificationFrame("m", { text });
        expect(frame).not.toMatch(/[\n\r\u2028\u2029]/u);
        expect(JSON.parse(frame)).toEqual({ jsonrpc: "2.0", method: "m", params: { text } });
      }),
    );
  });

  test("is decoded to something, whatever the text", () => {
    const member = fc.constantFrom("jsonrpc", "id", "method", "params", "result", "error", "x");
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom("2.0", "m"));
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      fc.dictionary(member, value).map((object) => JSON.stringify(object)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const incoming = decodeFrame(text);
        const answer = incoming.kind === "invalid" ? errorFrame(incoming.id, incoming.error) : "{}";
        expect(answer).not.toContain("\n");
      }),
    );
  });

  test("ids of different types never share a key", () => {
    expect(new Set(["1", 1, null, "null", 1n].map(idKey)).size).toBe(5);
  });
});
