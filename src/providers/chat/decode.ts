/** Replies of Chat Completions (`spec/providers.md` 7.2 and 8.2). */
import { none, type Option, some } from "fp-ts/lib/Option.js";
import { withoutLoneSurrogates } from "../../core/json.js";
import type { ReplayData, RequestedCall } from "../../core/model.js";
import { rawElements, rawMembers } from "../../core/rawJson.js";
import { wellFormed } from "../../core/text.js";
import type { ReportedUsage } from "../../core/usage.js";
import { counter, firstCounter, inputOf, type Members } from "../counters.js";
import { isArrayText, isObjectText, labelOf, objectOf, stringOf } from "../jsonText.js";
import { noReply, type Read, reportedError } from "../reading.js";
import { stopOf } from "../stop.js";
import type { ChatEndpoint } from "./encode.js";
import { unmodelled } from "./messages.js";

export const readChat =
  (endpoint: ChatEndpoint) =>
  (body: Members, model: string): Read => {
    const [first] = rawElements(body.get("choices") ?? "");
    if (!isObjectText(first)) return noReply("response missing choices");
    const choice = rawMembers(first);
    const finishReason = stringOf(choice.get("finish_reason"));
    if (finishReason === "error") {
      const error = reportedError(choice.get("error") ?? "");
      return { kind: "error", error: error ?? { code: "", type: "", message: "" } };
    }
    const json = choice.get("message");
    if (!isObjectText(json)) return noReply("response missing message");
    const message = rawMembers(json);
    const said = contentOf(message.get("content") ?? "");
    const refusal = stringOf(message.get("refusal"));
    const reasoning =
      stringOf(message.get("reasoning_content")) || stringOf(message.get("reasoning")) || said.reasoning;
    const calls = rawElements(message.get("tool_calls") ?? "").map(callOf);
    if (finishReason === "" && said.text === "" && reasoning === "" && refusal === "" && calls.length === 0) {
      return noReply("empty message without a finish reason");
    }
    const refused = refusal !== "" && said.text === "" && calls.length === 0;
    const usage = body.get("usage") ?? choice.get("usage") ?? "";
    return {
      kind: "reply",
      reply: {
        text: refused ? refusal : said.text,
        reasoning,
        calls,
        stop: refused ? { kind: "refusal" } : stopOf(finishReason),
        usage: usageOf(rawMembers(usage)),
        replay: replayOf(endpoint, model, message),
      },
    };
  };

/** A text, or blocks of it among which there may be reasoning. */
const contentOf = (content: string): { readonly text: string; readonly reasoning: string } => {
  if (!isArrayText(content)) return { text: stringOf(content), reasoning: "" };
  const blocks = rawElements(content).map(rawMembers);
  const isReasoning = (block: Members): boolean => stringOf(block.get("type")) === "reasoning";
  const joined = (parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n");
  return {
    text: joined(blocks.filter((block) => !isReasoning(block)).map((block) => stringOf(block.get("text")))),
    reasoning: joined(blocks.filter(isReasoning).map(reasoningOf)),
  };
};

const reasoningOf = (block: Members): string => {
  const summary = block.get("summary");
  if (!isArrayText(summary)) return stringOf(block.get("text"));
  const parts = rawElements(summary).map((part) => stringOf(rawMembers(part).get("text")));
  return parts.filter((part) => part !== "").join("\n");
};

const callOf = (json: string): RequestedCall => {
  const call = rawMembers(json);
  const called = rawMembers(call.get("function") ?? "");
  const extra = unmodelled(call);
  return {
    providerId: labelOf(call.get("id")),
    name: stringOf(called.get("name")),
    argumentsText: argumentsOf(called.get("arguments") ?? "null"),
    extra: extra.length === 0 ? "" : objectOf(extra),
  };
};

/** JSON text inside a JSON string, or in its place an object; anything else is given as it came, for the core to judge (F22, F23). */
export const argumentsOf = (json: string): string => {
  if (json === "null") return "";
  return json.startsWith('"') ? withoutLoneSurrogates(wellFormed(stringOf(json))) : json;
};

const replayOf = (endpoint: ChatEndpoint, model: string, message: Members): Option<ReplayData> => {
  const json = message.get(endpoint.replayMember) ?? "";
  const wanted = endpoint.replayMember === "reasoning_details" ? isArrayText(json) : stringOf(json) !== "";
  return endpoint.replayMember !== "" && wanted ? some({ dialect: endpoint.dialect, model, json }) : none;
};

/** `prompt_tokens` includes cache reads at every host, also where the cache field has Anthropic's name. */
const usageOf = (usage: Members): ReportedUsage => ({
  input: inputOf(counter(usage, "prompt_tokens")),
  output: counter(usage, "completion_tokens"),
  cacheRead: firstCounter(usage, "cache_read_input_tokens", "prompt_tokens_details.cached_tokens"),
  cacheWrite: counter(usage, "prompt_tokens_details.cache_write_tokens"),
  total: counter(usage, "total_tokens"),
});
