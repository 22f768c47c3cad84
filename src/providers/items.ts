/**
 * History as a flat list of JSON texts. What was made of an item is remembered for as long as the item lives: items are immutable
 * and keep their identity, so a request encodes what is new and gives the very same strings for everything else.
 */
import type { HistoryItem } from "../core/history.js";
import type { ModelRequest } from "../core/model.js";
import { type Alphabet, type Label, labelsOf } from "./labels.js";

interface Made {
  readonly about: string;
  readonly labels: readonly Label[];
  readonly texts: readonly string[];
}

const isSame = (a: readonly Label[], b: readonly Label[]): boolean =>
  a.length === b.length && a.every(({ id, name }, index) => id === b[index]?.id && name === b[index]?.name);

/**
 * `encode` makes the texts of one item. `about` is all that they depend on beside the item and its labels, as one string.
 */
export const itemsEncoder = <E>(
  alphabet: Alphabet,
  about: (encoding: E) => string,
  encode: (item: HistoryItem, labels: readonly Label[], encoding: E) => readonly string[],
): (({ history, tools }: Pick<ModelRequest, "history" | "tools">, encoding: E) => readonly string[]) => {
  const memo = new WeakMap<HistoryItem, Made>();
  return ({ history, tools }, encoding) => {
    const key = about(encoding);
    const textsOf = (item: HistoryItem, labels: readonly Label[]): readonly string[] => {
      const made = memo.get(item);
      if (made?.about === key && isSame(made.labels, labels)) return made.texts;
      const texts = encode(item, labels, encoding);
      memo.set(item, { about: key, labels, texts });
      return texts;
    };
    // A loop: flatMap takes several times as long, and there may be thousands of items in every round.
    const all: string[] = [];
    const labels = labelsOf(history, tools, alphabet);
    for (const [index, item] of history.entries())
      for (const text of textsOf(item, labels[index] ?? [])) all.push(text);
    return all;
  };
};
