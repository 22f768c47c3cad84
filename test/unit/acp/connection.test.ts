import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { defaultShellLimits } from "../../../src/core/policy.js";
import { serve } from "../../../src/shell/acp/connection.js";
import type { Incoming } from "../../../src/shell/stdio/envelope.js";
import { createWriter } from "../../../src/shell/stdio/writer.js";
import { until } from "../../support/until.js";

const initialize = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n';
const requests = [2, 3, 4].map((id) => `{"jsonrpc":"2.0","id":${id},"method":"session/new","params":{"é":"😀"}}\n`);
const everything = Buffer.from(initialize + requests.join(""));

/** What comes of a client that has written so many bytes when the agent reads for the first time, and the rest later. */
const connect = (firstBytes: number) => {
  const rest = new PassThrough();
  const written: string[] = [];
  const writtenBefore: number[] = [];
  const received: Incoming[] = [];
  const identity = { name: "turnfold", title: "Turnfold", version: "0", authMethods: [] };
  const code = serve(
    {
      identity,
      input: { first: everything.subarray(0, firstBytes), rest: () => (writtenBefore.push(written.length), rest) },
      writer: createWriter({
        write: (text, done) => {
          written.push(String(text));
          done();
        },
        onClosed: () => undefined,
      }),
      limits: defaultShellLimits,
      log: () => undefined,
      load: async () =>
        Promise.resolve({ receive: (message: Incoming) => void received.push(message), stop: () => Promise.resolve() }),
    },
    new Promise(() => undefined),
  );
  return { rest, written, writtenBefore, received, code };
};

// What has been read before there is a stream belongs to the same bytes as what comes by the stream. Kills a first read that is
// taken for one frame, for none, or for all that there is.
test("wherever the first read ends, every frame is received once and in order", async () => {
  for (let firstBytes = 0; firstBytes <= everything.length; firstBytes += 1) {
    const { rest, written, received, code } = connect(firstBytes);
    rest.end(everything.subarray(firstBytes));
    expect(await code).toBe(0);
    expect(written.join("")).toContain('"id":1,"result"');
    expect(received.map((message) => (message.kind === "request" ? message.id : message))).toEqual([2, 3, 4]);
  }
});

test("initialize is answered by what the first read holds, before anything is asked of the stream", () => {
  const { writtenBefore } = connect(Buffer.byteLength(initialize));
  expect(writtenBefore[0]).toBe(1);
});

test("what the first read holds is served also if the stream has nothing more", async () => {
  const { rest, received, code } = connect(everything.length);
  await until("all requests", () => received.length === 3);
  rest.end();
  expect(await code).toBe(0);
});
