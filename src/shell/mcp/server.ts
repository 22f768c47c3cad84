/**
 * One server's life, as a state machine:
 *
 *     starting ──▶ ready ──▶ dead ──(next call)──▶ starting …
 *         └──────────┴──────────┴──▶ exhausted (too many failures in a row, or never came up)
 *     any ──▶ closed
 *
 * A failure is a start that failed, or a death: exit, end of its output, a line without end, a call that took too long. Failures
 * in a row are counted until a call succeeds, so that a server that starts well and dies in every call is exhausted as well.
 */
import { type Either, isLeft, left, right } from "fp-ts/lib/Either.js";
import { assertNever } from "../../core/never.js";
import type { Notice } from "../ports.js";
import { restartDelayMs } from "./backoff.js";
import { coalesced } from "./coalesced.js";
import { type Connection, FAILED_GRACE_MS, openConnection, type ServerHost } from "./connection.js";
import type { Listing } from "./listing.js";
import type { ServerSpec } from "./port.js";
import { limited, pause } from "./wait.js";

type Opened = Either<string, Connection>;

type State =
  | { readonly kind: "starting"; readonly opened: Promise<Opened>; readonly stop: AbortController }
  | { readonly kind: "ready"; readonly connection: Connection }
  | { readonly kind: "dead"; readonly retryAtMs: number }
  | { readonly kind: "exhausted"; readonly why: string }
  | { readonly kind: "closed" };

export interface ServerEvents {
  /** `listing` answers differently from now on. */
  readonly onChange: () => void;
  readonly onNotice: (notice: Notice) => void;
}

export interface Server {
  readonly name: string;
  /** First start. Resolves with the reason if the server did not come up; it is then given up for the session. */
  readonly start: () => Promise<Opened>;
  /** What it listed last, also while it is dead, since a call will start it again; nothing once it is exhausted. */
  readonly listing: () => Listing;
  /** The connection for one call, after a restart if there must be one. Never rejects. */
  readonly connect: () => Promise<Opened>;
  /** A call has been answered with a result: failures before it no longer count. */
  readonly served: () => void;
  /** Ends the process because it does not do its work; the next call starts another. */
  readonly kill: (connection: Connection, why: string) => void;
  /** For good. Resolves when nothing of it is left. */
  readonly close: (graceMs: number) => Promise<void>;
}

const NOTHING: Listing = { tools: [], remarks: [] };

/** Listings that a server asks for by `list_changed` follow one another at this distance at least. */
const REFRESH_MS = 200;

export const createServer = (spec: ServerSpec, host: ServerHost, events: ServerEvents): Server => {
  const { limits, log } = host;
  const tell = (severity: Notice["severity"], title: string, detail: string): void =>
    events.onNotice({ severity, title: `MCP server ${spec.name} ${title}`, detail });

  let state: State = { kind: "dead", retryAtMs: 0 };
  let failures = 0;
  let listing = NOTHING;
  /** Connections that are on their way out; the end of the server waits for them. */
  const leaving = new Set<Connection>();

  const show = (next: Listing): void => {
    const remarks = next.remarks.filter((remark) => !listing.remarks.includes(remark));
    listing = next;
    if (remarks.length > 0) tell("warning", "lists tools that had to be changed or left out", remarks.join("\n"));
    events.onChange();
  };

  const fail = (why: string): void => {
    failures += 1;
    log("warn", "MCP server failed", { server: spec.name, why, failures });
    if (failures >= limits.mcpRestartMaxAttempts) {
      state = { kind: "exhausted", why };
      tell("error", "is given up", `${why}; its tools are gone for this session`);
      show(NOTHING);
      return;
    }
    state = { kind: "dead", retryAtMs: performance.now() + restartDelayMs(failures, limits, Math.random()) };
    tell("warning", "stopped", `${why}; the next call starts it again`);
  };

  const kill = (connection: Connection, why: string): void => {
    if (state.kind !== "ready" || state.connection !== connection) return;
    leaving.add(connection);
    void connection.end(FAILED_GRACE_MS).then(() => leaving.delete(connection));
    fail(why);
  };

  const relist = async (): Promise<void> => {
    // A change may be told in the same breath as the first listing, before that has been taken in.
    if (state.kind === "starting") await state.opened;
    if (state.kind !== "ready") return;
    const { connection } = state;
    const time = limited(NEVER, limits.mcpInitTimeoutSeconds * 1000);
    const listed = await connection.list(time.signal);
    time.release();
    if (state.kind !== "ready" || state.connection !== connection) return;
    if (isLeft(listed)) log("warn", "MCP tools were not listed again", { server: spec.name, why: listed.left });
    else show(listed.right);
  };
  const refresh = coalesced(REFRESH_MS, relist);

  const open = async (afterMs: number, stop: AbortSignal): Promise<Opened> => {
    await pause(afterMs, stop);
    const time = limited(stop, limits.mcpInitTimeoutSeconds * 1000);
    const opened = await openConnection(spec, host, time.signal, refresh);
    time.release();
    if (time.stopped() === "timedOut") return left(`timeout: not ready within ${limits.mcpInitTimeoutSeconds} s`);
    if (isLeft(opened)) return opened;
    const connection = opened.right;
    if (state.kind === "closed") {
      await connection.end(0);
      return left("it is closed");
    }
    state = { kind: "ready", connection };
    log("info", "MCP server is ready", { server: spec.name, tools: connection.listing.tools.length });
    show(connection.listing);
    void connection.closed.then((why) => kill(connection, why));
    return opened;
  };

  const begin = async (afterMs: number, onFailure: (why: string) => void): Promise<Opened> => {
    const stop = new AbortController();
    const opened = open(afterMs, stop.signal);
    state = { kind: "starting", opened, stop };
    const result = await opened;
    if (isLeft(result) && state.kind === "starting") onFailure(result.left);
    return result;
  };

  const connect = async (): Promise<Opened> => {
    switch (state.kind) {
      case "ready":
        return right(state.connection);
      case "starting":
        return state.opened;
      case "dead":
        return begin(Math.max(0, state.retryAtMs - performance.now()), fail);
      case "exhausted":
        return left(`it is given up (${state.why})`);
      case "closed":
        return left("it is closed");
    }
    return assertNever(state);
  };

  const start = (): Promise<Opened> =>
    begin(0, (why) => {
      log("warn", "MCP server did not come up", { server: spec.name, why });
      state = { kind: "exhausted", why };
    });

  const close = async (graceMs: number): Promise<void> => {
    const was = state;
    state = { kind: "closed" };
    if (was.kind === "starting") {
      was.stop.abort();
      await was.opened;
    }
    if (was.kind === "ready") leaving.add(was.connection);
    await Promise.all([...leaving].map((connection) => connection.end(graceMs)));
  };

  const served = (): void => {
    failures = 0;
  };
  return { name: spec.name, start, listing: () => listing, connect, served, kill, close };
};

const NEVER = new AbortController().signal;
