/** A fingerprint of 128 bits, for comparing runs. Not cryptographic: it finds differences, it does not resist anybody. */

const LANES = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344] as const;

const finish = (word: number): number => {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

/** 32 hexadecimal digits. */
export const digestOf = (text: string): string => {
  let [a, b, c, d]: readonly number[] = LANES;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // Four lanes with multipliers of their own; each takes something of its neighbour, so that they do not fail together.
    a = Math.imul((a ?? 0) ^ unit, 0x239b961b) ^ ((b ?? 0) >>> 15);
    b = Math.imul((b ?? 0) ^ unit, 0x2127599b) ^ ((c ?? 0) >>> 13);
    c = Math.imul((c ?? 0) ^ unit, 0x38b34ae5) ^ ((d ?? 0) >>> 17);
    d = Math.imul((d ?? 0) ^ unit, 0x61c88647) ^ (a >>> 16);
  }
  const sum = (a ?? 0) + (b ?? 0) + (c ?? 0) + (d ?? 0) + text.length;
  return [a, b, c, d]
    .map((lane) =>
      finish((lane ?? 0) ^ sum)
        .toString(16)
        .padStart(8, "0"),
    )
    .join("");
};

export const FIRST_DIGEST = digestOf("");

/** The digest of a run after one more line: covers the order of the lines too. */
export const nextDigest = (digest: string, lineDigest: string): string => digestOf(digest + lineDigest);
