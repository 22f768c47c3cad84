/** Text of any length. Its words do not matter to the loop, its bytes do: pure ASCII, so that bytes, units and characters are one. */

const SENTENCE = "The quick brown fox of the simulation jumps over whatever the model wrote before, and goes on. ";

/** Slices of one string are cheap: the engine keeps a reference into it instead of copying. */
let supply = SENTENCE.repeat(700);

/** Exactly `bytes` bytes; blank only if empty. */
export const filler = (bytes: number): string => {
  if (bytes > supply.length) supply = SENTENCE.repeat(Math.ceil(bytes / SENTENCE.length));
  return supply.slice(0, bytes);
};

const OPEN = '{"text":"';
const CLOSE = '"}';

/** JSON text of an object, of `bytes` bytes or the fewest that an object takes. */
export const fillerObject = (bytes: number): string =>
  bytes <= OPEN.length + CLOSE.length ? "{}" : OPEN + filler(bytes - OPEN.length - CLOSE.length) + CLOSE;
