// End to end: the built agent behind the recording proxy, driven by the client of the ACP SDK, against a provider that has the
// official host's name (a price needs a proven authority), and a bill that was worked out by hand.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import { ClientSideConnection, ndJsonStream, PROTOCOL_VERSION, type SessionNotification } from "acp1";
import { afterEach, describe, expect, test } from "vitest";
import { program, startProgram } from "../../support/program.js";
import { sqlitePeer } from "../../support/sqlitePeer.js";
import { makeCertificates } from "../http/certificates.js";

const sqlite = await sqlitePeer();
const made = makeCertificates("DNS:api.anthropic.com");

const cleanUp: (() => unknown)[] = [() => made?.remove()];
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
}

const listening = async (server: net.Server): Promise<number> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  cleanUp.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

/** Says "ok" to everything, with the next usage of the list; and a proxy by which the official host leads here. */
const startProvider = async (
  usages: readonly Usage[],
): Promise<{ readonly proxy: string; readonly models: string[] }> => {
  const models: string[] = [];
  let next = 0;
  const provider = https.createServer({ key: made?.key, cert: made?.certificate }, (request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      models.push((JSON.parse(Buffer.concat(pieces).toString()) as { model: string }).model);
      const usage = usages[next];
      next += 1;
      const message = { id: "m", type: "message", role: "assistant", model: "x", stop_reason: "end_turn" };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ ...message, stop_sequence: null, content: [{ type: "text", text: "ok" }], usage }));
    });
  });
  const target = await listening(provider);
  const proxy = http.createServer().on("connect", (request, client: net.Socket, head) => {
    if (request.url !== "api.anthropic.com:443") {
      client.destroy();
      return;
    }
    const onward = net.connect(target, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      onward.write(head);
      onward.pipe(client).pipe(onward);
    });
    for (const socket of [client, onward]) socket.on("error", () => socket.destroy());
  });
  return { proxy: `http://127.0.0.1:${await listening(proxy)}`, models };
};

const clientOf = (child: ChildProcess, updates: SessionNotification[]): ClientSideConnection => {
  if (child.stdin === null || child.stdout === null) throw new Error("no pipes");
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>);
  return new ClientSideConnection(
    () => ({
      requestPermission: () => Promise.resolve({ outcome: { outcome: "cancelled" as const } }),
      sessionUpdate: (update) => {
        updates.push(update);
        return Promise.resolve();
      },
      extNotification: () => Promise.resolve(),
    }),
    stream,
  );
};

