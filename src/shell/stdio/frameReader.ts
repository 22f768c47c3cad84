/**
 * Bytes to frames. A frame is one line of UTF-8; how the bytes were cut into chunks makes no difference. A byte-order mark in
 * front of the first frame, CRLF and blank lines are let pass (`spec/acp.md` section 4, 15 to 21).
 */
import { isUtf8 } from "node:buffer";

export type Frame =
  | { readonly kind: "line"; readonly text: string }
  /** Bytes behind the last line feed when the input ended. */
  | { readonly kind: "unterminated"; readonly text: string }
  /** These two end the connection, nothing is read behind them: where the next frame begins is anybody's guess. */
  | { readonly kind: "tooLong"; readonly maxLineBytes: number }
  | { readonly kind: "notUtf8" };

export interface FrameReader {
  readonly push: (chunk: Uint8Array) => readonly Frame[];
  readonly end: () => readonly Frame[];
}

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = "\ufeff";

/** `maxLineBytes` counts the line end; a line of exactly that many bytes is read. */
export const createFrameReader = (maxLineBytes: number): FrameReader => {
  let pieces: Uint8Array[] = [];
  let pendingBytes = 0;
  let first = true;
  let over = false;

  const finish = (frame: Frame): Frame => {
    over = true;
    pieces = [];
    return frame;
  };

  const take = (): string | undefined => {
    const bytes = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, pendingBytes);
    pieces = [];
    pendingBytes = 0;
    const text = decode(bytes ?? new Uint8Array());
    const start = first && text?.startsWith(BYTE_ORDER_MARK) === true ? 1 : 0;
    first = false;
    return text?.slice(start);
  };

  /** The line that the pending bytes are; nothing if it is blank. */
  const line = (kind: "line" | "unterminated"): readonly Frame[] => {
    const text = take();
    if (text === undefined) return [finish({ kind: "notUtf8" })];
    return text.trim() === "" ? [] : [{ kind, text }];
  };

  const push = (chunk: Uint8Array): readonly Frame[] => {
    const frames: Frame[] = [];
    let at = 0;
    while (at < chunk.length) {
      if (over) break;
      const lineFeed = chunk.indexOf(LINE_FEED, at);
      const end = lineFeed < 0 ? chunk.length : lineFeed;
      pieces.push(chunk.subarray(at, end));
      pendingBytes += end - at;
      if (pendingBytes >= maxLineBytes) frames.push(finish({ kind: "tooLong", maxLineBytes }));
      else if (lineFeed >= 0) frames.push(...line("line"));
      at = end + 1;
    }
    return frames;
  };

  const end = (): readonly Frame[] => (over || pendingBytes === 0 ? [] : line("unterminated"));

  return { push, end };
};

/** What a fatal decoder says, in a fraction of its time: there is none to be made, and both steps are native. */
const decode = (bytes: Uint8Array): string | undefined =>
  isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString() : undefined;
