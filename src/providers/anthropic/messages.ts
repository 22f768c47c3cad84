/** History as the messages of the Anthropic dialect (`spec/providers.md` 5.2). */
import { assertNever } from "../../core/never.js";
import type { AssistantItem, HistoryItem, HookNote, ResultPart, ToolResult } from "../../core/history.js";
import { assistantText, hookNoteJson, resultOf, userText } from "../content.js";
import { array, object, quote } from "../jsonText.js";
import type { Label } from "../labels.js";
import { arrange, segmentsOf } from "../segments.js";

export const ANTHROPIC = "anthropic-messages";

/** What the encoding of an item depends on beside the item itself. */
export interface Encoding {
  readonly model: string;
  /** Calls must follow signed reasoning, so what a hook said cannot be a call. */
  readonly demandsReasoning: boolean;
}

/** The messages of one item, each JSON text. */
export const messagesOf = (item: HistoryItem, labels: readonly Label[], encoding: Encoding): readonly string[] => {
  switch (item.kind) {
    case "user":
      return [message("user", [textBlock(userText(item.text))])];
    case "assistant":
      return assistantMessages(item, labels, encoding.model);
    case "hookNote":
      return hookMessages(item, labels, encoding.demandsReasoning);
  }
  return assertNever(item);
};

const message = (role: "user" | "assistant", blocks: readonly string[]): string =>
  object({ role: `"${role}"`, content: array(blocks) });

const textBlock = (text: string): string => object({ type: '"text"', text: quote(text) });

const callBlock = ({ id, name }: Label, input: string): string =>
  object({ type: '"tool_use"', id: quote(id), name: quote(name), input });

const resultBlock = ({ id }: Label, { parts, isError }: ToolResult): string =>
  object({
    type: '"tool_result"',
    tool_use_id: quote(id),
    content: array(parts.map(partBlock)),
    is_error: String(isError),
  });

const partBlock = (part: ResultPart): string => {
  switch (part.kind) {
    case "text":
      return textBlock(part.text);
    case "image": {
      const source = { type: '"base64"', media_type: quote(part.mimeType), data: quote(part.dataBase64) };
      return object({ type: '"image"', source: object(source) });
    }
  }
  return assertNever(part);
};

const nameless: Label = { id: "", name: "" };

const assistantMessages = (item: AssistantItem, labels: readonly Label[], model: string): readonly string[] => {
  const text = assistantText(item.text);
  const calls = item.exchanges.map(({ call }, index) => callBlock(labels[index] ?? nameless, call.argumentsText));
  const segments = segmentsOf(item.replay, ANTHROPIC, model);
  const blocks = arrange(segments, text === "" ? "" : textBlock(text), calls);
  if (blocks.length === 0) return [];
  const results = item.exchanges.map(({ outcome }, index) => resultBlock(labels[index] ?? nameless, resultOf(outcome)));
  return [message("assistant", blocks), ...(results.length === 0 ? [] : [message("user", results)])];
};

const hookMessages = (
  note: HookNote,
  [label = nameless]: readonly Label[],
  demandsReasoning: boolean,
): readonly string[] => {
  const said = textBlock(hookNoteJson(note));
  if (demandsReasoning) return [message("user", [said])];
  const result = resultBlock(label, { parts: [{ kind: "text", text: hookNoteJson(note) }], isError: false });
  return [message("assistant", [callBlock(label, "{}")]), message("user", [result])];
};

const MARK = ',"cache_control":{"type":"ephemeral"}';

/** The message with a cache breakpoint in its last block. Every block is an object with members, so the mark fits before its end. */
export const marked = (json: string): string => `${json.slice(0, -"}]}".length)}${MARK}}]}`;

/** The system text; with caching a block of its own that covers the tools as well, since those come before it in the prefix. */
export const systemOf = (text: string, caching: boolean): string =>
  text === "" || !caching ? quote(text) : `[${textBlock(text).slice(0, -1)}${MARK}}]`;

/** Whether a reply begins with reasoning that this very model takes back. */
export const beginsWithReasoning =
  (model: string) =>
  (item: AssistantItem): boolean =>
    segmentsOf(item.replay, ANTHROPIC, model)[0]?.kind === "opaque";
