import { none, some } from "fp-ts/lib/Option.js";
import { describe, expect, it } from "vitest";
import { retryAfterMs, retryOf } from "../../../src/providers/retry.js";
import { answer, chatReply, decode, dialect, failureOf, NOW_MS, responses } from "./fixtures.js";

const chat = dialect("openai");
const router = dialect("openrouter");
const error = (message: string, over: object = {}): object => ({ error: { message, ...over } });

describe("Retry-After", () => {
  it.each([
    ["5", 5000],
    ["3", 3000],
    ["60", 60_000],
    ["3601", 60_000],
    ["9999999999999", 60_000],
    ["0", undefined],
    ["-1", undefined],
    ["1.5", undefined],
    ["soon", undefined],
    ["", undefined],
    // NOW_MS is Tue, 14 Nov 2023 22:13:20 GMT.
    ["Tue, 14 Nov 2023 22:13:30 GMT", 10_000],
    ["Tuesday, 14-Nov-23 22:13:30 GMT", 10_000],
    ["Tue Nov 14 22:13:30 2023", 10_000],
    ["Wed, 15 Nov 2023 22:13:20 GMT", 60_000],
    ["Tue, 14 Nov 2023 22:13:20 GMT", undefined],
    ["Wed, 21 Oct 2015 07:28:00 GMT", undefined],
    ["Tue, 14 Foo 2023 22:13:30 GMT", undefined],
    ["Tue, 00 Dec 2023 22:13:30 GMT", undefined],
    ["Tue, 32 Nov 2023 22:13:30 GMT", undefined],
    ["Tue, 14 Nov 2023 24:13:30 GMT", undefined],
    ["Tue, 14 Nov 2023 22:60:30 GMT", undefined],
    ["Tue, 14 Nov 2023 22:13:61 GMT", undefined],
    ["Tue, 14 Nov 2023 22:13:30 CET", undefined],
  ])("of %s waits %s ms", (value, expected) => {
    expect(retryAfterMs({ "retry-after": value }, NOW_MS)).toEqual(expected === undefined ? none : some(expected));
  });

  it("may be given in milliseconds, which count first", () => {
    expect(retryAfterMs({ "retry-after-ms": "250", "retry-after": "7" }, NOW_MS)).toEqual(some(250));
    expect(retryAfterMs({ "retry-after-ms": "0.5" }, NOW_MS)).toEqual(some(1));
    expect(retryAfterMs({}, NOW_MS)).toEqual(none);
  });

  it.each([429, 503, 529])("is honoured for %i", (status) => {
    expect(retryOf(status, { "retry-after": "2" }, NOW_MS)).toEqual({ kind: "after", afterMs: 2000 });
    expect(retryOf(status, {}, NOW_MS)).toEqual({ kind: "backoff" });
  });

  it.each([399, 404, 408, 498, 600])("is nothing that makes %i worth another try", (status) => {
    expect(retryOf(status, { "retry-after": "2" }, NOW_MS)).toEqual({ kind: "never" });
  });

  it.each([499, 500, 502, 504, 599])("is not looked at for %i", (status) => {
    expect(retryOf(status, { "retry-after": "2" }, NOW_MS)).toEqual({ kind: "backoff" });
  });

  it("in a body is no header", () => {
    const limited = decode(router, answer(429, error("slow down", { metadata: { retry_after: 9 } })));
    expect(limited).toMatchObject({ failure: { kind: "rateLimited" }, retry: { kind: "backoff" } });
    const both = answer(429, error("slow down", { metadata: { retry_after: 9 } }), { "retry-after": "4" });
    expect(decode(router, both).kind === "failure" && decode(router, both)).toMatchObject({ retry: { afterMs: 4000 } });
  });
});

