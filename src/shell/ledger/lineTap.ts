/** Looks at the lines of a byte stream that somebody else passes on. Never in the way: a line that is too long is not looked at. */

const LINE_FEED = 0x0a;

/** A function to show every chunk to, in order; it calls `see` with each line, without its end. */
export const createLineTap = (
  maxLineBytes: number,
  see: (line: string) => void,
  tooLong: () => void,
): ((chunk: Uint8Array) => void) => {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  let skipping = false;

  const add = (piece: Uint8Array): void => {
    bytes += piece.length;
    if (skipping || piece.length === 0) return;
    if (bytes <= maxLineBytes) {
      pieces.push(piece);
      return;
    }
    skipping = true;
    pieces = [];
    tooLong();
  };

  const finish = (): void => {
    const [only] = pieces;
    if (!skipping && only !== undefined)
      see(Buffer.from(pieces.length === 1 ? only : Buffer.concat(pieces)).toString());
    pieces = [];
    bytes = 0;
    skipping = false;
  };

  return (chunk) => {
    let at = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, at)) {
      add(chunk.subarray(at, end));
      finish();
      at = end + 1;
    }
    if (at < chunk.length) add(chunk.subarray(at));
  };
};
