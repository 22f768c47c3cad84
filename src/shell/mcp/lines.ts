/** Lines out of a byte stream, bounded, each byte looked at once and copied once at most. */

export interface LineReader {
  readonly push: (chunk: Buffer) => void;
  /** Bytes behind the last line end. */
  readonly pending: () => number;
}

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Calls `onLine` with each line, without its line end and, at the very start, without a byte-order mark (F63). A line of more
 * than `bytesMax` bytes is reported once, as soon as that is known, and nothing is read after it.
 */
export const lineReader = (bytesMax: number, onLine: (line: string) => void, onTooLong: () => void): LineReader => {
  let parts: Buffer[] = [];
  let size = 0;
  let first = true;
  let over = false;

  const add = (part: Buffer): boolean => {
    size += part.length;
    if (size > bytesMax) {
      over = true;
      parts = [];
      onTooLong();
      return false;
    }
    if (part.length > 0) parts.push(part);
    return true;
  };

  const flush = (): void => {
    const [only, ...more] = parts;
    const text = (only !== undefined && more.length === 0 ? only : Buffer.concat(parts, size)).toString("utf8");
    parts = [];
    size = 0;
    const line = text.endsWith("\r") ? text.slice(0, -1) : text;
    onLine(first && line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line);
    first = false;
  };

  const push = (chunk: Buffer): void => {
    for (let start = 0; !over && start < chunk.length;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (!add(chunk.subarray(start, end < 0 ? chunk.length : end))) return;
      if (end < 0) return;
      flush();
      start = end + 1;
    }
  };

  return { push, pending: () => size };
};
