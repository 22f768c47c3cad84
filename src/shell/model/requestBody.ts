/** The body of a request: JSON in many pieces, sent in a few writes and never as one string (a history may be 16 MiB). */
import { Readable } from "node:stream";

export interface RequestBody {
  readonly bytes: number;
  /** Fresh at every call, since each try sends the body from its beginning. */
  readonly open: () => Uint8Array | Readable;
}

/** What one write carries: most bodies whole, and of a large one no more than is worth holding twice. */
const CHUNK_BYTES = 1024 * 1024;

/** Texts and, at the same index, their bytes in UTF-8. */
interface Pieces {
  readonly texts: readonly string[];
  readonly sizes: readonly number[];
}

/** Some pieces in a row, and how many bytes they have together. */
interface Row {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

/** Written straight into the buffer that is sent. A text as long as its bytes is ASCII, for which Latin-1 is a plain copy. */
const written = ({ texts, sizes }: Pieces, { from, to, bytes }: Row): Buffer => {
  const buffer = Buffer.allocUnsafe(bytes);
  let offset = 0;
  for (let index = from; index < to; index += 1) {
    const text = texts[index] ?? "";
    offset += buffer.write(text, offset, text.length === sizes[index] ? "latin1" : "utf8");
  }
  return buffer;
};

function* chunksOf(pieces: Pieces): Iterable<Buffer> {
  let from = 0;
  let bytes = 0;
  for (const [index, size] of pieces.sizes.entries()) {
    if (bytes > 0 && bytes + size > CHUNK_BYTES) {
      yield written(pieces, { from, to: index, bytes });
      from = index;
      bytes = 0;
    }
    bytes += size;
  }
  yield written(pieces, { from, to: pieces.sizes.length, bytes });
}

export const requestBody = (texts: readonly string[]): RequestBody => {
  const sizes = texts.map((text) => Buffer.byteLength(text));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const pieces = { texts, sizes };
  return {
    bytes,
    open: () =>
      bytes <= CHUNK_BYTES
        ? written(pieces, { from: 0, to: texts.length, bytes })
        : Readable.from(chunksOf(pieces), { objectMode: false }),
  };
};
