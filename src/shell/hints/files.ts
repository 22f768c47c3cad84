/** Reading files of a tree that may be hostile: regular ones only, inside the tree, bounded, as text. */
import { isAbsolute, relative, sep } from "node:path";
import { realpath, stat } from "../fileCalls.js";

const BYTE_ORDER_MARK = "\uFEFF";

/** The real path of what is inside `tree` (a real path), or undefined for what is not there or leads out of it (F80). */
export const insideTree = async (file: string, tree: string): Promise<string | undefined> => {
  try {
    const real = await realpath(file);
    const way = relative(tree, real);
    const outside = way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
    return outside ? undefined : real;
  } catch {
    return undefined;
  }
};

export const realDirectory = async (directory: string): Promise<string | undefined> => {
  try {
    const real = await realpath(directory);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
};

/**
 * The first `bytesMax` bytes of a regular file as text, without a byte-order mark, with LF line ends. Undefined if it cannot be
 * read or is no UTF-8. A pipe or a device would hold a session up for ever, so it is not even opened.
 */
export const readText = async (file: string, bytesMax: number): Promise<string | undefined> => {
  try {
    const found = await stat(file);
    if (!found.isFile()) return undefined;
    const { open } = await import("node:fs/promises");
    const handle = await open(file);
    try {
      // Some file systems tell no size.
      const buffer = Buffer.allocUnsafe(Math.min(bytesMax, found.size || bytesMax));
      const bytes = await fill(buffer, (offset) => handle.read(buffer, offset, buffer.length - offset));
      // `stream`: a character that the limit cuts in two is left out instead of being a fault.
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(buffer.subarray(0, bytes), {
        stream: found.size > bytesMax,
      });
      return (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text).replaceAll("\r\n", "\n");
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
};

const fill = async (
  buffer: Buffer,
  read: (offset: number) => Promise<{ readonly bytesRead: number }>,
): Promise<number> => {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await read(filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
};
