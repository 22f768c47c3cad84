/** stdin: what the client has written when it started us, and the stream of what follows. */
import { fstatSync, readSync } from "node:fs";
import type { Readable } from "node:stream";

export interface Input {
  readonly first: Uint8Array;
  /** The same one at each call. */
  readonly rest: () => Readable;
}

const STDIN = 0;
const FIRST_BYTES_MAX = 8 * 1024;
const NOTHING = Buffer.alloc(0);

/** Only a character device can be a terminal, and whether it is one its stream knows. */
export const isTerminal = (): boolean => mayBeTerminal() && process.stdin.isTTY;

const mayBeTerminal = (): boolean => {
  try {
    return fstatSync(STDIN).isCharacterDevice();
  } catch {
    return true;
  }
};

/**
 * Waits for the first bytes, without a stream (see `guard.ts`), and without a turn of the event loop: until there is something to
 * answer there is nothing else to do. A signal meanwhile does what the system lets it do, as long as nobody listens for it.
 */
export const openInput = (): Input => ({ first: isInit() ? NOTHING : readFirst(), rest: () => process.stdin });

/** The first process of a container is let pass by every signal that it does not listen for. */
const isInit = (): boolean => process.pid === 1;

const readFirst = (): Uint8Array => {
  const buffer = Buffer.allocUnsafe(FIRST_BYTES_MAX);
  try {
    return buffer.subarray(0, readSync(STDIN, buffer));
  } catch {
    // A descriptor that is not waited for has nothing yet; any other fault is the stream's to tell.
    return NOTHING;
  }
};
