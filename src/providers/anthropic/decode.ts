/** Replies of the Anthropic dialect (`spec/providers.md` 7.1 and 8.2). */
import { none } from "fp-ts/lib/Option.js";
import type { RequestedCall } from "../../core/model.js";
import { arrayOf, elementsOf, membersOf, objectWith, type Part } from "../../core/rawJson.js";
import type { ReportedUsage } from "../../core/usage.js";
import { counter, sumOf } from "../counters.js";
import { isArray, jsonOf, labelOf, type Members, stringOf } from "../parts.js";
import { noReply, type Read } from "../reading.js";
import { replayOf, type Segment } from "../segments.js";
import { stopOf } from "../stop.js";
import { ANTHROPIC } from "./messages.js";

export const ANTHROPIC_REPLY = objectWith({ content: arrayOf(objectWith()) });

export const readAnthropic = (body: Members, model: string): Read => {
  const content = body.get("content");
  const stopReason = stringOf(body.get("stop_reason"));
  if (!isArray(content) && !((content?.value ?? null) === null && stringOf(body.get("type")) === "message")) {
    return noReply("response missing content");
  }
  const parts = elementsOf(content);
  const blocks = parts.map(membersOf);
  const typed = (type: string): readonly Members[] => blocks.filter((block) => stringOf(block.get("type")) === type);
  const text = typed("text").map((block) => stringOf(block.get("text")));
  const reasoning = typed("thinking").map((block) => stringOf(block.get("thinking")));
  const calls = typed("tool_use").map(callOf);
  const segments = parts.flatMap(segmentOf);
  if (stopReason === "" && text.join("") === "" && calls.length === 0 && segments.length === 0) {
    return noReply("empty message without a stop reason");
  }
  return {
    kind: "reply",
    reply: {
      text: text.join(""),
      reasoning: reasoning.filter((part) => part !== "").join("\n"),
      calls,
      stop: stopOf(stopReason),
      usage: usageOf(membersOf(body.get("usage"))),
      replay: blocks.every(isSigned) ? replayOf(ANTHROPIC, model, segments) : none,
    },
  };
};

/** Fields that the dialect has no name for are not replayed: it refuses them. */
const callOf = (block: Members): RequestedCall => {
  const input = jsonOf(block.get("input"));
  return {
    providerId: labelOf(block.get("id")),
    name: stringOf(block.get("name")),
    argumentsText: input === "null" || input === '""' ? "" : input,
    extra: "",
  };
};

const segmentOf = (block: Part): readonly Segment[] => {
  const type = stringOf(membersOf(block).get("type"));
  if (type === "text") return [{ kind: "text" }];
  if (type === "tool_use") return [{ kind: "call" }];
  return type === "thinking" || type === "redacted_thinking" ? [{ kind: "opaque", json: jsonOf(block) }] : [];
};

/** Thinking without its signature is for display only: the provider would refuse it, and with it the whole turn (F58). */
const isSigned = (block: Members): boolean =>
  stringOf(block.get("type")) !== "thinking" || stringOf(block.get("signature")) !== "";

/** The dialect counts cache reads and writes beside the input; here input includes them. It reports no total of its own. */
const usageOf = (usage: Members): ReportedUsage => {
  const cacheRead = counter(usage, "cache_read_input_tokens");
  const cacheWrite = counter(usage, "cache_creation_input_tokens");
  return {
    input: sumOf([counter(usage, "input_tokens"), cacheRead, cacheWrite]),
    output: counter(usage, "output_tokens"),
    cacheRead,
    cacheWrite,
    total: none,
  };
};
