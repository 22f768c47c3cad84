import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { defaultShellLimits } from "../../../src/core/policy.js";
import type { LogLevel } from "../../../src/core/effect.js";
import { createLog } from "../../../src/shell/log.js";

/** A stderr that keeps what it is given. `stuck`: nobody reads it. */
const sink = (stuck = false) => {
  const lines: string[] = [];
  const stream = new Writable({
    highWaterMark: 1,
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      if (!stuck) done();
    },
  });
  return { lines, stream };
};

const logTo = (stream: Writable, level: LogLevel = "info", redact = (text: string) => text) =>
  createLog({ level, stream: () => stream, redact, now: () => 0 });

describe("a line", () => {
  test("has time, level, message and fields", () => {
    const { lines, stream } = sink();
    logTo(stream)("warn", "handoff #1", { reason: "pressure", tokens: 5, text: 'a "b" c', empty: "" });
    expect(lines).toEqual([
      '1970-01-01T00:00:00.000Z warn handoff #1 reason=pressure tokens=5 text="a \\"b\\" c" empty=""\n',
    ]);
  });

  // A tool name or a server's message is somebody else's text: it must neither forge a line nor move the cursor of a terminal.
  test("is one line without control characters, whatever stands in it", () => {
    const { lines, stream } = sink();
    logTo(stream)("info", "a\r\nb\u001b[31m\u0085\u2028\ud800", { x: "c\nd\u0000" });
    expect(lines[0]).toBe(
      "1970-01-01T00:00:00.000Z info a\\u000d\\nb\\u001b[31m\\u0085\\u2028\\ud800 x=c\\nd\\u0000\n",
    );
  });

  test("is cut, and what is hidden is hidden before the cut", () => {
    const { lines, stream } = sink();
    const room = defaultShellLimits.logLineCharactersMax - 3;
    logTo(stream, "info", (text) => text.replaceAll("secret", "*"))(
      "info",
      `${"x".repeat(room)}secret${"y".repeat(9)}`,
    );
    expect(lines[0]).toMatch(/xxx\*yy…\n$/);
  });
});

test.each([
  ["error", 1],
  ["warn", 2],
  ["info", 3],
  ["debug", 4],
] as const)("at level %s %i of the four levels are written", (level, count) => {
  const { lines, stream } = sink();
  const log = logTo(stream, level);
  for (const each of ["error", "warn", "info", "debug"] as const) log(each, "m");
  expect(lines).toHaveLength(count);
});

test("after a broken pipe nothing is written and nothing is thrown", async () => {
  let writes = 0;
  const stream = new Writable({
    write: (_chunk, _encoding, done) => {
      writes += 1;
      done(new Error("EPIPE"));
    },
  });
  const log = logTo(stream);
  log("error", "one");
  await new Promise<void>((resolve) => {
    stream.on("close", resolve);
  });
  log("error", "two");
  expect(writes).toBe(1);
});

test("when nobody reads, what waits is bounded", () => {
  const { stream } = sink(true);
  const log = logTo(stream);
  for (let i = 0; i < 3000; i++) log("info", "x".repeat(1000));
  expect(stream.writableLength).toBeGreaterThan(1_000_000);
  expect(stream.writableLength).toBeLessThan(1_100_000);
});
