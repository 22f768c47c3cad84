/** Replies of the Responses dialect (`spec/providers.md` 7.3, 7.5 and 8.2). */
import { none } from "fp-ts/lib/Option.js";
import type { RequestedCall, Stop } from "../../core/model.js";
import { arrayOf, elementsOf, membersOf, objectWith, type Part } from "../../core/rawJson.js";
import type { ReportedUsage } from "../../core/usage.js";
import { argumentsOf } from "../chat/decode.js";
import { counter, firstCounter, inputOf } from "../counters.js";
import { isArray, jsonOf, labelOf, type Members, stringOf } from "../parts.js";
import { noReply, type Read, reportedError } from "../reading.js";
import { replayOf, type Segment } from "../segments.js";
import { RESPONSES } from "./input.js";

const typeOf = (item: Members): string => stringOf(item.get("type"));

const PARTS = arrayOf(objectWith());
export const RESPONSES_REPLY = objectWith({ output: arrayOf(objectWith({ content: PARTS, summary: PARTS })) });

export const readResponses = (body: Members, model: string): Read => {
  const status = stringOf(body.get("status"));
  if (status === "failed") {
    const error = reportedError(body.get("error"));
    return { kind: "error", error: error ?? { code: "failed", type: "", message: "" } };
  }
  const output = body.get("output");
  if (!isArray(output) && !(stringOf(body.get("object")) === "response" && FINAL.has(status))) {
    return noReply("response missing output");
  }
  const parts = elementsOf(output);
  const items = parts.map(membersOf);
  const contents = items.filter((item) => typeOf(item) === "message").flatMap((item) => partsOf(item.get("content")));
  const text = textOf(contents, TEXT_TYPES, "text");
  const refusal = textOf(contents, REFUSAL_TYPES, "refusal");
  const calls = items.filter((item) => typeOf(item) === "function_call").map(callOf);
  const reasoning = items.filter((item) => typeOf(item) === "reasoning").map(summaryOf);
  const segments = parts.flatMap(segmentOf);
  if (!FINAL.has(status) && text === "" && refusal === "" && calls.length === 0 && segments.length === 0) {
    return noReply("empty output without a final status");
  }
  const refused = refusal !== "" && text === "" && calls.length === 0;
  return {
    kind: "reply",
    reply: {
      text: refused ? refusal : text,
      reasoning: reasoning.filter((part) => part !== "").join("\n"),
      calls,
      stop: refused ? { kind: "refusal" } : stopOf(status, body, calls.length > 0),
      usage: usageOf(membersOf(body.get("usage"))),
      replay: items.every(isReplayable) ? replayOf(RESPONSES, model, segments) : none,
    },
  };
};

const FINAL = new Set(["completed", "incomplete"]);
const TEXT_TYPES = new Set(["output_text", "text"]);
const REFUSAL_TYPES = new Set(["refusal"]);
const SUMMARY_TYPES = new Set(["summary_text", "text"]);

const partsOf = (part: Part | undefined): readonly Members[] => elementsOf(part).map(membersOf);

const textOf = (parts: readonly Members[], types: ReadonlySet<string>, member: string): string =>
  parts.map((part) => (types.has(typeOf(part)) ? stringOf(part.get(member)) : "")).join("");

const summaryOf = (item: Members): string =>
  partsOf(item.get("summary"))
    .filter((part) => SUMMARY_TYPES.has(typeOf(part)))
    .map((part) => stringOf(part.get("text")))
    .join("\n");

const callOf = (item: Members): RequestedCall => ({
  providerId: labelOf(item.get("call_id")),
  name: stringOf(item.get("name")),
  argumentsText: argumentsOf(item.get("arguments")),
  extra: "",
});

const segmentOf = (item: Part): readonly Segment[] => {
  const type = typeOf(membersOf(item));
  if (type === "message") return [{ kind: "text" }];
  if (type === "function_call") return [{ kind: "call" }];
  return type === "reasoning" ? [{ kind: "opaque", json: jsonOf(item) }] : [];
};

/** Without its encrypted content a reasoning item is only a name for something that the host does not keep. */
const isReplayable = (item: Members): boolean =>
  typeOf(item) !== "reasoning" || stringOf(item.get("encrypted_content")) !== "";

const stopOf = (status: string, body: Members, called: boolean): Stop => {
  const reason = stringOf(membersOf(body.get("incomplete_details")).get("reason"));
  if (status === "incomplete" && reason === "max_output_tokens") return { kind: "cutOff", by: "outputLimit" };
  if (status === "completed") return called ? { kind: "toolUse" } : { kind: "end" };
  return { kind: "unknown", raw: reason === "" ? status : reason };
};

/** The dialect reports no cache writes. */
const usageOf = (usage: Members): ReportedUsage => ({
  input: inputOf(counter(usage, "input_tokens")),
  output: counter(usage, "output_tokens"),
  cacheRead: firstCounter(usage, "cache_read_input_tokens", "input_tokens_details.cached_tokens"),
  cacheWrite: none,
  total: counter(usage, "total_tokens"),
});
