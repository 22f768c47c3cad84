/**
 * The first import of the program. stdout carries frames only (`spec/acp.md` 3.3 #8): whatever a dependency prints there, by
 * `console`, by `process.stdout.write` or as a warning, goes to stderr, and the way to the real stdout is kept here.
 */
import type { Writable } from "node:stream";

/** Where the one writer puts its bytes. */
export interface Output {
  /** `done` is called when the bytes have left the process, or with the error that they have not. */
  readonly write: (text: string | Uint8Array, done: (error?: Error | null) => void) => void;
  /** Called at most once, when nobody reads any more. */
  readonly onClosed: (listener: () => void) => void;
}

const outputOf = (stream: Writable, write: Writable["write"]): Output => {
  let closed = false;
  const listeners: (() => void)[] = [];
  const close = (): void => {
    if (closed) return;
    closed = true;
    for (const listener of listeners) listener();
  };
  // EPIPE comes as an event; without a listener it would be an exception that ends the process in mid-turn.
  stream.on("error", close);
  stream.on("close", close);
  return {
    write: (text, done) => {
      write(text, "utf8", done);
    },
    onClosed: (listener) => {
      if (closed) listener();
      else listeners.push(listener);
    },
  };
};

// The method of this one object is replaced, not `process.stdout`: whoever has the object in hand already is caught as well.
const stdout: Writable = process.stdout;
const write = stdout.write.bind(stdout);
stdout.write = process.stderr.write.bind(process.stderr);

// A client that closed our stderr must not end us with EPIPE, nor make us log about it for ever (`spec/acp.md` 3.8 #71).
process.stderr.on("error", () => undefined);

/** The real stdout. */
export const output: Output = outputOf(stdout, write);
