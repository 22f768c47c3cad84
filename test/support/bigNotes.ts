/** Many notes of made-up words, the same for the same seed. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const SYLLABLES = ["ba", "lo", "ki", "tu", "se", "na", "ri", "mo", "pe", "du", "fa", "go"];

/** Word number `n` of a vocabulary. */
const word = (n: number): string =>
  [n % 12, Math.floor(n / 12) % 12, Math.floor(n / 144) % 12, Math.floor(n / 1728) % 12]
    .map((digit) => SYLLABLES[digit] ?? "")
    .join("");

/** Words as unevenly frequent as in a language. */
export const bigText = (seed: number, bytes: number): string => {
  let state = seed * 2_654_435_761 + 1;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const said: string[] = [];
  for (let length = 0; length < bytes;) {
    const each = word(Math.floor(20_000 ** next()));
    said.push(each);
    length += each.length + 1;
  }
  return said.join(" ");
};

export const writeBigNotes = (folder: string, count: number, bytesEach: number): void => {
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < count; index++) {
    writeFileSync(path.join(folder, `note-${index}.md`), bigText(index, bytesEach));
  }
};
