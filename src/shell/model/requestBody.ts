/** The body of a request: JSON in many texts, sent in a few writes and never as one string (a history may be 16 MiB). */

export interface RequestBody {
  readonly bytes: number;
  /** Fresh at every call, since each try sends the body from its beginning. For who may read the chunks see `chunksOf`. */
  readonly open: () => Uint8Array | Iterable<Uint8Array>;
}

/** A body of so many bytes is sent whole; of a larger one so much at a time as a processor's cache holds. */
export const CHUNK_BYTES = 256 * 1024;

/** Texts and, at the same index, their lengths in UTF-8. */
interface Pieces {
  readonly texts: readonly string[];
  readonly sizes: readonly number[];
}

const encoder = new TextEncoder();

/**
 * Fills one buffer again and again: fresh memory for all of a body costs more than all else about it. So a chunk must have been
 * taken when the next one is asked for. undici's writer does so, because each is more than a socket holds before it wants to be
 * drained, and only the last may be short.
 */
function* chunksOf({ texts, sizes }: Pieces, bytes: number): Iterable<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(bytes, CHUNK_BYTES));
  let used = 0;
  for (const [index, text] of texts.entries()) {
    // As many bytes as units: ASCII, of which Latin-1 makes a plain copy.
    const isAscii = text.length === sizes[index];
    for (let at = 0; at < text.length;) {
      const rest = at === 0 ? text : text.slice(at);
      if (isAscii) {
        const written = buffer.write(rest, used, "latin1");
        at += written;
        used += written;
      } else {
        // A character that does not fit whole is not begun.
        const { read, written } = encoder.encodeInto(rest, buffer.subarray(used));
        at += read;
        used += written;
      }
      if (at === text.length) break;
      yield buffer.subarray(0, used);
      used = 0;
    }
  }
  yield buffer.subarray(0, used);
}

export const requestBody = (texts: readonly string[]): RequestBody => {
  const sizes = texts.map((text) => Buffer.byteLength(text));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const chunks = (): Iterable<Buffer> => chunksOf({ texts, sizes }, bytes);
  return {
    bytes,
    open: () => {
      if (bytes > CHUNK_BYTES) return chunks();
      const [whole = Buffer.alloc(0)] = chunks();
      return whole;
    },
  };
};
