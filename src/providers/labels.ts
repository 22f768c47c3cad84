/**
 * Ids and names of calls on the wire. History keeps them as they came, from whatever provider; a request renders them through
 * one map that is injective and deterministic, gives what is legal and unique as it is, and everything else a label of ours
 * (`spec/turn-loop.md` 2, F15, F18, F20). Labels go by first appearance, so appending to history changes none of them.
 */
import { assertNever } from "../core/never.js";
import type { HistoryItem } from "../core/history.js";
import type { Tool } from "../core/model.js";

/** What a provider accepts; each pattern matches whole strings. */
export interface Alphabet {
  readonly id: RegExp;
  readonly name: RegExp;
}

export interface Label {
  readonly id: string;
  readonly name: string;
}

/** Begins every label of ours, so a provider's own id or name that begins with it is not taken as it is. */
const OURS = "tfx_";

/** Given the items of a history one after the other, the labels of each one's calls, by position. A hook note has one. */
export const createLabeller = (
  tools: readonly Tool[],
  alphabet: Alphabet,
): ((item: HistoryItem) => readonly Label[]) => {
  const id = idMap(alphabet.id);
  const name = nameMap(alphabet.name, tools);
  return (item) => {
    switch (item.kind) {
      case "user":
        return [];
      case "assistant":
        return item.exchanges.map(({ call }) => ({ id: id(call.providerId), name: name(call.name) }));
      case "hookNote":
        return [{ id: id(""), name: name(`${item.server}__${item.hook}`) }];
    }
    return assertNever(item);
  };
};

/** Each use of an id is another call, so a second use gets a label of its own. */
const idMap = (legal: RegExp): ((id: string) => string) => {
  const used = new Set<string>();
  let calls = 0;
  return (id) => {
    calls += 1;
    if (!legal.test(id) || id.startsWith(OURS) || used.has(id)) return `${OURS}${calls}`;
    used.add(id);
    return id;
  };
};

/** Each use of a name is the same tool, so it always gets the same label. */
const nameMap = (legal: RegExp, tools: readonly Tool[]): ((name: string) => string) => {
  const offered = new Set(tools.map((tool) => tool.name));
  const labels = new Map<string, string>();
  return (name) => {
    if (offered.has(name) || (legal.test(name) && !name.startsWith(OURS))) return name;
    const known = labels.get(name);
    if (known !== undefined) return known;
    const label = `${OURS}${labels.size + 1}_${name.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 40)}`;
    labels.set(name, label);
    return label;
  };
};
