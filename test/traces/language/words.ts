/**
 * The words of a trace's command: bare words, `key=value`, JSON strings (`"text"*300` repeats one), and JSON objects or lists.
 */

export type Word =
  | { readonly kind: "bare"; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "json"; readonly text: string };

const stringEnd = (line: string, from: number): number => {
  for (let at = from + 1; at < line.length; at += 1) {
    if (line[at] === "\\") at += 1;
    else if (line[at] === '"') return at + 1;
  }
  throw new Error(`unterminated string: ${line}`);
};

const jsonEnd = (line: string, from: number): number => {
  let depth = 0;
  for (let at = from; at < line.length; at += 1) {
    const character = line[at];
    if (character === '"') at = stringEnd(line, at) - 1;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    if (depth === 0) return at + 1;
  }
  throw new Error(`unterminated JSON: ${line}`);
};

const repetition = (line: string, from: number): readonly [number, number] => {
  const times = /^\*(\d+)/.exec(line.slice(from));
  return times === null ? [1, from] : [Number(times[1]), from + times[0].length];
};

const nextWord = (line: string, from: number): readonly [Word, number] => {
  if (line[from] === '"') {
    const end = stringEnd(line, from);
    const [times, after] = repetition(line, end);
    return [{ kind: "text", text: (JSON.parse(line.slice(from, end)) as string).repeat(times) }, after];
  }
  if (line[from] === "{" || line[from] === "[") {
    const end = jsonEnd(line, from);
    return [{ kind: "json", text: line.slice(from, end) }, end];
  }
  const end = line.indexOf(" ", from);
  const until = end < 0 ? line.length : end;
  return [{ kind: "bare", text: line.slice(from, until) }, until];
};

export const wordsOf = (line: string): readonly Word[] => {
  const words: Word[] = [];
  let at = 0;
  while (at < line.length) {
    if (line[at] === " ") at += 1;
    else {
      const [word, next] = nextWord(line, at);
      words.push(word);
      at = next;
    }
  }
  return words;
};

/** `key=value` among the words. */
export const optionsOf = (words: readonly Word[]): ReadonlyMap<string, string> =>
  new Map(
    words.flatMap(({ kind, text }) => {
      const split = text.indexOf("=");
      return kind === "bare" && split > 0 ? [[text.slice(0, split), text.slice(split + 1)] as const] : [];
    }),
  );

/** The word behind the bare word `name`. */
export const after = (words: readonly Word[], name: string): string | undefined => {
  const at = words.findIndex(({ kind, text }) => kind === "bare" && text === name);
  return at < 0 ? undefined : words[at + 1]?.text;
};

/** The first string of the command. */
export const textOf = (words: readonly Word[]): string => words.find(({ kind }) => kind === "text")?.text ?? "";
