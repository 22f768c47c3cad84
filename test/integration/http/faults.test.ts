import { describe, expect, test } from "vitest";
import { KEY, ask, failed, modelPort, replied, request } from "./asking.js";
import { answering, closedPort, httpServer, rawServer, respond } from "./servers.js";

const good = respond(200, '"hello"');
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

test("a reply comes back, and the body arrives whole, with its length and the credential", async () => {
  const body = ['{"a":"', "ä€😀".repeat(50_000), '"}', ...Array.from({ length: 5000 }, () => " ")];
  let headers: Record<string, unknown> = {};
  const server = await answering((incoming, response) => {
    headers = incoming.headers;
    good(incoming, response);
  });
  expect(replied(await ask(server.url, { body, limits: { llmTimeoutSeconds: 20 } }))).toEqual({
    text: "hello",
    tries: 1,
  });
  expect(server.requests[0]).toBe(body.join(""));
  expect(headers).toMatchObject({
    authorization: `Bearer ${KEY}`,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body.join(""))),
  });
  expect(headers).not.toHaveProperty("user-agent");
  expect(headers).not.toHaveProperty("accept-encoding");
});

describe("a connection that is dropped is tried again", () => {
  test.each([
    ["before the headers", ""],
    ["in the middle of the headers", "HTTP/1.1 200 OK\r\nconten"],
    ["after the headers", `${HEAD}content-length: 7\r\n\r\n`],
    ["in the middle of the body", `${HEAD}content-length: 7\r\n\r\n"hel`],
    ["in the middle of a chunked body", `${HEAD}transfer-encoding: chunked\r\n\r\n4\r\n"hel\r\n`],
  ])("%s", async (_name, sent) => {
    const server = await rawServer((socket, count) => {
      if (count < 3) socket.end(sent);
      else socket.end(`${HEAD}content-length: 7\r\n\r\n"hello"`);
    });
    expect(replied(await ask(server.url))).toEqual({ text: "hello", tries: 3 });
  });

  test("by a reset", async () => {
    const server = await rawServer((socket, count) => {
      if (count < 2) socket.resetAndDestroy();
      else socket.end(`${HEAD}content-length: 7\r\n\r\n"hello"`);
    });
    expect(replied(await ask(server.url))).toEqual({ text: "hello", tries: 2 });
  });

  test("three times in all, and then told in one line", async () => {
    const server = await rawServer((socket) => socket.end());
    expect(failed(await ask(server.url))).toEqual({
      kind: "transport",
      message: expect.stringMatching(
        /^Test: the connection was dropped \(\w+\) \(model m-1, 3 attempts in [\d.]+s\)$/,
      ) as string,
      tries: 3,
    });
  });

  test("and so is one that is refused", async () => {
    const port = await closedPort();
    const { kind, message, tries } = failed(await ask(`http://127.0.0.1:${port}`));
    expect([kind, tries]).toEqual(["transport", 3]);
    expect(message).toContain("the connection was refused; is the host running and the base URL right? (ECONNREFUSED)");
  });
});

describe("time", () => {
  const hang = () => undefined;

  // F: a body timer that only watches for silence never ends a slow drip; the budget is for the whole try.
  test("a slow drip ends at the deadline of the whole try", async () => {
    const server = await httpServer((_request, response) => {
      response.writeHead(200, { "content-length": "1000" });
      const drip = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(drip));
    });
    const { kind, message, tries } = failed(
      await ask(server.url, { limits: { llmTimeoutSeconds: 0.2, llmAttempts: 2 } }),
    );
    expect([kind, tries]).toEqual(["timeout", 2]);
    // The second try had twice the time.
    expect(message).toContain("the response did not complete within 0.4s; BUZZ_AGENT_LLM_TIMEOUT_SECS sets the limit");
  });

  test("silence before the headers is a timeout of its own", async () => {
    const server = await httpServer(hang);
    const { kind, message } = failed(await ask(server.url, { limits: { llmTimeoutSeconds: 0.1, llmAttempts: 1 } }));
    expect(kind).toBe("timeout");
    expect(message).toMatch(/^Test: no response within 0.1s; .* \(model m-1, 1 attempt in [\d.]+s\)$/);
  });

  test("a stalled body is tried again with more time, and the reply counts", async () => {
    const server = await answering(
      (_request, response) => response.writeHead(200, { "content-length": "7" }).write('"hel'),
      (_request, response) => setTimeout(() => response.end('"slow"'), 250),
    );
    expect(replied(await ask(server.url, { limits: { llmTimeoutSeconds: 0.2 } }))).toEqual({ text: "slow", tries: 2 });
  });
});

describe("what is too large", () => {
  const limits = { replyBytesMax: 1024 * 1024, llmTimeoutSeconds: 20 };

  test("by its own declaration is refused unread and not asked for again", async () => {
    const server = await answering(respond(200, Buffer.alloc(limits.replyBytesMax + 1, " ")));
    expect(failed(await ask(server.url, { limits }))).toMatchObject({ kind: "replyTooLarge", tries: 1 });
  });

  test("without a declaration is refused at the limit, with the connection given up", async () => {
    let written = 0;
    const server = await httpServer((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, " "))) written += 65_536;
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    expect(failed(await ask(server.url, { limits }))).toMatchObject({ kind: "replyTooLarge", tries: 1 });
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });

  test("at the limit exactly is a reply", async () => {
    const body = `"${"x".repeat(limits.replyBytesMax - 2)}"`;
    const server = await answering(respond(200, body));
    expect(replied(await ask(server.url, { limits })).text).toHaveLength(limits.replyBytesMax - 2);
  });

  test("in an error is read no further than its beginning", async () => {
    const server = await answering(respond(400, "e".repeat(1_000_000)));
    const answer = await ask(server.url);
    expect(failed(answer).message.length).toBeLessThan(2100);
  });
});

