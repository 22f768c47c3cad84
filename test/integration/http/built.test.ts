/**
 * The built program has only a part of undici (`scripts/subsets.mjs`): what the other tests of this folder find out about the
 * whole of it must hold for the part. Kills a part that lacks proxies, tunnels, TLS, or the parser of HTTP.
 */
import { execFile } from "node:child_process";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { program } from "../../support/program.js";
import { makeCertificates } from "./certificates.js";
import { startProxy } from "./proxy.js";
import { answering, respond } from "./servers.js";

const REPLY = JSON.stringify({
  choices: [{ message: { role: "assistant", content: "ok" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 1 },
});

/** `turnfold check`, which asks the model once. */
const check = (url: string, network: Readonly<Record<string, string>>): Promise<{ code: unknown; text: string }> =>
  new Promise((resolve) => {
    const env = {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      BUZZ_AGENT_PROVIDER: "openai",
      OPENAI_COMPAT_API: "chat",
      OPENAI_COMPAT_API_KEY: "sk-built-0123456789",
      OPENAI_COMPAT_BASE_URL: `${url}/v1`,
      OPENAI_COMPAT_MODEL: "model-x",
      ...network,
    };
    execFile(process.execPath, [program, "check"], { env }, (fault, stdout, stderr) => {
      resolve({ code: fault?.code ?? 0, text: stdout + stderr });
    });
  });

test("the built program asks through a proxy for plain HTTP, with user and password", async () => {
  const server = await answering(respond(200, REPLY));
  const proxy = await startProxy("p@ss");
  const { code, text } = await check(server.url, { http_proxy: `http://me:p%40ss@127.0.0.1:${proxy.port}` });
  expect(text).toContain("model-x answered");
  expect(code).toBe(0);
  expect(proxy.asked).toEqual([`POST ${server.url}/v1/chat/completions`]);
});

// openssl is on every machine that we know of; where it is not, this is counted as skipped.
const made = makeCertificates();
afterAll(() => made?.remove());

test.skipIf(made === undefined)(
  "the built program asks over TLS through a tunnel, with authorities of its own",
  async () => {
    if (made === undefined) throw new Error("no certificates");
    const server = https.createServer({ key: made.key, cert: made.certificate }, (request, response) => {
      request.resume().on("end", () => response.end(REPLY));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const proxy = await startProxy();
    const network = { https_proxy: `http://127.0.0.1:${proxy.port}`, SSL_CERT_FILE: made.authorityFile };
    const { code, text } = await check(`https://127.0.0.1:${port}`, network);
    expect(text).toContain("model-x answered");
    expect(code).toBe(0);
    expect(proxy.asked).toEqual([`CONNECT 127.0.0.1:${port}`]);
  },
);
