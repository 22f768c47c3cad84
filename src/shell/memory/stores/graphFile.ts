/** A knowledge-graph file, read as a whole whenever it has changed. */
import { readFileSync, statSync } from "node:fs";
import { clampText } from "../../../core/text.js";
import { hoursSince } from "./dates.js";
import { readGraph, type GraphText } from "./graph.js";
import { StoreFault, type Store, type StoreLimits } from "./store.js";
import { createTextIndex, type TextIndex } from "./textIndex.js";

interface Loaded {
  /** Modification time and size; another one is another content. */
  readonly version: string;
  readonly index: TextIndex;
  readonly texts: ReadonlyMap<string, GraphText>;
}

const versionOf = (file: string): { readonly version: string; readonly at: number; readonly bytes: number } => {
  const { mtimeMs, size, ino } = statSync(file);
  return { version: `${ino}:${mtimeMs}:${size}`, at: mtimeMs, bytes: size };
};

const load = (file: string, limits: StoreLimits): Loaded => {
  const { version, at, bytes } = versionOf(file);
  if (bytes > limits.textBytesMax) {
    throw new StoreFault(`the store is larger than ${limits.textBytesMax} bytes (TURNFOLD_MEMORY_TEXT_BYTES)`);
  }
  const index = createTextIndex(limits.queryWordsMax);
  const texts = new Map<string, GraphText>();
  for (const each of readGraph(readFileSync(file, "utf8"), at)) {
    const content = clampText(each.content, limits.noteBytesMax, "\n[the rest is left out]");
    texts.set(each.name, { ...each, content });
    index.put(each.name, content);
  }
  return { version, index, texts };
};

export const openGraphFile = (file: string, limits: StoreLimits): Store => {
  let loaded = load(file, limits);
  return {
    recall: (query, k, now) => {
      if (versionOf(file).version !== loaded.version) loaded = load(file, limits);
      return loaded.index.search(query, k).flatMap(({ id, similarity }) => {
        const found = loaded.texts.get(id);
        return found === undefined ? [] : [{ content: found.content, similarity, ageHours: hoursSince(found.at, now) }];
      });
    },
    report: () => ({ kind: "graph", texts: loaded.texts.size, leftOut: 0 }),
    close: () => undefined,
  };
};
