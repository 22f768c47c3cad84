import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import { createSecrets } from "../../../src/shell/secrets.js";

const key = 'sk-ant-api03-"x"/ä+y';
const secrets = createSecrets([key, "sk-ant-api03"]);

describe("a known value is replaced", () => {
  test.each([
    ["as it is", key],
    ["inside JSON", JSON.stringify({ key })],
    ["inside JSON inside JSON", JSON.stringify(JSON.stringify({ key: "sk-ant-api03" }))],
    ["percent-encoded", `?k=${encodeURIComponent(key)}`],
    ["in base64", Buffer.from(key).toString("base64")],
    ["in base64, as the password of a user", Buffer.from(`me:${key}`).toString("base64")],
    ["in base64, one byte later", Buffer.from(`you:${key}:`).toString("base64")],
    ["in base64 for URLs", Buffer.from(`a${key}`).toString("base64url")],
  ])("%s", (_name, text) => {
    const clean = secrets.redact(text);
    expect(clean).toContain("[redacted]");
    for (const piece of ["api03", "ä", Buffer.from("api03").toString("base64").slice(0, 6)])
      expect(clean).not.toContain(piece);
  });

  test("the longer one first, so that no end of it stays", () => {
    expect(secrets.redact(`<${key}>`)).toBe("<[redacted]>");
  });

  test("wherever base64 begins", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 9 }), fc.uint8Array({ maxLength: 9 }), (before, after) => {
        const text = Buffer.concat([before, Buffer.from("correct horse battery"), after]).toString("base64");
        expect(createSecrets(["correct horse battery"]).redact(text)).toContain("[redacted]");
      }),
    );
  });

  test("also when it became known later", () => {
    const later = createSecrets([]);
    expect(later.redact("token-12345678")).toBe("token-12345678");
    later.add("token-12345678");
    expect(later.redact("token-12345678")).toBe("[redacted]");
  });

  // A dummy key such as `none` or `x` for a local server would otherwise blacken every text of the session.
  test("unless it is too short to be told from a word", () => {
    expect(createSecrets(["none", "x"]).redact("none of the boxes")).toBe("none of the boxes");
  });
});

// F55: the error page of a gateway repeated the request's headers, and the key stood in the client's window and in a log file.
describe("a credential in a header is replaced", () => {
  test.each([
    ["Authorization: Bearer abc123def456", "Authorization: Bearer [redacted]"],
    ["authorization=Bearer abc123def456&x", "authorization=Bearer [redacted]&x"],
    ['{"authorization":"Bearer abc123def456"}', '{"authorization":"Bearer [redacted]"}'],
    ['{\\"x-api-key\\": \\"abc123def456\\"}', '{\\"x-api-key\\": \\"[redacted]\\"}'],
    ["curl -H 'X-Api-Key: abc123def456'", "curl -H 'X-Api-Key: [redacted]'"],
    ["Proxy-Authorization: Basic bWU6cHdkUw==", "Proxy-Authorization: Basic [redacted]"],
  ])("%s", (text, clean) => {
    expect(createSecrets([]).redact(text)).toBe(clean);
  });

  test.each([
    "headers: { authorization: `Bearer ${token}` }",
    "Authorization: Bearer <your token>",
    "authorization: required",
    "x-api-key: YOUR_API_KEY",
    "Authorization: Basic authentication is described below",
    "an author: 12345678",
  ])("but not where none is: %s", (text) => {
    expect(createSecrets([]).redact(text)).toBe(text);
  });
});

describe("an event", () => {
  const event = {
    type: "toolFinished",
    turn: 1,
    outcome: {
      kind: "result",
      parts: [
        { kind: "text", text: `key ${key}` },
        { kind: "text", text: "fine" },
      ],
      isError: false,
    },
    big: 2n ** 60n,
    none: null,
  };

  test("is cleaned in every string and keeps its shape", () => {
    const clean = secrets.redactEvent(event);
    expect(clean).toEqual({
      ...event,
      outcome: {
        ...event.outcome,
        parts: [
          { kind: "text", text: "key [redacted]" },
          { kind: "text", text: "fine" },
        ],
      },
    });
  });

  test("without a secret is the same object", () => {
    expect(createSecrets(["other-secret"]).redactEvent(event)).toBe(event);
  });
});

// What a tool returns may be 8 MiB; it must not hold up the queue of the session.
test("a large text without secrets costs little more than reading it", () => {
  const text = "the quick brown fox jumps over authorization: 1234 \n".repeat(160_000);
  const many = createSecrets(["sk-ant-1234567890", "dapi-abcdef123456", "hf_qwertyuiop12"]);
  const start = performance.now();
  expect(many.redact(text)).toBe(text);
  expect(performance.now() - start).toBeLessThan(2000);
});
