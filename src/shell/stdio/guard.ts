/**
 * The first import of the program. stdout carries frames only (`spec/acp.md` 3.3 #8): whatever a dependency prints there, by
 * `console`, by `process.stdout.write` or as a warning, goes to stderr, and the way to the real stdout is kept here.
 *
 * Node makes the stream of a descriptor when it is first asked for it, and what a stream needs takes longer to load than all else
 * that comes before the answer to `initialize`. So nothing asks for one here, and what is written first needs none.
 */
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import type { Writable } from "node:stream";

/** Where the one writer puts its bytes. */
export interface Output {
  /** `done` is called when the bytes have left the process, or with the error that they have not. */
  readonly write: (text: string | Uint8Array, done: (error?: Error | null) => void) => void;
  /** Called at most once, when nobody reads any more. */
  readonly onClosed: (listener: () => void) => void;
}

const STDOUT = 1;
/** What a pipe takes whole or not at all, and a socket that nobody else has written to without waiting; all writes together. */
const FIRST_BYTES_MAX = 4096;

/**
 * Writes without a stream, and without waiting: who waits hears no signal. A pipe may be full of what others have written, so it
 * is opened once more, as one that is not waited for; where that cannot be done, this throws as well.
 */
const writeNow = (bytes: Uint8Array): number => {
  if (!fstatSync(STDOUT).isFIFO()) return writeSync(STDOUT, bytes);
  const pipe = openSync(`/proc/self/fd/${STDOUT}`, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    return writeSync(pipe, bytes);
  } finally {
    closeSync(pipe);
  }
};

/** `open` is called once. */
const outputOf = (open: () => Writable): Output => {
  let closed = false;
  let room = FIRST_BYTES_MAX;
  let write: Writable["write"] | undefined;
  const listeners: (() => void)[] = [];
  const close = (): void => {
    if (closed) return;
    closed = true;
    for (const listener of listeners) listener();
  };
  const toStream = (): Writable["write"] => {
    if (write !== undefined) return write;
    const stream = open();
    // EPIPE comes as an event; without a listener it would be an exception that ends the process in mid-turn.
    stream.on("error", close);
    stream.on("close", close);
    write = stream.write.bind(stream);
    // The method of this one object is replaced as well: somebody may have had it in hand before `process.stdout` was ours.
    stream.write = process.stderr.write.bind(process.stderr);
    return write;
  };
  /** What has to be written by other means: all of it where the descriptor would have to be waited for, or nobody reads. */
  const writeDirectly = (bytes: Uint8Array): Uint8Array => {
    // The first write answers `initialize`, and the second, most often, `session/new`: behind that there is time for a stream.
    if (room < FIRST_BYTES_MAX) setImmediate(toStream);
    room -= bytes.length;
    if (room < 0) return bytes;
    try {
      return bytes.subarray(writeNow(bytes));
    } catch {
      return bytes;
    }
  };
  return {
    write: (text, done) => {
      const bytes = typeof text === "string" ? Buffer.from(text) : text;
      const rest = write === undefined ? writeDirectly(bytes) : bytes;
      if (rest.length === 0) return done();
      toStream()(rest, done);
      return undefined;
    },
    onClosed: (listener) => {
      if (closed) listener();
      else listeners.push(listener);
    },
  };
};

/** Node's own properties, out of everybody's reach: each makes its stream when it is first read. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both are given in the same statement
const real = Object.defineProperties({} as Record<"stdout" | "stderr", Writable>, {
  stdout: Object.getOwnPropertyDescriptor(process, "stdout") ?? {},
  stderr: Object.getOwnPropertyDescriptor(process, "stderr") ?? {},
});

let stderr: Writable | undefined;
/** A client that closed our stderr must not end us with EPIPE, nor make us log about it for ever (`spec/acp.md` 3.8 #71). */
const openStderr = (): Writable => (stderr ??= real.stderr.on("error", () => undefined));

for (const name of ["stdout", "stderr"]) {
  Object.defineProperty(process, name, { configurable: true, enumerable: true, get: openStderr });
}

/** The real stdout. */
export const output: Output = outputOf(() => real.stdout);
