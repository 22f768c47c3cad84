/** Text as words, the same for what is remembered and for what is asked. */

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const MARK = /\p{M}/gu;
// eslint-disable-next-line no-control-regex -- ASCII needs no folding, and most words are
const ASCII = /^[\u0000-\u007f]*$/;

export const words = (text: string): readonly string[] => text.match(WORD) ?? [];

/** Lower case, without accents. */
export const folded = (word: string): string => {
  const lower = word.toLowerCase();
  return ASCII.test(lower) ? lower : lower.normalize("NFKD").replace(MARK, "").normalize("NFC");
};

/** The different words of a question, the first `max` of them, in the form in which they are searched for. */
export const questionWords = (question: string, max: number, form: (word: string) => string): readonly string[] =>
  [...new Set(words(question).map(form))].filter((word) => word !== "").slice(0, max);
