import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ResultPart } from "../../../src/core/history.js";
import { defaultPolicy } from "../../../src/core/policy.js";
import { boundParts, withoutImages } from "../../../src/core/results.js";
import { utf8Bytes } from "../../../src/core/text.js";

const text = (value: string): ResultPart => ({ kind: "text", text: value });
const image = (mimeType: string, dataBase64: string): ResultPart => ({ kind: "image", mimeType, dataBase64 });
const policy = { ...defaultPolicy, toolResultTextBytesMax: 1024, toolResultBytesMax: 4096 };
const texts = (parts: readonly ResultPart[]): readonly string[] =>
  parts.flatMap((p) => (p.kind === "text" ? [p.text] : []));

const anyPart: fc.Arbitrary<ResultPart> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 900 }).map(text),
  fc
    .tuple(
      fc.constantFrom("image/png", "image/svg+xml", "", "x\ny"),
      fc.oneof(fc.base64String({ maxLength: 3000 }), fc.string()),
    )
    .map(([mime, data]) => image(mime, data)),
);

describe("a tool result on entry", () => {
  test("is never empty and stays within its budgets, whatever came", () => {
    fc.assert(
      fc.property(fc.array(anyPart, { maxLength: 12 }), fc.boolean(), (parts, acceptsImages) => {
        const bound = boundParts(parts, policy, acceptsImages);
        expect(bound.length).toBeGreaterThan(0);
        const textBytes = texts(bound).reduce((total, each) => total + utf8Bytes(each), 0);
        expect(textBytes).toBeLessThanOrEqual(1024);
        const total = bound.reduce((sum, p) => sum + (p.kind === "text" ? utf8Bytes(p.text) : p.dataBase64.length), 0);
        expect(total).toBeLessThanOrEqual(4096);
        expect(texts(bound).every((each) => each.trim() !== "")).toBe(true);
        expect(acceptsImages || bound.every(({ kind }) => kind === "text")).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("is bounded once: a second time changes nothing", () => {
    fc.assert(
      fc.property(fc.array(anyPart, { maxLength: 8 }), (parts) => {
        const once = boundParts(parts, policy, true);
        expect(boundParts(once, policy, true)).toEqual(once);
      }),
    );
  });

  // F33: a tool that prints nothing gave an empty text block, which strict providers refuse for ever after.
  test("that says nothing says so", () => {
    expect(boundParts([], policy, true)).toEqual([text("(no output)")]);
    expect(boundParts([text(" \n"), text("")], policy, true)).toEqual([text("(no output)")]);
  });

  // F64: an image type that the provider refuses was stored and poisoned the session. Kills keeping images unchecked.
  test("shows an image only of a type and with data that providers take", () => {
    expect(boundParts([image("image/png", "aW1n")], policy, true)).toEqual([image("image/png", "aW1n")]);
    for (const bad of [
      image("image/svg+xml", "aW1n"),
      image("image/png", "aW1"),
      image("image/png", ""),
      image("image/png", "a b="),
    ]) {
      expect(texts(boundParts([bad], policy, true))[0]).toMatch(/^\[image not shown: /);
    }
  });

  test("shows no image to a model that has refused one", () => {
    expect(texts(boundParts([image("image/png", "aW1n")], policy, false))[0]).toContain("does not support image input");
  });

  test("leaves short texts whole beside a long one", () => {
    const bound = boundParts([text("short"), text("x".repeat(5000)), text("end")], policy, true);
    expect(texts(bound)[0]).toBe("short");
    expect(texts(bound)[1]).toContain("elided from tool result");
    expect(texts(bound)[2]).toBe("end");
  });

  test("keeps what fits exactly, and elides one byte more", () => {
    expect(boundParts([text("x".repeat(1024))], policy, true)).toEqual([text("x".repeat(1024))]);
    expect(texts(boundParts([text("x".repeat(1025))], policy, true))[0]).toContain("elided");
  });

  test("without its images is an error that says why; without any there is nothing to remove", () => {
    expect(withoutImages({ parts: [text("a")], isError: false })).toBeUndefined();
    const stripped = withoutImages({ parts: [text("a"), image("image/png", "aW1n")], isError: false });
    expect(stripped?.isError).toBe(true);
    expect(texts(stripped?.parts ?? [])).toEqual(["a", expect.stringContaining("text-based inspection")]);
  });
});
