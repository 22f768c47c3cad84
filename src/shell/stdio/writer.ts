/**
 * The one writer of stdout. `send` never waits for the client: what the pipe does not take stays in memory and is counted, and
 * whoever would add to it on his own account (a session that starts another call) asks `whenBelow` first.
 */
import type { Output } from "./guard.js";

export interface Writer {
  /** One frame, without its line feed. Frames leave in the order of the calls; after the reader has gone they are dropped. */
  readonly send: (frame: string) => void;
  /**
   * The same for a response. What was sent before leaves in a write of its own: there are clients that stop listening for the
   * updates of a turn at its response, and lose those that they read together with it (acp-factory 0.1.14).
   */
  readonly respond: (frame: string) => void;
  /** Resolves when fewer than `bytes` bytes are unsent, or nobody reads any more, or the signal fires. */
  readonly whenBelow: (bytes: number, signal?: AbortSignal) => Promise<void>;
  readonly unsentBytes: () => number;
  /** Writes what waits for the end of this turn of the event loop, for whoever ends the process within it or holds it up. */
  readonly flush: () => void;
  /** Calls the listener once, when a write has shown that nobody reads any more. */
  readonly onClosed: (listener: () => void) => void;
}

/** So many bytes are written at once; fewer wait for what else comes up in the same turn of the event loop. */
const WRITE_BYTES = 64 * 1024;

interface Waiter {
  readonly bytes: number;
  readonly resolve: () => void;
}

export const createWriter = (output: Output): Writer => {
  let pending: string[] = [];
  let pendingBytes = 0;
  let unwritten = 0;
  let closed = false;
  const waiting = new Set<Waiter>();

  const unsent = (): number => pendingBytes + unwritten;
  const wake = (): void => {
    for (const waiter of waiting) {
      if (!closed && unsent() >= waiter.bytes) continue;
      waiting.delete(waiter);
      waiter.resolve();
    }
  };
  output.onClosed(() => {
    closed = true;
    wake();
  });

  /** Frames of all sessions that came up in one turn of the event loop leave in one write: a write costs more than a frame. */
  const flush = (): void => {
    if (pending.length === 0) return;
    const bytes = pendingBytes;
    const lines = `${pending.join("\n")}\n`;
    pending = [];
    pendingBytes = 0;
    unwritten += bytes;
    output.write(lines, () => {
      unwritten -= bytes;
      wake();
    });
  };

  const send = (frame: string): void => {
    if (closed) return;
    if (pending.length === 0) setImmediate(flush);
    pending.push(frame);
    pendingBytes += Buffer.byteLength(frame) + 1;
    if (pendingBytes >= WRITE_BYTES) flush();
  };

  return {
    send,
    respond: (frame) => {
      flush();
      send(frame);
    },
    whenBelow: async (bytes, signal) => {
      if (closed || unsent() < bytes || signal?.aborted === true) return;
      await new Promise<void>((resolve) => {
        const waiter = { bytes, resolve };
        waiting.add(waiter);
        signal?.addEventListener(
          "abort",
          () => {
            waiting.delete(waiter);
            resolve();
          },
          { once: true },
        );
      });
    },
    unsentBytes: unsent,
    flush,
    onClosed: output.onClosed,
  };
};
