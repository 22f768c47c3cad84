/** History as the input items of the Responses dialect (`spec/providers.md` 5.4). */
import { assertNever } from "../../core/never.js";
import type { AssistantItem, HistoryItem, HookNote } from "../../core/history.js";
import { assistantText, hookNoteJson, imageUrls, resultOf, resultText, userText } from "../content.js";
import { array, object, quote } from "../jsonText.js";
import type { Label } from "../labels.js";
import { arrange, segmentsOf } from "../segments.js";

export const RESPONSES = "openai-responses";

/** The input items of one item of history, each JSON text. */
export const inputOf = (item: HistoryItem, labels: readonly Label[], model: string): readonly string[] => {
  switch (item.kind) {
    case "user":
      return [userMessage([object({ type: '"input_text"', text: quote(userText(item.text)) })])];
    case "assistant":
      return assistantInput(item, labels, model);
    case "hookNote":
      return hookInput(item, labels);
  }
  return assertNever(item);
};

const userMessage = (parts: readonly string[]): string => object({ role: '"user"', content: array(parts) });

const nameless: Label = { id: "", name: "" };

const callItem = ({ id, name }: Label, argumentsText: string): string =>
  object({ type: '"function_call"', call_id: quote(id), name: quote(name), arguments: quote(argumentsText) });

const outputItem = ({ id }: Label, output: string): string =>
  object({ type: '"function_call_output"', call_id: quote(id), output: quote(output) });

/** Each output is followed by its images; they are not gathered, because outputs name their calls. */
const assistantInput = (item: AssistantItem, labels: readonly Label[], model: string): readonly string[] => {
  const text = assistantText(item.text);
  const said = object({ type: '"output_text"', text: quote(text) });
  const calls = item.exchanges.map(({ call }, index) => callItem(labels[index] ?? nameless, call.argumentsText));
  const message = text === "" ? "" : object({ type: '"message"', role: '"assistant"', content: array([said]) });
  const outputs = item.exchanges.flatMap(({ outcome }, index) => {
    const result = resultOf(outcome);
    const output = outputItem(labels[index] ?? nameless, resultText(result));
    const images = imageUrls([result]).map((url) =>
      object({ type: '"input_image"', image_url: quote(url), detail: '"auto"' }),
    );
    return images.length === 0 ? [output] : [output, userMessage(images)];
  });
  return [...arrange(segmentsOf(item.replay, RESPONSES, model), message, calls), ...outputs];
};

const hookInput = (note: HookNote, [label = nameless]: readonly Label[]): readonly string[] => [
  callItem(label, "{}"),
  outputItem(label, hookNoteJson(note)),
];
