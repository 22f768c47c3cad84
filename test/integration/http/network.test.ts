import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import * as O from "fp-ts/lib/Option.js";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { ask, failed, replied } from "./asking.js";
import { makeCertificates, type Certificates } from "./certificates.js";
import { startProxy } from "./proxy.js";
import { answering, closedPort, respond } from "./servers.js";

const good = respond(200, '"hello"');
const proxied = (port: number, credentials = "") => O.some(`http://${credentials}127.0.0.1:${port}/`);

describe("a proxy", () => {
  test("carries plain HTTP in absolute form", async () => {
    const server = await answering(good);
    const proxy = await startProxy();
    const answer = await ask(`${server.url}/v1/x`, { network: { httpProxy: proxied(proxy.port) } });
    expect(replied(answer)).toEqual({ text: "hello", tries: 1 });
    expect(proxy.asked).toEqual([`POST ${server.url}/v1/x`]);
    expect(server.requests).toEqual(['{"x":1}']);
  });

  test("is passed by for the hosts of NO_PROXY", async () => {
    const server = await answering(good);
    const proxy = await startProxy();
    const network = { httpProxy: proxied(proxy.port), noProxy: "example.com, 127.0.0.1" };
    expect(replied(await ask(server.url, { network })).text).toBe("hello");
    expect(proxy.asked).toEqual([]);
  });

  test("of https URLs is not used for http ones", async () => {
    const server = await answering(good);
    const proxy = await startProxy();
    expect(replied(await ask(server.url, { network: { httpsProxy: proxied(proxy.port) } })).text).toBe("hello");
    expect(proxy.asked).toEqual([]);
  });

  test("gets its user and password", async () => {
    const server = await answering(good);
    const proxy = await startProxy("p@ss");
    const network = { httpProxy: proxied(proxy.port, "me:p%40ss@") };
    expect(replied(await ask(server.url, { network })).text).toBe("hello");
  });

  test("that cannot be reached is a transport failure", async () => {
    const server = await answering(good);
    const network = { httpProxy: proxied(await closedPort()) };
    expect(failed(await ask(server.url, { network }))).toMatchObject({ kind: "transport", tries: 3 });
    expect(server.requests).toEqual([]);
  });
});

// openssl is on every machine that we know of; where it is not, these are counted as skipped.
const made = makeCertificates();
afterAll(() => made?.remove());

describe.skipIf(made === undefined)("TLS", () => {
  const certificates = (): Certificates => {
    if (made === undefined) throw new Error("no certificates");
    return made;
  };

  const tlsServer = async (): Promise<string> => {
    const { key, certificate: cert } = certificates();
    const server = https.createServer({ key, cert }, (request, response) => {
      request.resume().on("end", () => response.end('"over tls"'));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  const authority = () => ({ authorities: [readFileSync(certificates().authorityFile)] });

  test("with an unknown authority fails once, and says which variable helps", async () => {
    expect(failed(await ask(await tlsServer()))).toMatchObject({
      kind: "transport",
      tries: 1,
      message: expect.stringContaining("NODE_EXTRA_CA_CERTS can name a file with its authority") as string,
    });
  });

  test("with the authority of SSL_CERT_FILE works", async () => {
    expect(replied(await ask(await tlsServer(), { network: authority() }))).toEqual({ text: "over tls", tries: 1 });
  });

  test("goes through a tunnel of the proxy", async () => {
    const url = await tlsServer();
    const proxy = await startProxy();
    const network = { ...authority(), httpsProxy: proxied(proxy.port) };
    expect(replied(await ask(url, { network })).text).toBe("over tls");
    expect(proxy.asked).toEqual([`CONNECT ${new URL(url).host}`]);
  });

  test("through a proxy that wants a password fails once, and says so", async () => {
    const proxy = await startProxy("secret-password");
    const network = { ...authority(), httpsProxy: proxied(proxy.port) };
    expect(failed(await ask(await tlsServer(), { network }))).toMatchObject({
      kind: "transport",
      tries: 1,
      message: expect.stringContaining("the proxy wants a user and password (407)") as string,
    });
  });

  // Node reads this variable when it starts, so a process of its own has to be started with it.
  test("with the authority of NODE_EXTRA_CA_CERTS works", async () => {
    const url = await tlsServer();
    const script = `
      import { request } from "undici";
      const { body } = await request(${JSON.stringify(url)}, { method: "POST", body: "{}" });
      process.stdout.write(await body.text());
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: certificates().authorityFile },
    });
    expect(stdout).toBe('"over tls"');
  });
});
