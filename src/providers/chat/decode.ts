/** Replies of Chat Completions (`spec/providers.md` 7.2 and 8.2). */
import { none, type Option, some } from "fp-ts/lib/Option.js";
import { withoutLoneSurrogates } from "../../core/json.js";
import type { ReplayData, RequestedCall } from "../../core/model.js";
import { arrayOf, elementsOf, membersOf, objectWith, type Part } from "../../core/rawJson.js";
import type { ReportedUsage } from "../../core/usage.js";
import { counter, firstCounter, inputOf } from "../counters.js";
import { objectOf } from "../jsonText.js";
import { isArray, isObject, jsonOf, labelOf, type Members, stringOf } from "../parts.js";
import { noReply, type Read, reportedError } from "../reading.js";
import { stopOf } from "../stop.js";
import type { ChatEndpoint } from "./encode.js";
import { unmodelled } from "./messages.js";

const CALL = objectWith({ function: objectWith() });
const MESSAGE = objectWith({ content: arrayOf(objectWith()), tool_calls: arrayOf(CALL) });
export const CHAT_REPLY = objectWith({ choices: arrayOf(objectWith({ message: MESSAGE })) });

export const readChat =
  (endpoint: ChatEndpoint) =>
  (body: Members, model: string): Read => {
    const [first] = elementsOf(body.get("choices"));
    if (!isObject(first)) return noReply("response missing choices");
    const choice = membersOf(first);
    const finishReason = stringOf(choice.get("finish_reason"));
    if (finishReason === "error") {
      const error = reportedError(choice.get("error"));
      return { kind: "error", error: error ?? { code: "", type: "", message: "" } };
    }
    if (!isObject(choice.get("message"))) return noReply("response missing message");
    const message = membersOf(choice.get("message"));
    const said = contentOf(message.get("content"));
    const refusal = stringOf(message.get("refusal"));
    const reasoning =
      stringOf(message.get("reasoning_content")) || stringOf(message.get("reasoning")) || said.reasoning;
    const calls = elementsOf(message.get("tool_calls")).map(callOf);
    if (finishReason === "" && said.text === "" && reasoning === "" && refusal === "" && calls.length === 0) {
      return noReply("empty message without a finish reason");
    }
    const refused = refusal !== "" && said.text === "" && calls.length === 0;
    return {
      kind: "reply",
      reply: {
        text: refused ? refusal : said.text,
        reasoning,
        calls,
        stop: refused ? { kind: "refusal" } : stopOf(finishReason),
        usage: usageOf(membersOf(body.get("usage") ?? choice.get("usage"))),
        replay: replayOf(endpoint, model, message),
      },
    };
  };

/** A text, or blocks of it among which there may be reasoning. */
const contentOf = (content: Part | undefined): { readonly text: string; readonly reasoning: string } => {
  if (!isArray(content)) return { text: stringOf(content), reasoning: "" };
  const blocks = elementsOf(content).map(membersOf);
  const isReasoning = (block: Members): boolean => stringOf(block.get("type")) === "reasoning";
  const joined = (parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n");
  return {
    text: joined(blocks.filter((block) => !isReasoning(block)).map((block) => stringOf(block.get("text")))),
    reasoning: joined(blocks.filter(isReasoning).map(reasoningOf)),
  };
};

const reasoningOf = (block: Members): string => {
  const summary = block.get("summary");
  if (!isArray(summary)) return stringOf(block.get("text"));
  const parts = elementsOf(summary).map((part) => stringOf(membersOf(part).get("text")));
  return parts.filter((part) => part !== "").join("\n");
};

const callOf = (part: Part): RequestedCall => {
  const call = membersOf(part);
  const called = membersOf(call.get("function"));
  const extra = unmodelled(call).map(([name, field]) => [name, jsonOf(field)] as const);
  return {
    providerId: labelOf(call.get("id")),
    name: stringOf(called.get("name")),
    argumentsText: argumentsOf(called.get("arguments")),
    extra: extra.length === 0 ? "" : objectOf(extra),
  };
};

/** JSON text inside a JSON string, or in its place an object; anything else is given as it came, for the core to judge (F22, F23). */
export const argumentsOf = (part: Part | undefined): string => {
  if (part?.value === null) return "";
  return typeof part?.value === "string" ? withoutLoneSurrogates(stringOf(part)) : jsonOf(part);
};

const replayOf = (endpoint: ChatEndpoint, model: string, message: Members): Option<ReplayData> => {
  const part = message.get(endpoint.replayMember);
  const wanted = endpoint.replayMember === "reasoning_details" ? isArray(part) : stringOf(part) !== "";
  return endpoint.replayMember !== "" && wanted ? some({ dialect: endpoint.dialect, model, json: jsonOf(part) }) : none;
};

/** `prompt_tokens` includes cache reads at every host, also where the cache field has Anthropic's name. */
const usageOf = (usage: Members): ReportedUsage => ({
  input: inputOf(counter(usage, "prompt_tokens")),
  output: counter(usage, "completion_tokens"),
  cacheRead: firstCounter(usage, "cache_read_input_tokens", "prompt_tokens_details.cached_tokens"),
  cacheWrite: counter(usage, "prompt_tokens_details.cache_write_tokens"),
  total: counter(usage, "total_tokens"),
});
