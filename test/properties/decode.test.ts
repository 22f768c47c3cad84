// Whatever comes back, there is an answer, and success is never reported for a body that holds no reply of its dialect. It kills:
// a decoder that trusts a 200, one that trusts a content type, one that reads another dialect's reply as an empty one of its own.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isJsonArray, isJsonObject, type Json, member, parseJson } from "../../src/core/json.js";
import type { ModelReply } from "../../src/core/model.js";
import { SHELL_LIMITS } from "../../src/core/policy.js";
import { utf8Bytes, wellFormed } from "../../src/core/text.js";
import type { Dialect, Retry } from "../../src/providers/dialect.js";
import { chatReply, dialect, messagesReply, NOW_MS, responses, responsesReply } from "../unit/providers/fixtures.js";

const seed = Number(process.env["TURNFOLD_SEED"] ?? 20260901);

const dialects: Readonly<Record<string, Dialect>> = {
  Anthropic: dialect("anthropic"),
  Chat: dialect("openai"),
  OpenRouter: dialect("openrouter"),
  Responses: responses(),
};

/** What the body must at least hold to be a reply, read independently of the decoder. */
const holdsReply: Readonly<Record<string, (body: Json) => boolean>> = {
  Anthropic: (body) => isJsonArray(member(body, "content")) || member(body, "type") === "message",
  Chat: isChatReply,
  OpenRouter: isChatReply,
  Responses: (body) => isJsonArray(member(body, "output")) || member(body, "object") === "response",
};

function isChatReply(body: Json): boolean {
  const choices = member(body, "choices");
  return isJsonArray(choices) && isJsonObject(member(choices[0], "message"));
}

/** Values that belong somewhere in a reply, so that random documents come near to one. */
const leaves = fc.oneof(
  fc.constantFrom(
    "text",
    "thinking",
    "tool_use",
    "message",
    "function_call",
    "reasoning",
    "completed",
    "failed",
    "incomplete",
    "end_turn",
    "stop",
    "error",
    "length",
    "",
    " ",
    "\ud800",
    "max_output_tokens",
  ),
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, 401, 429),
  fc.string({ maxLength: 5 }),
);
const keys = fc.constantFrom(
  "content",
  "type",
  "text",
  "stop_reason",
  "usage",
  "choices",
  "message",
  "finish_reason",
  "tool_calls",
  "function",
  "name",
  "arguments",
  "id",
  "output",
  "status",
  "object",
  "error",
  "code",
  "input",
  "summary",
  "input_tokens",
  "prompt_tokens",
  "prompt_tokens_details",
  "incomplete_details",
  "reason",
  "metadata",
  "__proto__",
);
const { document } = fc.letrec<{ document: unknown }>((tie) => ({
  document: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    leaves,
    fc.array(tie("document"), { maxLength: 3 }),
    fc.array(fc.tuple(keys, tie("document")), { maxLength: 5 }).map(Object.fromEntries),
  ),
}));

const nearReplies = fc.tuple(
  fc.constantFrom<object>(
    messagesReply([
      { type: "text", text: "hi" },
      { type: "tool_use", id: "1", name: "n", input: {} },
    ]),
    chatReply({
      role: "assistant",
      content: "hi",
      tool_calls: [{ id: "1", function: { name: "n", arguments: "{}" } }],
    }),
    responsesReply([{ type: "message", content: [{ type: "output_text", text: "hi" }] }]),
  ),
  fc.array(fc.tuple(keys, document), { maxLength: 3 }),
);

const texts = fc.oneof(
  nearReplies.map(([reply, over]) => JSON.stringify({ ...reply, ...Object.fromEntries(over) })),
  document.map((value) => JSON.stringify(value)),
  nearReplies.chain(([reply]) => fc.nat().map((cut) => JSON.stringify(reply).slice(0, cut % 200))),
  fc.constantFrom(
    "",
    " ",
    "<html><body>Bad gateway</body></html>",
    "null",
    "[]",
    "{}",
    "18446744073709551616",
    '"overloaded"',
  ),
  fc.string({ unit: "binary", maxLength: 60 }),
);
/** What the shell makes of the bytes that came. */
const bodies = fc
  .oneof(
    { weight: 9, arbitrary: texts.map((text) => new TextEncoder().encode(text)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 80 }) },
  )
  .map((bytes) => new TextDecoder().decode(bytes));
const statuses = fc.oneof(
  fc.constantFrom(200, 200, 200, 200, 201, 204),
  fc.constantFrom(400, 401, 402, 403, 404, 408, 413, 429, 499, 500, 503, 529, 302),
  fc.integer(),
);
const headerSets = fc.dictionary(
  fc.constantFrom("retry-after", "retry-after-ms", "content-type", "location"),
  fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom("5", "0", "-1", "99999999999", "Wed, 21 Oct 2015 07:28:00 GMT"),
  ),
);

/** One line, not empty, not long; a wait that a timer can take. */
const isBounded = (message: string, retry: Retry): boolean => {
  const waitMs = retry.kind === "after" ? retry.afterMs : 1;
  const line =
    !/[\n\r\t]/.test(message) && message !== "" && utf8Bytes(message) <= SHELL_LIMITS.errorTextBytesMax.default;
  return line && waitMs > 0 && waitMs <= SHELL_LIMITS.retryAfterMsMax.default && Number.isInteger(waitMs);
};

const strings = (reply: ModelReply): readonly string[] => [
  reply.text,
  reply.reasoning,
  ...reply.calls.flatMap((call) => [call.providerId, call.name, call.argumentsText, call.extra]),
];

describe.each(Object.keys(dialects))("%s", (name) => {
  it("every answer is a bounded failure, or a reply that the body holds (25,000 cases)", () => {
    const spoken = dialects[name] ?? dialect("openai");
    const held = holdsReply[name] ?? isChatReply;
    let replies = 0;
    fc.assert(
      fc.property(statuses, headerSets, bodies, (status, headers, body) => {
        const decoded = spoken.decode({ status, headers, body }, "model-1", NOW_MS);
        if (decoded.kind === "failure") return isBounded(decoded.failure.message, decoded.retry);
        replies += 1;
        const parsed = parseJson(body);
        const legible = strings(decoded.reply).every((text) => wellFormed(text) === text);
        return legible && status >= 200 && status <= 299 && parsed._tag === "Right" && held(parsed.right);
      }),
      { numRuns: 25_000, seed },
    );
    // A generator that never came near a reply would prove nothing.
    expect(replies).toBeGreaterThan(500);
  });
});