test("an error body that breaks off still says what it said", async () => {
  const server = await rawServer((socket) =>
    socket.end("HTTP/1.1 400 Bad Request\r\ncontent-length: 500\r\n\r\nno such parameter"),
  );
  expect(failed(await ask(server.url))).toMatchObject({
    kind: "serverError",
    message: expect.stringContaining("400 no such parameter") as string,
    tries: 1,
  });
});

test("a longer body than declared is no reply of ours to mend: what was declared counts", async () => {
  const server = await rawServer((socket) => socket.end(`${HEAD}content-length: 7\r\n\r\n"hello" and more`));
  expect(replied(await ask(server.url))).toEqual({ text: "hello", tries: 1 });
});

test("what is not HTTP is told as such", async () => {
  const server = await rawServer((socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"));
  expect(failed(await ask(server.url))).toMatchObject({
    kind: "transport",
    message: expect.stringContaining("the response is not HTTP") as string,
  });
});

test("a compressed reply that nobody asked for reaches the dialect as it came, and is no reply", async () => {
  const { gzipSync } = await import("node:zlib");
  const server = await answering(respond(200, gzipSync('"hello"'), { "content-encoding": "gzip" }));
  expect(failed(await ask(server.url))).toMatchObject({
    message: expect.stringContaining("no reply") as string,
    tries: 3,
  });
});

test("a redirect is not followed: it would carry the key to wherever the answer says", async () => {
  const elsewhere = await answering(good);
  const server = await answering(respond(307, "", { location: elsewhere.url }));
  expect(failed(await ask(server.url))).toMatchObject({ tries: 1, message: expect.stringContaining("307") as string });
  expect(elsewhere.requests).toEqual([]);
});

describe("waiting", () => {
  test("the provider's own wish is kept, and told only when it is long", async () => {
    const server = await answering(respond(429, "slow down", { "retry-after-ms": "150" }), good);
    const waits: unknown[] = [];
    const start = performance.now();
    const answer = await ask(server.url, { onWait: (wait) => waits.push(wait), limits: { waitToldMs: 100 } });
    expect(performance.now() - start).toBeGreaterThan(140);
    expect(replied(answer)).toEqual({ text: "hello", tries: 2 });
    expect(answer.attempts.waitedMs).toBeGreaterThan(140);
    expect(waits).toEqual([{ ms: 150, reason: "429 slow down" }]);
  });

  test("a short wait is not told", async () => {
    const server = await answering(respond(503, "busy"), good);
    const waits: unknown[] = [];
    expect(replied(await ask(server.url, { onWait: (wait) => waits.push(wait) })).tries).toBe(2);
    expect(waits).toEqual([]);
  });

  test("an abort ends it at once", async () => {
    const server = await answering(respond(429, "slow down", { "retry-after-ms": "60000" }));
    const stop = new AbortController();
    const start = performance.now();
    const answer = await ask(server.url, { signal: stop.signal, onWait: () => stop.abort() });
    expect(failed(answer)).toMatchObject({ kind: "aborted", tries: 1 });
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

/** A promise, and what resolves it. */
const arrival = () => {
  let arrived = (): void => undefined;
  const when = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  return { when, arrived: () => arrived() };
};

describe("an abort", () => {
  const endsAtOnce = async (url: string, when: Promise<void>) => {
    const stop = new AbortController();
    const answer = ask(url, { signal: stop.signal, limits: { llmTimeoutSeconds: 60 } });
    await when;
    const start = performance.now();
    stop.abort();
    return [failed(await answer).kind, performance.now() - start < 1000];
  };

  test("before the headers ends the request", async () => {
    const { when, arrived } = arrival();
    const server = await httpServer(arrived);
    expect(await endsAtOnce(server.url, when)).toEqual(["aborted", true]);
  });

  test("in the middle of the body ends the request", async () => {
    const { when, arrived } = arrival();
    const server = await httpServer((_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write('"hel', arrived);
    });
    expect(await endsAtOnce(server.url, when)).toEqual(["aborted", true]);
  });

  test("before the first try sends nothing", async () => {
    const server = await answering(good);
    expect(failed(await ask(server.url, { signal: AbortSignal.abort() }))).toMatchObject({ kind: "aborted", tries: 0 });
    expect(server.requests).toEqual([]);
  });
});

// F55: the error page of a gateway repeated the request's headers.
test("a key that the provider sends back is neither in the failure nor in the log, not even in part", async () => {
  const page = `${"x".repeat(4096 - 10)}authorization: Bearer ${KEY}`;
  const server = await answering(respond(500, page), respond(500, `you sent ${KEY}`), respond(400, `you sent ${KEY}`));
  const logged: string[] = [];
  const { message } = failed(await ask(server.url, { logged }));
  expect(message).toContain("you sent [redacted]");
  expect(logged.length).toBeGreaterThan(1);
  for (const text of [message, ...logged]) expect(text).not.toContain(KEY.slice(0, 10));
});

// A request that follows at once may find the last connection not yet handed back; a second one is made then, and no more.
test("one pool serves many requests over few connections", async () => {
  const ports = new Set<number | undefined>();
  const server = await answering((incoming, response) => {
    ports.add(incoming.socket.remotePort);
    good(incoming, response);
  });
  const port = await modelPort(server.url);
  for (let i = 0; i < 10; i++) {
    const answer = await port.call(request, new AbortController().signal, () => undefined);
    expect(replied(answer).text).toBe("hello");
  }
  expect(ports.size).toBeLessThanOrEqual(2);
});