describe("a refusal for the length of the context", () => {
  it.each([
    "context_length_exceeded",
    "This model's maximum context length is 8192 tokens",
    "exceeds the context window",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "the request exceeds the available context size (2048 tokens)",
  ])("is told by a 400 that says: %s", (message) => {
    for (const spoken of [chat, router, dialect("anthropic"), responses()]) {
      expect(failureOf(spoken, answer(400, error(message.toUpperCase())))).toMatchObject({
        kind: "contextExceeded",
        status: some(400),
      });
    }
  });

  // F42: a body that was too large was compacted and sent again, and refused again.
  it.each([chat, router])("is not told by a 413, whatever it says", (spoken) => {
    expect(failureOf(spoken, answer(413, error("maximum context length")))).toMatchObject({ kind: "requestTooLarge" });
    expect(failureOf(spoken, answer(502, error("maximum context length")))).toMatchObject({ kind: "serverError" });
  });

  it("comes before an image in the same words", () => {
    expect(failureOf(chat, answer(400, error("context window: is not a multimodal model"))).kind).toBe(
      "contextExceeded",
    );
  });

  it.each([chat, router])("is nothing that an ordinary 400 is", (spoken) => {
    expect(decode(spoken, answer(400, error("temperature must be a number")))).toMatchObject({
      failure: { kind: "invalidRequest", message: expect.stringContaining("temperature must be a number") as string },
      retry: { kind: "never" },
    });
  });
});

it("a refusal of images by llama.cpp is told by its words, since its status is a 500, and is not tried again", () => {
  const refused = error(
    "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
  );
  expect(decode(chat, answer(500, refused))).toMatchObject({
    failure: { kind: "imageUnsupported" },
    retry: { kind: "never" },
  });
});

describe("OpenRouter", () => {
  it("answers 403 for moderation, which is no matter of the key", () => {
    expect(decode(router, answer(403, error("flagged")))).toMatchObject({
      failure: { kind: "permission" },
      retry: { kind: "never" },
    });
    expect(failureOf(chat, answer(403, error("no access")))).toMatchObject({ kind: "authentication" });
  });

  it("answers 402 when the credits are used up, and is not asked again", () => {
    const decoded = decode(router, answer(402, error("Insufficient credits")));
    expect(decoded).toMatchObject({ failure: { kind: "payment" }, retry: { kind: "never" } });
    expect(failureOf(router, answer(402, "")).message).toContain("https://openrouter.ai/credits");
  });

  it("answers 404 for what no endpoint supports, for images and for unknown models, each with its own meaning", () => {
    const routing = "No endpoints found that can handle the requested parameters.";
    expect(decode(router, answer(404, error(routing)))).toMatchObject({
      failure: { kind: "invalidRequest", message: expect.stringContaining("BUZZ_AGENT_THINKING_EFFORT") as string },
      retry: { kind: "never" },
    });
    const image = error("No endpoints found that support image input");
    for (const status of [404, 400]) {
      expect(decode(router, answer(status, image))).toMatchObject({
        failure: { kind: "imageUnsupported" },
        retry: { kind: "never" },
      });
    }
    expect(failureOf(router, answer(404, error("No endpoints found for vendor/x")))).toMatchObject({
      kind: "modelNotFound",
    });
    expect(failureOf(chat, answer(400, error("x is not a multimodal model")))).toMatchObject({
      kind: "imageUnsupported",
    });
  });

  it("answers an untyped 503 when it has found no endpoint, which its message says", () => {
    expect(decode(router, answer(503, error("no provider")))).toMatchObject({
      failure: { kind: "overloaded", message: expect.stringContaining("requested parameters") as string },
      retry: { kind: "backoff" },
    });
    const typed = answer(503, error("busy", { metadata: { error_type: "provider_overloaded" } }), {
      "retry-after": "2",
    });
    expect(decode(router, typed)).toMatchObject({ retry: { afterMs: 2000 } });
    expect(failureOf(router, typed).message).not.toContain("requested parameters");
    expect(decode(router, answer(502, error("bad upstream")))).toMatchObject({ retry: { kind: "backoff" } });
    expect(decode(router, answer(500, ""))).toMatchObject({
      failure: { kind: "serverError" },
      retry: { kind: "backoff" },
    });
  });

  it("shows what the provider behind it said", () => {
    const wrapped = error("Provider returned error", { metadata: { raw: "upstream says no" } });
    expect(failureOf(router, answer(400, wrapped)).message).toContain("Provider returned error: upstream says no");
  });
});

