/** One run of a server: its process, the client that talks to it, and what it listed when it came up. */
import { type Either, isLeft, left, right } from "fp-ts/lib/Either.js";
import type { JsonObject } from "../../core/json.js";
import type { ShellLimits } from "../../core/policy.js";
import { type Answer, connectClient } from "./client.js";
import { serverEnvironment } from "./environment.js";
import { type Listing, listTools } from "./listing.js";
import type { Log } from "../log.js";
import type { ServerSpec } from "./port.js";
import { startProcess } from "./process.js";
import { serverTransport } from "./transport.js";

/** What a server needs of the session it belongs to. */
export interface ServerHost {
  readonly cwd: string;
  /** The agent's environment; the server gets the allowlisted part. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly limits: ShellLimits;
  readonly log: Log;
  /** Takes out of a text what the servers of the session were given as secrets. */
  readonly redact: (text: string) => string;
}

export interface Connection {
  readonly listing: Listing;
  readonly list: (signal: AbortSignal) => Promise<Either<string, Listing>>;
  readonly call: (tool: string, args: JsonObject, signal: AbortSignal) => Promise<Answer>;
  /** Resolves with the reason once no more answers can come; the process group may still be there then. */
  readonly closed: Promise<string>;
  /** Ends the process group. May be called more than once; the shortest grace counts. */
  readonly end: (graceMs: number) => Promise<void>;
}

/** A server that could not be used gets this long to leave by itself, and as long again after TERM. */
export const FAILED_GRACE_MS = 250;

/**
 * Starts a server and reads its tools. When `signal` fires first, its reason (a string) is the failure. A server that failed has
 * been ended when this resolves.
 */
export const openConnection = async (
  spec: ServerSpec,
  host: ServerHost,
  signal: AbortSignal,
  onToolsChanged: () => void,
): Promise<Either<string, Connection>> => {
  const env = serverEnvironment(host.environment, spec.env, process.platform);
  const started = await startProcess({ command: spec.command, args: spec.args, env, cwd: host.cwd }, host.log);
  if (isLeft(started)) return started;
  const server = started.right;
  const transport = serverTransport(server, spec.name, host);
  const giveUp = async (why: string): Promise<Either<string, Connection>> => {
    await server.end(FAILED_GRACE_MS);
    return left(signal.aborted ? String(signal.reason) : why);
  };
  if (signal.aborted) return giveUp("");

  const client = await connectClient(transport, signal, onToolsChanged);
  if (isLeft(client)) return giveUp(client.left);
  const list = (until: AbortSignal): Promise<Either<string, Listing>> => listTools(client.right, host.limits, until);
  const listing = await list(signal);
  if (isLeft(listing)) return giveUp(listing.left);

  const call = (tool: string, args: JsonObject, until: AbortSignal): Promise<Answer> =>
    client.right.request("tools/call", { name: tool, arguments: args }, until);
  return right({ listing: listing.right, list, call, closed: transport.closed, end: server.end });
};
