// Many notes of made-up words, the same for the same seed; for the benchmark of recalls and for tests that need a store to
// take its time.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const SYLLABLES = ["ba", "lo", "ki", "tu", "se", "na", "ri", "mo", "pe", "du", "fa", "go"];
const WORDS = SYLLABLES.length ** 4;

/**
 * Word number `n` of a vocabulary of 20,736.
 * @param {number} n
 */
function word(n) {
  let text = "";
  for (let rest = n, syllables = 0; syllables < 4; syllables++, rest = Math.floor(rest / SYLLABLES.length))
    text += SYLLABLES[rest % SYLLABLES.length];
  return text;
}

/**
 * `count` words, as unevenly frequent as in a language: the word of rank n is said in proportion to 1/n.
 * @param {number} seed
 * @param {number} count
 */
export function bigText(seed, count) {
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0;
  const said = [];
  for (let index = 0; index < count; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    said.push(word(Math.floor(WORDS ** (state / 2 ** 32)) % WORDS));
  }
  return said.join(" ");
}

/**
 * Files `note-0.md` and so on; a word and its space are nine bytes.
 * @param {string} folder
 * @param {number} count
 * @param {number} wordsEach
 */
export function writeBigNotes(folder, count, wordsEach) {
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < count; index++)
    writeFileSync(path.join(folder, `note-${index}.md`), bigText(index, wordsEach));
}