describe("an error inside a good status", () => {
  const choice = (over: object): object => ({ choices: [{ finish_reason: "error", error: over }] });

  it.each([
    [{ code: 502, message: "upstream" }, "serverError", "(502): upstream"],
    [{ code: "rate_limit", message: "slow" }, "rateLimited", "(rate_limit): slow"],
    [{ message: "odd" }, "serverError", "(unknown): odd"],
    [
      { code: 502, message: "m", metadata: { error_type: "provider_overloaded" } },
      "serverError",
      "(502, provider_overloaded): m",
    ],
  ])("in the choice, %o, is a failure that is not tried again", (reported, kind, text) => {
    expect(decode(chat, answer(200, choice(reported)))).toMatchObject({
      failure: { kind, message: expect.stringContaining(text) as string },
      retry: { kind: "never" },
    });
  });

  it.each([
    [{ code: 429, message: "slow" }, "rateLimited", "backoff"],
    [{ code: 401, message: "key" }, "authentication", "never"],
    [{ type: "overloaded_error", message: "busy" }, "overloaded", "backoff"],
    [{ type: "invalid_request_error", message: "prompt is too long" }, "contextExceeded", "never"],
    [{ code: "insufficient_quota", message: "empty" }, "payment", "never"],
    [{ type: "not_found_error", message: "model" }, "modelNotFound", "never"],
    [{ type: "permission_error", message: "no" }, "permission", "never"],
    [{ type: "request_too_large", message: "no" }, "requestTooLarge", "never"],
    [{ type: "authentication_error", message: "no" }, "authentication", "never"],
    [{ type: "timeout_error", message: "no" }, "timeout", "backoff"],
    [{ type: "api_error", message: "no" }, "serverError", "backoff"],
    [{ type: "billing_error", message: "no" }, "payment", "never"],
    [{ type: "invalid_request_error", message: "no" }, "invalidRequest", "never"],
    [{ message: "x is not a multimodal model" }, "imageUnsupported", "never"],
    ["just a text", "serverError", "never"],
  ])("beside everything else, %o, has that meaning", (reported, kind, retry) => {
    for (const spoken of [chat, router, responses(), dialect("anthropic")]) {
      const decoded = decode(spoken, answer(200, { ...chatReply({ content: "half" }), error: reported }));
      expect(decoded).toMatchObject({ failure: { kind }, retry: { kind: retry } });
    }
  });

  it("is none where it is null or empty", () => {
    for (const nothing of [null, {}, ""]) {
      expect(decode(chat, answer(200, { ...chatReply({ content: "a" }), error: nothing }))).toMatchObject({
        kind: "reply",
      });
    }
  });
});

describe("an error line", () => {
  // F52, F53: bodies that were no JSON, or JSON of another shape, ended as `undefined` or as a type error.
  it.each([
    [400, "", "OpenAI answered 400 Bad Request."],
    [400, '"overloaded"', "OpenAI answered 400 Bad Request: overloaded."],
    [400, '{"error":"text"}', "OpenAI answered 400 Bad Request: text."],
    [
      422,
      '{"detail":[{"loc":["body"],"msg":"field required"}]}',
      "OpenAI answered 422 Unprocessable Content: field required.",
    ],
    [500, '{"message":"of\\nmany\\tlines"}', "OpenAI answered 500 Internal Server Error: of many lines."],
    [400, '[{"error":{"message":"in a list"}}]', "OpenAI answered 400 Bad Request: in a list."],
    [
      502,
      "<html><head><style>p{}</style></head><body><h1>Bad</h1>\n<p>gateway</p></body></html>",
      "OpenAI answered 502 Bad Gateway: Bad gateway.",
    ],
    [499, "{}", "OpenAI answered 499: {}."],
    [418, '{"error":{"message":"cut of', 'OpenAI answered 418: {"error":{"message":"cut of.'],
    [302, "", "OpenAI answered 302 Found to https://elsewhere.example."],
  ])("of %i with body %s is: %s", (status, body, expected) => {
    expect(failureOf(chat, answer(status, body, { location: "https://elsewhere.example" })).message).toBe(expected);
  });

  it("says what to do where that is known", () => {
    expect(failureOf(chat, answer(401, "")).message).toContain("Check OPENAI_COMPAT_API_KEY.");
    expect(failureOf(dialect("databricks"), answer(401, "")).message).toContain("turnfold auth databricks");
    expect(failureOf(dialect("anthropic"), answer(404, "")).message).toContain("ANTHROPIC_MODEL");
    expect(failureOf(chat, answer(402, "")).message).toContain("balance");
  });

  it("of a quota that is used up is no matter of waiting", () => {
    expect(decode(chat, answer(429, error("exceeded", { code: "insufficient_quota" })))).toMatchObject({
      failure: { kind: "payment" },
      retry: { kind: "never" },
    });
  });
});
