/** BM25 over texts held in memory (MiniSearch). */
import MiniSearch from "minisearch";
import { folded, questionWords, words } from "./words.js";

export interface Hit {
  readonly id: string;
  /** 0 to 1. */
  readonly similarity: number;
}

export interface TextIndex {
  /** Adds the text, or puts it in the place of the one with this id. */
  readonly put: (id: string, text: string) => void;
  readonly drop: (id: string) => void;
  /** Strongest first; equally strong ones in the order of their ids. */
  readonly search: (query: string, k: number) => readonly Hit[];
}

/** The usual parameters of BM25+; the ideal below depends on them. */
const BM25 = { k: 1.2, b: 0.7, d: 0.5 };

const inverseFrequency = (documents: number, withWord: number): number =>
  Math.log(1 + (documents - withWord + 0.5) / (withWord + 0.5));

/** What a text would score that says every word of the question that any text says, without end. */
const idealScore = (documents: number, withWord: Iterable<number>): number => {
  let sum = 0;
  for (const count of withWord) sum += inverseFrequency(documents, count) * (BM25.d + BM25.k + 1);
  return sum;
};

export const createTextIndex = (queryWordsMax: number): TextIndex => {
  const index = new MiniSearch<{ id: string; text: string }>({
    fields: ["text"],
    tokenize: (text) => [...words(text)],
    processTerm: folded,
    searchOptions: { bm25: BM25, combineWith: "OR" },
  });
  // MiniSearch's `discard` needs no text, but leaves words counted that nobody says any more: scores fall below zero.
  const texts = new Map<string, string>();
  const drop = (id: string): void => {
    const text = texts.get(id);
    if (text !== undefined) index.remove({ id, text });
    texts.delete(id);
  };
  return {
    put: (id, text) => {
      drop(id);
      index.add({ id, text });
      texts.set(id, text);
    },
    drop,
    search: (query, k) => {
      const found = index.search(questionWords(query, queryWordsMax, folded).join(" "));
      const withWord = new Map<string, number>();
      for (const { terms } of found) for (const term of terms) withWord.set(term, (withWord.get(term) ?? 0) + 1);
      const ideal = idealScore(index.documentCount, withWord.values());
      return (
        found
          // MiniSearch multiplies BM25 by the number of words found; undone, for a rare word says more than three common ones.
          .map(({ id, score, queryTerms }) => ({ id: String(id), similarity: score / queryTerms.length / ideal }))
          .toSorted((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1))
          .slice(0, k)
          .map(({ id, similarity }) => ({ id, similarity: Math.min(1, similarity) }))
      );
    },
  };
};
