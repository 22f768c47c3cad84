/** The body of a request: JSON in many pieces, sent without ever being one string (a history may be 16 MiB). */

export interface RequestBody {
  readonly bytes: number;
  /** Fresh at every call, since each try sends the body from its beginning. */
  readonly chunks: () => Iterable<Uint8Array>;
}

/** Pieces are sent together up to this many UTF-16 units: one write each for thousands of small ones would cost more. */
const CHUNK_UNITS = 64 * 1024;

export const requestBody = (pieces: readonly string[]): RequestBody => ({
  bytes: pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0),
  chunks: function* () {
    let pending: string[] = [];
    let units = 0;
    for (const piece of pieces) {
      pending.push(piece);
      units += piece.length;
      if (units < CHUNK_UNITS) continue;
      yield Buffer.from(pending.join(""));
      pending = [];
      units = 0;
    }
    if (units > 0) yield Buffer.from(pending.join(""));
  },
});
