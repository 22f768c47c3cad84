/** The body of a request: JSON in many pieces, sent in a few writes and never as one string (a history may be 16 MiB). */
import { Readable } from "node:stream";

export interface RequestBody {
  readonly bytes: number;
  /** Fresh at every call, since each try sends the body from its beginning. */
  readonly open: () => Uint8Array | Readable;
}

/** What one write carries: most bodies whole, and of a large one no more than is worth holding twice. */
const CHUNK_BYTES = 1024 * 1024;

interface Piece {
  readonly text: string;
  readonly bytes: number;
}

/** Written straight into the buffer that is sent: with the sizes known, the cost of an old history is that of a copy. */
const written = (pieces: readonly Piece[], bytes: number): Buffer => {
  const buffer = Buffer.allocUnsafe(bytes);
  let offset = 0;
  for (const { text } of pieces) offset += buffer.write(text, offset);
  return buffer;
};

function* chunksOf(pieces: readonly Piece[]): Iterable<Buffer> {
  let pending: Piece[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    if (bytes > 0 && bytes + piece.bytes > CHUNK_BYTES) {
      yield written(pending, bytes);
      pending = [];
      bytes = 0;
    }
    pending.push(piece);
    bytes += piece.bytes;
  }
  yield written(pending, bytes);
}

export const requestBody = (texts: readonly string[]): RequestBody => {
  const pieces = texts.map((text) => ({ text, bytes: Buffer.byteLength(text) }));
  const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
  return {
    bytes,
    open: () =>
      bytes <= CHUNK_BYTES ? written(pieces, bytes) : Readable.from(chunksOf(pieces), { objectMode: false }),
  };
};
