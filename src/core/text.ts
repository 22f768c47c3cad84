/**
 * Text, measured and cut by UTF-8 bytes. The only place where text is cut: always between code points, and what comes out is
 * well-formed UTF-16 whatever went in.
 */

/** Replaces lone surrogates by U+FFFD; a well-formed string comes back as the same string. */
export const wellFormed = (text: string): string => text.toWellFormed();

/** Empty in the sense of the loop: nothing but white space. */
export const isBlank = (text: string): boolean => text.trim() === "";

/** Part of every runtime (WHATWG Encoding), but the language's own library does not declare it. */
declare const TextEncoder: new () => {
  readonly encodeInto: (text: string, into: Uint8Array) => { readonly read: number; readonly written: number };
};

const encoder = new TextEncoder();
const scratch = new Uint8Array(16 * 1024);
/** From so many UTF-16 units on the runtime's encoder counts faster than a loop, five times at 1 KiB and ten times at 1 MiB. */
const LONG_UNITS = 256;

/** Length in UTF-8 bytes; a lone surrogate counts as the three bytes of U+FFFD. */
export const utf8Bytes = (text: string): number => (text.length < LONG_UNITS ? counted(text) : encoded(text));

const encoded = (text: string): number => {
  let bytes = 0;
  for (let at = 0; at < text.length;) {
    const { read, written } = encoder.encodeInto(text.slice(at), scratch);
    at += read;
    bytes += written;
  }
  return bytes;
};

const counted = (text: string): number => {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text, i + 1)) {
      // A pair: four bytes for two units.
      bytes += 2;
      i += 1;
    } else bytes += 2;
  }
  return bytes;
};

const isLowSurrogate = (text: string, index: number): boolean => {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit < 0xe000;
};

const codePointBytes = (codePoint: number): number =>
  codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;

/** The longest beginning of `text` that fits `bytesMax`, cut between code points. */
export const headBytes = (text: string, bytesMax: number): string => {
  if (text.length * 3 <= bytesMax) return wellFormed(text);
  let end = 0;
  for (let room = bytesMax; room > 0 && end < text.length;) {
    // What does not fit whole is not begun, neither by the encoder nor here.
    const { read, written } = encoder.encodeInto(text.slice(end), scratch.subarray(0, room));
    if (read === 0) break;
    end += read;
    room -= written;
  }
  return wellFormed(text.slice(0, end));
};

/** The longest end of `text` that fits `bytesMax`, cut between code points. */
export const tailBytes = (text: string, bytesMax: number): string => {
  if (text.length * 3 <= bytesMax) return wellFormed(text);
  let bytes = 0;
  let start = text.length;
  while (start > 0) {
    const pair = isLowSurrogate(text, start - 1) && (text.codePointAt(start - 2) ?? 0) > 0xffff;
    const width = pair ? 2 : 1;
    bytes += pair ? 4 : codePointBytes(text.charCodeAt(start - 1));
    if (bytes > bytesMax) break;
    start -= width;
  }
  return wellFormed(text.slice(start));
};

/** At most `bytesMax` bytes: `text` itself, or its beginning and `marker`, which counts. Without room for the marker it is left out. */
export const clampText = (text: string, bytesMax: number, marker: string): string => {
  if (utf8Bytes(text) <= bytesMax) return wellFormed(text);
  const room = bytesMax - utf8Bytes(marker);
  return room <= 0 ? headBytes(text, Math.max(0, bytesMax)) : headBytes(text, room) + marker;
};

/** Room kept for the marker of `elideMiddle`, in bytes. */
const ELISION_MARKER_BYTES = 128;

/** At most `bytesMax` bytes: `text` itself, or its two ends around a line that says how much is missing. `what` is short ASCII. */
export const elideMiddle = (text: string, bytesMax: number, what: string): string => {
  const total = utf8Bytes(text);
  if (total <= bytesMax) return wellFormed(text);
  const keep = bytesMax - ELISION_MARKER_BYTES;
  if (keep <= 0) return headBytes(text, Math.max(0, bytesMax));
  const head = headBytes(text, Math.ceil(keep / 2));
  const tail = tailBytes(text, Math.floor(keep / 2));
  const missing = total - utf8Bytes(head) - utf8Bytes(tail);
  return `${head}\n[... ${missing} of ${total} bytes elided from ${what} ...]\n${tail}`;
};

const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;

/**
 * Every line behind "| ". Foreign text inside a frame of ours can then neither close the frame nor open one, whatever it says
 * (F80): our own markers never begin with a bar.
 */
export const quoteLines = (text: string): string =>
  wellFormed(text)
    .split(LINE_BREAK)
    .map((line) => `| ${line}`)
    .join("\n");

/** One line of at most `bytesMax` bytes: white space and control characters become single spaces. */
export const oneLine = (text: string, bytesMax: number): string =>
  clampText(text.replace(/[\s\p{Cc}]+/gu, " ").trim(), bytesMax, "…");
