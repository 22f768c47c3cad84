/**
 * The SDK's `Transport` over a process of ours. The SDK's own one starts no process group, keeps its exit code to itself, reads
 * integers as doubles and copies long lines quadratically (`spec/ecosystem.md` 1.4).
 */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { type Json, stringifyJson } from "../../core/json.js";
import { oneLine } from "../../core/text.js";
import { lineReader } from "./lines.js";
import { readLine } from "./message.js";
import type { Log } from "../log.js";
import type { ServerHost } from "./connection.js";
import type { ServerProcess } from "./process.js";
import { readStderr } from "./stderr.js";

export interface ServerTransport {
  readonly sdk: Transport;
  /** Resolves once no more answers can come, with why: "exited with code 3: cannot read its configuration". */
  readonly closed: Promise<string>;
  /** The same as soon as it is known, until then undefined. */
  readonly closedWhy: () => string | undefined;
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** After a process has exited, how long its last words may take to arrive. */
const LAST_WORDS_MS = 50;
/** After a server has closed its end of a pipe, how long its exit may take to be seen: it says more than that. */
const EXIT_MS = 500;
const NOISE_LINES_LOGGED = 20;
const NOISE_BYTES_LOGGED = 200;

/** What the server says is without its secrets from here on: cleaned before it is cut, or half of one would stay. */
export const serverTransport = (
  server: ServerProcess,
  name: string,
  { limits: { mcpLineBytesMax: lineBytesMax }, log, redact }: ServerHost,
): ServerTransport => {
  const stderr = readStderr(server.stderr, redact, (line) => log("debug", "MCP server says", { server: name, line }));
  const sdk: Transport = {
    start: () => Promise.resolve(read()),
    send: (message) => Promise.resolve(write(message)),
    // A transport with a session counts as connected before, so the SDK leaves the handshake to us: its own refuses servers
    // for a version or a field that nothing here depends on.
    sessionId: name,
    // Called by the SDK when it gives a server up; why is its to say. The process is ended by whoever started it.
    close: () => Promise.resolve(sdk.onclose?.()),
  };
  let why: string | undefined;
  let settle: (why: string) => void = () => {};
  const closed = new Promise<string>((resolve) => {
    settle = resolve;
  });

  const close = (reason: string): void => {
    if (why !== undefined) return;
    const last = stderr.text();
    why = last === "" ? reason : `${reason}: ${last}`;
    sdk.onclose?.();
    settle(why);
  };

  const noise = noiseLog(name, log);
  const take = (line: string): void => {
    if (why !== undefined || line.trim() === "") return;
    const read = readLine(line, redact);
    if (read.kind === "noise") return noise(redact(line));
    try {
      sdk.onmessage?.(read.message);
    } catch (fault) {
      // The SDK throws while it words a complaint about an answer that nobody waits for (it cannot print a bigint).
      log("debug", "MCP message ignored", { server: name, why: String(fault) });
    }
  };

  const read = (): void => {
    const lines = lineReader(lineBytesMax, take, () => close(`sent a line over ${lineBytesMax} bytes`));
    server.stdout.on("data", lines.push);
    server.stdout.on("error", () => {});
    const ended = new Promise<void>((resolve) => server.stdout.once("close", resolve));
    const onEnd = async (): Promise<void> => {
      await ended;
      if (why === undefined && lines.pending() > 0)
        log("warn", "MCP server ended in mid line", { server: name, bytes: lines.pending() });
      await delay(EXIT_MS);
      close("closed its output");
    };
    const onExit = async (): Promise<void> => {
      const how = await server.exited;
      await Promise.race([ended, delay(LAST_WORDS_MS)]);
      close(how);
    };
    void onEnd();
    void onExit();
    server.stdin.on("error", (fault) => {
      setTimeout(() => close(`closed its input (${fault.message})`), EXIT_MS);
    });
  };

  const write = (message: JSONRPCMessage): void => {
    // Plain data of the SDK and ours; `bigint` arguments are the reason for our own serialiser.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const json = message as unknown as Json;
    if (why === undefined) server.stdin.write(`${stringifyJson(json)}\n`);
  };

  return { sdk, closed, closedWhy: () => why };
};

/** Bounded in length and number: a server may print for as long as it likes. */
const noiseLog = (server: string, log: Log): ((line: string) => void) => {
  let lines = 0;
  return (line) => {
    lines += 1;
    if (lines <= NOISE_LINES_LOGGED)
      log("debug", "noise on stdout", { server, line: oneLine(line, NOISE_BYTES_LOGGED) });
    if (lines === NOISE_LINES_LOGGED) log("warn", "noise on stdout is no longer logged", { server });
  };
};
