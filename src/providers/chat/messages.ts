/** History as the messages of Chat Completions (`spec/providers.md` 5.3 and 5.5). */
import { assertNever } from "../../core/never.js";
import type { AssistantItem, HistoryItem, HookNote, ToolCall, ToolExchange } from "../../core/history.js";
import type { ReplayData } from "../../core/model.js";
import type { Option } from "fp-ts/lib/Option.js";
import { rawMembers } from "../../core/rawJson.js";
import { wellFormed } from "../../core/text.js";
import { assistantText, hookNoteJson, imageUrls, resultOf, resultText, userText } from "../content.js";
import { array, object, objectOf, quote } from "../jsonText.js";
import type { Label } from "../labels.js";

/** What the encoding of an item depends on beside the item itself. */
export interface Encoding {
  readonly dialect: string;
  readonly model: string;
  /** The member of an assistant message that carries replay data, or "" where there is none. */
  readonly replayMember: string;
  /** Calls must follow signed reasoning, so what a hook said cannot be a call. */
  readonly demandsReasoning: boolean;
}

/** The messages of one item, each JSON text. */
export const messagesOf = (item: HistoryItem, labels: readonly Label[], encoding: Encoding): readonly string[] => {
  switch (item.kind) {
    case "user":
      return [object({ role: '"user"', content: quote(userText(item.text)) })];
    case "assistant":
      return assistantMessages(item, labels, encoding);
    case "hookNote":
      return hookMessages(item, labels, encoding.demandsReasoning);
  }
  return assertNever(item);
};

export const systemMessage = (text: string): string => object({ role: '"system"', content: quote(text) });

const nameless: Label = { id: "", name: "" };

const assistantMessages = (item: AssistantItem, labels: readonly Label[], encoding: Encoding): readonly string[] => {
  const calls = item.exchanges.map(({ call }, index) => callObject(call, labels[index] ?? nameless));
  if (calls.length === 0 && assistantText(item.text) === "") return [];
  const replay = replayedMember(item.replay, encoding);
  const text = quote(assistantText(item.text));
  const members = { role: '"assistant"', content: text, ...replay, tool_calls: calls.length === 0 ? "" : array(calls) };
  return [object(members), ...resultMessages(item.exchanges, labels)];
};

/** Whether a reply left reasoning that this host and model take back. */
export const isReplayed = (replay: Option<ReplayData>, { dialect, model, replayMember }: Encoding): boolean =>
  replayMember !== "" && replay._tag === "Some" && replay.value.dialect === dialect && replay.value.model === model;

const replayedMember = (replay: Option<ReplayData>, encoding: Encoding): Record<string, string> =>
  replay._tag === "Some" && isReplayed(replay, encoding) ? { [encoding.replayMember]: replay.value.json } : {};

/** Unmodelled fields stand beside `function`, never inside it: Gemini refuses its own signature elsewhere. */
const callObject = ({ argumentsText, extra }: ToolCall, { id, name }: Label): string => {
  const called = object({ name: quote(name), arguments: quote(argumentsText) });
  return objectOf([["id", quote(id)], ["type", '"function"'], ...unmodelled(rawMembers(extra)), ["function", called]]);
};

/** The fields of a call that we have no name for. Of names that are well-formed the same, one field remains, the last. */
export const unmodelled = <A>(call: ReadonlyMap<string, A>): readonly (readonly [string, A])[] => {
  const named = new Map([...call].map(([name, value]) => [wellFormed(name), value]));
  return [...named].filter(([name]) => !MODELLED.has(name));
};

const MODELLED: ReadonlySet<string> = new Set(["id", "type", "function"]);

/** All results first, then the images of all of them: the messages of one batch must stand together. */
const resultMessages = (exchanges: readonly ToolExchange[], labels: readonly Label[]): readonly string[] => {
  const results = exchanges.map(({ outcome }) => resultOf(outcome));
  const messages = results.map((result, index) => toolMessage(labels[index] ?? nameless, resultText(result)));
  const images = imageUrls(results).map((url) =>
    object({ type: '"image_url"', image_url: object({ url: quote(url) }) }),
  );
  return images.length === 0 ? messages : [...messages, object({ role: '"user"', content: array(images) })];
};

const toolMessage = ({ id }: Label, text: string): string =>
  object({ role: '"tool"', tool_call_id: quote(id), content: quote(text) });

const hookMessages = (
  note: HookNote,
  [label = nameless]: readonly Label[],
  demandsReasoning: boolean,
): readonly string[] => {
  const said = hookNoteJson(note);
  if (demandsReasoning) return [object({ role: '"user"', content: quote(said) })];
  const called = object({ name: quote(label.name), arguments: '"{}"' });
  const call = object({ id: quote(label.id), type: '"function"', function: called });
  return [object({ role: '"assistant"', content: '""', tool_calls: array([call]) }), toolMessage(label, said)];
};

const CACHE = '"cache_control":{"type":"ephemeral"}';
const USER = '{"role":"user","content":"';
const SYSTEM = '{"role":"system","content":"';

/** A message whose content is a text, with that text as a block that carries a cache breakpoint. */
const markedText = (message: string, opening: string): string => {
  const start = opening.length - 1;
  const text = message.slice(start, -1);
  return `${message.slice(0, start)}[{"type":"text","text":${text},${CACHE}}]}`;
};

/** Breakpoints of OpenRouter for Anthropic models: the system text, and the two newest user messages that are text. */
export const withMarks = (messages: readonly string[]): readonly string[] => {
  const newest = messages.flatMap((message, index) => (message.startsWith(USER) ? [index] : [])).slice(-2);
  return messages.map((message, index) => {
    if (newest.includes(index)) return markedText(message, USER);
    // An empty text block would be refused.
    return index === 0 && message.startsWith(SYSTEM) && message !== `${SYSTEM}"}`
      ? markedText(message, SYSTEM)
      : message;
  });
};

/** Tool definitions of one list with a breakpoint in the last one, inside its `function`. */
export const withToolMark = (tools: string): string =>
  tools.endsWith("}}]") ? `${tools.slice(0, -"}}]".length)},${CACHE}}}]` : tools;
