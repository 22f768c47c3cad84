/**
 * Randomness without streams: a draw is a pure function of seed, session, purpose, turn and index. Nothing is consumed, so the
 * order in which things happen, the number of workers and what other purposes drew make no difference. Two scenarios that differ in one distribution
 * meet the same fate everywhere else (common random numbers): that is what makes a sweep worth its time.
 */

/** What a draw is for: a number made of the purpose's name. */
export type Purpose = number;

/** All the randomness of one session. */
export interface Draws {
  readonly high: number;
  readonly low: number;
}

/** A mixer of 32 bits: every bit of the input flips every bit of the output about half of the time. */
const scramble = (word: number): number => {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x21f0aaad);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x735a2d97);
  return mixed ^ (mixed >>> 15);
};

const GOLDEN = 0x9e3779b9;

/** Takes one more word into a lane. The multiplication keeps small words (sessions, turns) apart before they meet the lane. */
const absorb = (lane: number, word: number): number => scramble((lane ^ Math.imul(word + 1, GOLDEN)) + GOLDEN);

/** The same name gives the same purpose, on every machine. */
export const purpose = (name: string): Purpose => {
  let lane = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) lane = absorb(lane, name.charCodeAt(i));
  return lane;
};

const HIGH_WORD = 2 ** 32;

/** `seed` and `session`: integers from 0 to 2^53 - 1. */
export const drawsOf = (seed: number, session: number): Draws => {
  const words = [seed | 0, Math.floor(seed / HIGH_WORD), session | 0, Math.floor(session / HIGH_WORD)];
  return { high: words.reduce(absorb, 0x6a09e667), low: words.reduce(absorb, 0xbb67ae85) };
};

const UNITS = 2 ** 53;

/** Uniform in the open interval (0, 1), with 53 bits. `index` tells apart what is drawn for one purpose within one turn. */
export const uniform = ({ high, low }: Draws, what: Purpose, turn: number, index: number): number => {
  const a = absorb(absorb(absorb(high, what), turn), index);
  const b = absorb(absorb(absorb(low, what), turn), index);
  return ((a >>> 5) * 2 ** 26 + (b >>> 6) + 0.5) / UNITS;
};

/** True with the given probability. */
export const chance = (draws: Draws, rate: number, what: Purpose, turn: number, index: number): boolean =>
  rate > 0 && (rate >= 1 || uniform(draws, what, turn, index) < rate);
