import { request } from "node:http";
import * as E from "fp-ts/lib/Either.js";
import { expect, onTestFinished, test } from "vitest";
import { awaitCallback } from "../../../src/shell/oauth/callback.js";

const visit = (uri: string, path: string): Promise<{ status: number | undefined; body: string }> =>
  new Promise((resolve, reject) => {
    request(uri.replace("localhost", "127.0.0.1") + path, (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => (body += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode, body }));
    })
      .on("error", reject)
      .end();
  });

const listening = async (timeoutMs = 10_000) => {
  const callback = await awaitCallback("s-1", timeoutMs);
  onTestFinished(callback.close);
  return callback;
};

test("a code comes back, and the page does not repeat it", async () => {
  const { redirectUri, code } = await listening();
  expect(redirectUri).toMatch(/^http:\/\/localhost:\d+$/);
  const page = await visit(redirectUri, "/?code=c-123&state=s-1");
  expect(page.status).toBe(200);
  expect(page.body).toContain("You are signed in");
  expect(page.body).not.toContain("c-123");
  expect(await code).toEqual(E.right("c-123"));
});

// The prior art let the first visit decide, so that any page in the browser could end a login.
test("a visit without our state is refused, repeats nothing, and ends nothing", async () => {
  const { redirectUri, code } = await listening();
  for (const path of [
    "/?code=evil&state=other",
    "/?code=evil",
    "/?error=evil",
    "/favicon.ico",
    "/x?code=evil&state=s-1",
  ]) {
    const page = await visit(redirectUri, path);
    expect(page.status).toBe(404);
    expect(page.body).not.toContain("evil");
  }
  await visit(redirectUri, "/?code=good&state=s-1");
  expect(await code).toEqual(E.right("good"));
});

test("a refusal of the server is told to the person only, on one line and cut", async () => {
  const { redirectUri, code } = await listening();
  const page = await visit(redirectUri, `/?error=access_denied%0a%1b${"x".repeat(400)}&state=s-1`);
  expect(page.body).not.toContain("access_denied");
  const told = await code;
  expect(E.isLeft(told) ? told.left : "").toMatch(/^access_denied\\n\\u001bx+$/);
  expect(E.isLeft(told) ? told.left.length : 0).toBeLessThan(220);
});

test("nobody comes: that is told in time", async () => {
  const { code } = await listening(50);
  expect(await code).toEqual(E.left("nobody signed in within 0.05 s"));
});
