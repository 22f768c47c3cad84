import { describe, expect, test } from "vitest";
import type { Output } from "../../../src/shell/stdio/guard.js";
import { createWriter } from "../../../src/shell/stdio/writer.js";

interface Pipe extends Output {
  readonly written: string[];
  /** The reader takes the oldest frame. */
  readonly take: () => void;
  readonly close: () => void;
}

const createPipe = (): Pipe => {
  const written: string[] = [];
  const waiting: (() => void)[] = [];
  let listener: () => void = () => undefined;
  return {
    written,
    write: (text, done) => {
      written.push(String(text));
      waiting.push(() => {
        done();
      });
    },
    onClosed: (each) => {
      const before = listener;
      listener = () => {
        before();
        each();
      };
    },
    take: () => waiting.shift()?.(),
    close: () => {
      listener();
    },
  };
};

/** Whether the promise has settled by the time that everything which could settle it has run. */
const settled = async (promise: Promise<void>): Promise<boolean> => {
  const later = new Promise<boolean>((resolve) => {
    setImmediate(resolve, false);
  });
  return Promise.race([promise.then(() => true), later]);
};

describe("the writer", () => {
  test("counts the bytes that the reader has not taken, and wakes whoever waits for less", async () => {
    const pipe = createPipe();
    const writer = createWriter(pipe);
    writer.send("é".repeat(4));
    const below = writer.whenBelow(9);
    expect(await settled(below)).toBe(false);
    writer.send("x");
    expect(writer.unsentBytes()).toBe(11);
    expect(await settled(below)).toBe(false);
    pipe.take();
    expect(writer.unsentBytes()).toBe(2);
    expect(await settled(below)).toBe(true);
    expect(pipe.written).toEqual(["éééé\n", "x\n"]);
  });

  test("puts the frames of one turn of the event loop into one write, in their order", async () => {
    const pipe = createPipe();
    const writer = createWriter(pipe);
    for (const frame of ["a", "b", "c"]) writer.send(frame);
    expect(pipe.written).toEqual([]);
    expect(await settled(writer.whenBelow(1))).toBe(false);
    expect(pipe.written).toEqual(["a\nb\nc\n"]);
    pipe.take();
    expect(writer.unsentBytes()).toBe(0);
  });

  test("writes at once what is worth a write of its own, and nothing twice", async () => {
    const pipe = createPipe();
    const writer = createWriter(pipe);
    const [small, large] = ["s", "l".repeat(64 * 1024 - 3)];
    writer.send(small);
    writer.send(large);
    expect(pipe.written).toEqual([`${small}\n${large}\n`]);
    expect(await settled(writer.whenBelow(1))).toBe(false);
    expect(pipe.written).toHaveLength(1);
  });

  // A client that stops listening at the response lost the last message of a turn when both came in one write.
  test("writes the updates of a turn before its response, and not together with it", async () => {
    const pipe = createPipe();
    const writer = createWriter(pipe);
    writer.send("update");
    writer.respond("response");
    expect(pipe.written).toEqual(["update\n"]);
    writer.send("later");
    expect(await settled(writer.whenBelow(1))).toBe(false);
    expect(pipe.written).toEqual(["update\n", "response\nlater\n"]);
  });

  test("writes what waits when it is told to, for whoever ends the process", () => {
    const pipe = createPipe();
    const writer = createWriter(pipe);
    writer.send("last");
    writer.flush();
    writer.flush();
    expect(pipe.written).toEqual(["last\n"]);
  });

  test("lets nobody wait for a reader that has gone, and writes nothing more", async () => {
    const pipe = createPipe();
    const writer = createWriter(pipe);
    let closed = 0;
    writer.onClosed(() => {
      closed += 1;
    });
    writer.send("x");
    const below = writer.whenBelow(1);
    expect(await settled(below)).toBe(false);
    pipe.close();
    expect(await settled(below)).toBe(true);
    expect(await settled(writer.whenBelow(0))).toBe(true);
    writer.send("y");
    expect(pipe.written).toEqual(["x\n"]);
    expect(closed).toBe(1);
  });

  test("ends a wait when its signal fires", async () => {
    const writer = createWriter(createPipe());
    writer.send("x");
    const abort = new AbortController();
    const below = writer.whenBelow(1, abort.signal);
    expect(await settled(below)).toBe(false);
    abort.abort();
    expect(await settled(below)).toBe(true);
    expect(await settled(writer.whenBelow(1, abort.signal))).toBe(true);
  });
});
