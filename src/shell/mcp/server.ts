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

const REMARKS_TOLD_MAX = 100;

/** Everything that changes about a server. */
interface Life {
  readonly spec: ServerSpec;
  readonly host: ServerHost;
  readonly events: ServerEvents;
  state: State;
  /** Failures in a row. */
  failures: number;
  listing: Listing;
  /** Remarks on listings that were told. */
  readonly told: Set<string>;
  /** Connections that are on their way out; the end of the server waits for them. */
  readonly leaving: Set<Connection>;
  /** Asks for the tools to be listed again. */
  readonly refresh: () => void;
}

export const createServer = (spec: ServerSpec, host: ServerHost, events: ServerEvents): Server => {
  const life: Life = {
    spec,
    host,
    events,
    state: { kind: "dead", retryAtMs: 0 },
    failures: 0,
    listing: NOTHING,
    told: new Set(),
    leaving: new Set(),
    refresh: coalesced(REFRESH_MS, () => relist(life)),
  };
  return {
    name: spec.name,
    start: () => begin(life, 0, (why) => giveUp(life, why)),
    listing: () => life.listing,
    connect: () => connect(life),
    served: () => {
      life.failures = 0;
    },
    kill: (connection, why) => kill(life, connection, why),
    close: (graceMs) => close(life, graceMs),
  };
};

const tell = (life: Life, severity: Notice["severity"], what: string, detail: string): void =>
  life.events.onNotice({ severity, title: `MCP server ${life.spec.name} ${what}`, detail });

/** Remarks are told once, and not without end: a server may list something new, and wrong, five times a second. */
const remark = (life: Life, remarks: readonly string[]): void => {
  const fresh = remarks.filter((each) => !life.told.has(each)).slice(0, REMARKS_TOLD_MAX - life.told.size);
  for (const each of fresh) life.told.add(each);
  if (fresh.length > 0) tell(life, "warning", "lists tools that had to be changed or left out", fresh.join("\n"));
};

const show = (life: Life, listing: Listing): void => {
  remark(life, listing.remarks);
  const same = JSON.stringify(listing.tools) === JSON.stringify(life.listing.tools);
  life.listing = listing;
  if (!same) life.events.onChange();
};

const connect = async (life: Life): Promise<Opened> => {
  const { state } = life;
  switch (state.kind) {
    case "ready":
      return right(state.connection);
    case "starting":
      return state.opened;
    case "dead":
      return begin(life, Math.max(0, state.retryAtMs - performance.now()), (why) => fail(life, why));
    case "exhausted":
      return left(`it is given up (${state.why})`);
    case "closed":
      return left("it is closed");
  }
  return assertNever(state);
};

/** Starts it after a wait; whoever asks meanwhile waits for the same start. */
const begin = async (life: Life, afterMs: number, onFailure: (why: string) => void): Promise<Opened> => {
  const stop = new AbortController();
  const opened = open(life, afterMs, stop.signal);
  life.state = { kind: "starting", opened, stop };
  const result = await opened;
  if (isLeft(result) && life.state.kind === "starting") onFailure(result.left);
  return result;
};

const open = async (life: Life, afterMs: number, stop: AbortSignal): Promise<Opened> => {
  const { spec, host } = life;
  await pause(afterMs, stop);
  const time = limited(stop, host.limits.mcpInitTimeoutSeconds * 1000);
  const opened = await openConnection(spec, host, time.signal, life.refresh);
  time.release();
  if (time.stopped() === "timedOut") return left(`timeout: not ready within ${host.limits.mcpInitTimeoutSeconds} s`);
  if (isLeft(opened)) return opened;
  const connection = opened.right;
  // Closed in the very moment in which it came up.
  if (life.state.kind === "closed") {
    await connection.end(0);
    return left("it is closed");
  }
  life.state = { kind: "ready", connection };
  host.log("info", "MCP server is ready", { server: spec.name, tools: connection.listing.tools.length });
  show(life, connection.listing);
  void connection.closed.then((why) => kill(life, connection, why));
  return opened;
};

const kill = (life: Life, connection: Connection, why: string): void => {
  if (life.state.kind !== "ready" || life.state.connection !== connection) return;
  life.leaving.add(connection);
  void connection.end(FAILED_GRACE_MS).then(() => life.leaving.delete(connection));
  fail(life, why);
};

const fail = (life: Life, why: string): void => {
  const { spec, host } = life;
  life.failures += 1;
  host.log("warn", "MCP server failed", { server: spec.name, why, failures: life.failures });
  if (life.failures >= host.limits.mcpRestartMaxAttempts) {
    giveUp(life, why);
    tell(life, "error", "is given up", `${why}; its tools are gone for this session`);
    return;
  }
  const delayMs = restartDelayMs(life.failures, host.limits, Math.random());
  life.state = { kind: "dead", retryAtMs: performance.now() + delayMs };
  tell(life, "warning", "stopped", `${why}; the next call starts it again`);
};

const giveUp = (life: Life, why: string): void => {
  life.host.log("error", "MCP server is given up", { server: life.spec.name, why });
  life.state = { kind: "exhausted", why };
  show(life, NOTHING);
};

const relist = async (life: Life): Promise<void> => {
  // A change may be told in the same breath as the first listing, before that has been taken in.
  if (life.state.kind === "starting") await life.state.opened;
  if (life.state.kind !== "ready") return;
  const { connection } = life.state;
  const time = limited(new AbortController().signal, life.host.limits.mcpInitTimeoutSeconds * 1000);
  const listed = await connection.list(time.signal);
  time.release();
  if (life.state.kind !== "ready" || life.state.connection !== connection) return;
  if (isLeft(listed))
    life.host.log("warn", "tools were not listed again", { server: life.spec.name, why: listed.left });
  else show(life, listed.right);
};

const close = async (life: Life, graceMs: number): Promise<void> => {
  const { state, leaving } = life;
  life.state = { kind: "closed" };
  if (state.kind === "starting") {
    state.stop.abort();
    await state.opened;
  }
  if (state.kind === "ready") leaving.add(state.connection);
  await Promise.all([...leaving].map((connection) => connection.end(graceMs)));
};
