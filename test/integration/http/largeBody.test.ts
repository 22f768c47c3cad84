// A large body is written through one buffer that is filled again for each chunk. It must arrive as it is at a server that reads
// slowly, plain and encrypted, when several are sent at once, and when the first try is answered before the body was read. Kills a
// buffer that is filled again while its bytes still wait for the socket, and one that two requests share.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import * as O from "fp-ts/lib/Option.js";
import { expect, onTestFinished, test } from "vitest";
import { defaultShellLimits } from "../../../src/core/policy.js";
import { openConnections } from "../../../src/shell/model/dispatcher.js";
import { CHUNK_BYTES, requestBody } from "../../../src/shell/model/requestBody.js";
import { createSend } from "../../../src/shell/model/send.js";
import { noNetwork } from "./asking.js";
import { makeCertificates } from "./certificates.js";

const digest = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");

/** Reads a little, pauses, reads on; answers with the digest of all. */
const slowly: http.RequestListener = (request, response) => {
  const hash = createHash("sha256");
  request.on("data", (chunk: Buffer) => {
    hash.update(chunk);
    request.pause();
    setTimeout(() => request.resume(), 1);
  });
  request.on("end", () => response.end(hash.digest("hex")));
};

const listening = async (server: http.Server): Promise<number> => {
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
};

/** Texts of some MiB that no two bodies share, ASCII and not. */
const textsOf = (seed: number): readonly string[] =>
  Array.from({ length: 40 }, (_, index) =>
    `${seed}:${index} ${index % 3 === 0 ? "é😀" : "plain"};`.repeat(((seed + index) % 7) * 1500 + 1),
  );

const sendAll = async (url: string, authorities: readonly Buffer[], bodies: readonly (readonly string[])[]) => {
  const connections = await openConnections({ ...noNetwork, authorities }, defaultShellLimits);
  onTestFinished(connections.close);
  const send = createSend(connections, defaultShellLimits, (text) => text);
  return Promise.all(
    bodies.map(async (texts) => {
      const body = requestBody(texts);
      expect(body.bytes).toBeGreaterThan(4 * CHUNK_BYTES);
      const order = { method: "POST" as const, url, headers: {}, body: O.some(body), deadlineMs: 60_000 };
      const attempt = await send(order, new AbortController().signal);
      return attempt.kind === "response" ? attempt.response.body : attempt.kind;
    }),
  );
};

const bodies = [1, 2, 3].map(textsOf);
const digests = bodies.map((texts) => digest(texts.join("")));

test("large bodies arrive as they are at a server that reads slowly", async () => {
  const port = await listening(http.createServer(slowly));
  expect(await sendAll(`http://127.0.0.1:${port}/`, [], bodies)).toEqual(digests);
});

const made = makeCertificates();

test.skipIf(made === undefined)("and so they do encrypted", async () => {
  if (made === undefined) return;
  onTestFinished(made.remove);
  const port = await listening(https.createServer({ key: made.key, cert: made.certificate }, slowly));
  const authorities = [readFileSync(made.authorityFile)];
  expect(await sendAll(`https://127.0.0.1:${port}/`, authorities, bodies)).toEqual(digests);
});

test("a body that is sent again after an answer that came too early is whole", async () => {
  let requests = 0;
  const early: http.RequestListener = (request, response) => {
    requests += 1;
    if (requests === 1) response.writeHead(503).end("busy");
    else slowly(request, response);
  };
  const port = await listening(http.createServer(early));
  const connections = await openConnections(noNetwork, defaultShellLimits);
  onTestFinished(connections.close);
  const send = createSend(connections, defaultShellLimits, (text) => text);
  const [texts = []] = bodies;
  const order = {
    method: "POST" as const,
    url: `http://127.0.0.1:${port}/`,
    headers: {},
    body: O.some(requestBody(texts)),
    deadlineMs: 60_000,
  };
  const { signal } = new AbortController();
  await send(order, signal);
  const second = await send(order, signal);
  expect(second).toMatchObject({ kind: "response", response: { status: 200, body: digests[0] } });
});
