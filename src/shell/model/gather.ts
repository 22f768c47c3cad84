/**
 * The body of a response while it arrives, and its text in the end. A reply may have 16 MiB, and what is made of it needs room as
 * well, so its bytes never lie in two places: one block of memory grows with them, and is given back as soon as there is a text.
 */
import { isAscii } from "node:buffer";

export interface Gathered {
  /** False when there are more than `bytesMax` bytes in all: the beginning is kept, and nothing more should come. */
  readonly add: (chunk: Uint8Array) => boolean;
  /** What has come, as UTF-8: invalid bytes, a character cut off at the end included, become U+FFFD; a byte-order mark goes (F63). */
  readonly text: () => string;
}

/** Most long replies are ASCII, and telling takes a tenth of what decoding takes. */
const decodeUtf8 = (bytes: Buffer): string =>
  isAscii(bytes) ? bytes.toString("latin1") : new TextDecoder().decode(bytes);

/** Addresses for the largest body are set aside at once, memory only as it is filled. */
const openBlock = (beginning: Uint8Array, bytesMax: number): ArrayBuffer => {
  const block = new ArrayBuffer(beginning.length, { maxByteLength: bytesMax });
  new Uint8Array(block).set(beginning);
  return block;
};

const append = (block: ArrayBuffer, chunk: Uint8Array): void => {
  const held = block.byteLength;
  block.resize(Math.min(held + chunk.length, block.maxByteLength));
  new Uint8Array(block).set(chunk.subarray(0, block.byteLength - held), held);
};

export const gather = (bytesMax: number): Gathered => {
  let bytes = 0;
  /** Most bodies are one chunk, which needs no copy. */
  let first: Buffer = Buffer.alloc(0);
  let block: ArrayBuffer | undefined;
  return {
    add: (chunk) => {
      if (bytes === 0) first = Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.length, bytesMax));
      else append((block ??= openBlock(first, bytesMax)), chunk);
      bytes += chunk.length;
      return bytes <= bytesMax;
    },
    text: () => {
      const text = decodeUtf8(block === undefined ? first : Buffer.from(block));
      block?.resize(0);
      return text;
    },
  };
};
