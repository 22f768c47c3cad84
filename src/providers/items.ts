/**
 * History as a flat list of JSON texts. What was made of a conversation is remembered for as long as its first item lives: items
 * are immutable and keep their identity, so a request labels and encodes what is new, and gives the very same strings for the rest.
 */
import type { HistoryItem } from "../core/history.js";
import type { ModelRequest, Tool } from "../core/model.js";
import { type Alphabet, createLabeller, type Label } from "./labels.js";
import { beginsWith, isSame } from "./sameElements.js";

/** The beginning of a conversation, encoded; it grows with it. */
interface Encoded {
  readonly about: string;
  readonly tools: readonly Tool[];
  readonly items: HistoryItem[];
  readonly texts: string[];
  readonly labelsOf: (item: HistoryItem) => readonly Label[];
}

type Conversation = Pick<ModelRequest, "history" | "tools">;

/**
 * `encode` makes the texts of one item. `about` is all that they depend on beside the item and its labels, as one string.
 */
export const itemsEncoder = <E>(
  alphabet: Alphabet,
  about: (encoding: E) => string,
  encode: (item: HistoryItem, labels: readonly Label[], encoding: E) => readonly string[],
): ((conversation: Conversation, encoding: E) => readonly string[]) => {
  const byFirstItem = new WeakMap<HistoryItem, Encoded>();

  /** What is known of the conversation, or an empty beginning: another model, other tools and a rewritten history begin anew. */
  const beginningOf = ({ history, tools }: Conversation, first: HistoryItem, key: string): Encoded => {
    const known = byFirstItem.get(first);
    return known?.about === key && isSame(known.tools, tools) && beginsWith(history, known.items)
      ? known
      : { about: key, tools, items: [], texts: [], labelsOf: createLabeller(tools, alphabet) };
  };

  return (conversation, encoding) => {
    const { history } = conversation;
    const [first] = history;
    if (first === undefined) return [];
    const encoded = beginningOf(conversation, first, about(encoding));
    const { items, texts, labelsOf } = encoded;
    // Forgotten while it grows: should an encoder fail in the middle, the next request begins anew.
    byFirstItem.delete(first);
    for (const item of history.slice(items.length)) {
      items.push(item);
      texts.push(...encode(item, labelsOf(item), encoding));
    }
    byFirstItem.set(first, encoded);
    return texts.slice();
  };
};