const run = async (args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> => {
  const child = startProgram(args, { env });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  let err = "";
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  expect([code, err]).toEqual([0, ""]);
  return out;
};

interface Field<A> {
  readonly value: A | null;
  readonly incomplete: boolean;
}
interface ReportJson {
  readonly rows: readonly Readonly<Record<string, Field<string | number> | string | number>>[];
  readonly total: Readonly<Record<string, Field<string | number>>>;
}

describe.skipIf(sqlite === undefined || made === undefined)("a bill", () => {
  test("of two models in three turns is what the hand says, on the wire and in the report", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "turnfold-bill-"));
    cleanUp.push(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    const { proxy, models } = await startProvider([
      { input_tokens: 3000, output_tokens: 1900, cache_read_input_tokens: 20_000, cache_creation_input_tokens: 2500 },
      { input_tokens: 10, output_tokens: 200, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
      { input_tokens: 1_000_000, output_tokens: 1, cache_read_input_tokens: 1, cache_creation_input_tokens: 0 },
    ]);
    const ledger = path.join(folder, "usage.sqlite");
    const env = {
      PATH: process.env["PATH"],
      HOME: folder,
      BUZZ_AGENT_PROVIDER: "anthropic",
      BUZZ_AGENT_MODEL: "claude-opus-4-7",
      TURNFOLD_MODELS: "claude-haiku-4-5",
      ANTHROPIC_API_KEY: "test-key-0002",
      HTTPS_PROXY: proxy,
      NODE_EXTRA_CA_CERTS: made?.authorityFile,
      TURNFOLD_LEDGER: ledger,
      ...sqlite?.env,
    };
    const child = startProgram(["usage", "record", "--", process.execPath, program, "acp"], { env });
    cleanUp.push(() => child.kill("SIGKILL"));
    const updates: SessionNotification[] = [];
    const client = clientOf(child, updates);
    await client.initialize({
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { _meta: { goose: { customNotifications: true } } },
    });
    const { sessionId } = await client.newSession({ cwd: folder, mcpServers: [] });
    const say = async (text: string): Promise<void> => {
      const { stopReason } = await client.prompt({ sessionId, prompt: [{ type: "text", text }] });
      expect(stopReason).toBe("end_turn");
    };
    await say("one");
    await say("two");
    await client.setSessionConfigOption({ sessionId, configId: "model", value: "claude-haiku-4-5" });
    await say("three");
    child.stdin.end();
    expect(await once(child, "close")).toEqual([0, null]);
    expect(models).toEqual(["claude-opus-4-7", "claude-opus-4-7", "claude-haiku-4-5"]);

    // claude-opus-4-7: 5 in, 25 out, 0.50 read, 6.25 written; claude-haiku-4-5: 1, 5, 0.10, 1.25 (dollars for a million).
    // 1: 3000 x 5 = 0.015, 20000 x 0.50 = 0.01, 2500 x 6.25 = 0.015625, 1900 x 25 = 0.0475: 0.088125
    // 2: 10 x 5 = 0.00005, 200 x 25 = 0.005: 0.00505
    // 3: 1000000 x 1 = 1, 1 x 0.10 = 0.0000001, 1 x 5 = 0.000005: 1.0000051
    const opus = 0.088125 + 0.00505;
    const haiku = 1.0000051;
    const costs = updates.flatMap(({ update }) =>
      update.sessionUpdate === "usage_update" && update.cost ? [update.cost] : [],
    );
    expect(costs.map(({ currency }) => currency)).toEqual(["USD", "USD", "USD"]);
    const amounts = [0.088125, opus, opus + haiku];
    amounts.forEach((amount, at) => {
      expect(costs[at]?.amount).toBeCloseTo(amount, 10);
    });

    const report = JSON.parse(await run(["usage", "report", "--by", "model", "--json"], env)) as ReportJson;
    expect(report.rows.map((row) => [row["harness"], row["model"], row["turns"]])).toEqual([
      ["turnfold", "claude-haiku-4-5", 1],
      ["turnfold", "claude-opus-4-7", 2],
    ]);
    const estimated = report.rows.map((row) => row["manifestEstimatedCostUsd"] as Field<number>);
    expect(estimated[0]?.value).toBeCloseTo(haiku, 10);
    expect(estimated[1]?.value).toBeCloseTo(opus, 10);
    expect(estimated.map(({ incomplete }) => incomplete)).toEqual([false, false]);
    expect(report.total).toMatchObject({
      turns: 3,
      gaps: 0,
      inputTokens: { value: String(25_500 + 10 + 1_000_001), incomplete: false },
      outputTokens: { value: "2101", incomplete: false },
      cacheReadTokens: { value: "20001", incomplete: false },
      cacheWriteTokens: { value: "2500", incomplete: false },
      freshInputTokens: { value: String(3000 + 10 + 1_000_000), incomplete: false },
      totalTokens: { value: null, incomplete: true },
      wireReportedCostUsd: { value: null, incomplete: true },
    });
    expect(report.total["manifestEstimatedCostUsd"]?.value).toBeCloseTo(opus + haiku, 10);

    for (const form of [["--by", "day"], ["--csv", "--by", "session"], ["--html"], ["--since", "1d", "--by", "agent"]])
      expect(await run(["usage", "report", ...form], env)).toContain(
        form.includes("session") ? sessionId : form.includes("day") ? "all" : "turnfold",
      );
    expect(await run(["usage", "rebuild"], env)).toMatch(/^3 records read again/);
    expect(JSON.parse(await run(["usage", "report", "--by", "model", "--json"], env))).toEqual(report);
  });
});
