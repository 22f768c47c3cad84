/** Records into the ledger and its index. Everything here runs inside a transaction of the caller's. */
import { createHash } from "node:crypto";
import { isLeft } from "fp-ts/lib/Either.js";
import { alt, isSome, toNullable } from "fp-ts/lib/Option.js";
import { alone, resolveRow, type Neighbours } from "../../usage/resolved.js";
import { readRow, type MetricRow } from "../../usage/row.js";
import type { SqlRow, SqlValue } from "../sqlite.js";
import { indexColumns, LADDER_COLUMNS, rowOf, toText } from "./columns.js";
import type { Database } from "./database.js";
import { RESOLVED_COLUMNS, resolvedValues } from "./resolvedRow.js";

/** A record as it waits to be stored. */
export interface Entry {
  readonly agent: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** The metric's JSON, kept to the byte. */
  readonly rawJson: string;
}

/** A copy of a record has its id, however often it comes. */
export const entryId = ({ agent, rawJson }: Entry): string =>
  createHash("sha256")
    .update(JSON.stringify([agent, rawJson]))
    .digest("hex");

export interface Archived extends Entry {
  readonly event: bigint;
  readonly archivedAt: number;
}

/** Where records of one series stand; resolved together, since they share their neighbours. */
interface Place {
  readonly agent: string;
  readonly session: string;
  readonly seq: bigint;
}

const insert = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;

/** How many of the entries were new. */
export const addEntries = (database: Database, entries: readonly Entry[], now: number): number => {
  const places = new Map<string, Place>();
  const scopes: Scopes = new Map();
  let added = 0;
  for (const entry of entries) {
    const changes = database.run(
      "INSERT OR IGNORE INTO archived_events (id, agent, created_at, archived_at, raw_json) VALUES (?, ?, ?, ?, ?)",
      entryId(entry),
      entry.agent,
      entry.createdAt,
      now,
      entry.rawJson,
    );
    if (changes === 0) continue;
    added += 1;
    const [row] = database.all("SELECT last_insert_rowid() AS event");
    const place = indexEntry(database, { ...entry, event: BigInt(String(row?.["event"])), archivedAt: now }, scopes);
    if (place !== undefined) places.set(JSON.stringify([place.agent, place.session, place.seq.toString()]), place);
  }
  for (const place of places.values()) {
    resolvePlace(database, place);
    const next = nextPlace(database, place);
    if (next !== undefined) resolvePlace(database, next);
  }
  return added;
};

/** Writes the row of the index. The place where its series has changed, if it stands in one; a row that does not is resolved. */
export const indexEntry = (database: Database, archived: Archived, scopes: Scopes): Place | undefined => {
  const { event, agent, createdAt, archivedAt, rawJson } = archived;
  const row = readRow(event.toString(), agent, rawJson);
  const scope = isLeft(row) ? 0 : scopeOf(database, row.right, scopes);
  const read = isLeft(row) ? {} : indexColumns(row.right, scope);
  const columns: Readonly<Record<string, SqlValue>> = {
    event,
    agent,
    event_created_at: createdAt,
    archived_at: archivedAt,
    parse_status: isLeft(row) ? "invalid" : "valid",
    ...read,
  };
  database.run(insert("agent_metric_index", Object.keys(columns)), ...Object.values(columns));
  if (isLeft(row)) return undefined;
  const { sessionId, turnSeq } = row.right.metric;
  if (isSome(sessionId) && isSome(turnSeq)) return { agent, session: sessionId.value, seq: turnSeq.value };
  insertResolved(database, row.right, scope, alone);
  return undefined;
};

/** Numbers of groups by key, as far as they have been looked up in this transaction. */
export type Scopes = Map<string, number>;

/** The number of the group that the record belongs to. */
const scopeOf = (database: Database, row: MetricRow, scopes: Scopes): number => {
  const values = scopeValues(row);
  const key = JSON.stringify(values);
  const known = scopes.get(key) ?? findScope(database, key) ?? createScope(database, key, values);
  scopes.set(key, known);
  return known;
};

const scopeValues = ({ agent, metric }: MetricRow): readonly SqlValue[] => {
  const identity = toNullable(metric.pricingIdentity);
  return [
    agent,
    metric.harness,
    toNullable(metric.model),
    toNullable(alt(() => metric.sessionId)(metric.acpSessionId)),
    identity?.authority ?? null,
    identity?.model ?? null,
    identity === null ? null : toNullable(identity.cacheClass),
  ];
};

const findScope = (database: Database, key: string): number | undefined => {
  const [row] = database.all("SELECT scope FROM usage_scopes WHERE key = ?", key);
  return row === undefined ? undefined : Number(row["scope"]);
};

const createScope = (database: Database, key: string, values: readonly SqlValue[]): number => {
  const columns = ["agent", "harness", "model", "session", "pricing_authority", "pricing_model", "pricing_cache_class"];
  database.run(insert("usage_scopes", ["key", ...columns]), key, ...values);
  return Number(findScope(database, key));
};

const AT = `SELECT ${LADDER_COLUMNS.join(", ")} FROM agent_metric_index WHERE agent = ? AND session_id = ? AND turn_seq = ?`;

const rowsAt = (database: Database, { agent, session, seq }: Place): readonly SqlRow[] =>
  seq < 0n ? [] : database.all(AT, agent, session, toText(seq));

const began = (database: Database, { agent, session, seq }: Place): boolean =>
  database.all(
    "SELECT 1 FROM agent_metric_index WHERE agent = ? AND session_id = ? AND turn_seq < ? LIMIT 1",
    agent,
    session,
    toText(seq),
  ).length > 0;

/** The place behind this one that has records: its baseline, or its gap, may have changed. */
const nextPlace = (database: Database, place: Place): Place | undefined => {
  const [row] = database.all(
    "SELECT MIN(turn_seq) AS seq FROM agent_metric_index WHERE agent = ? AND session_id = ? AND turn_seq > ?",
    place.agent,
    place.session,
    toText(place.seq),
  );
  const seq = row?.["seq"];
  return typeof seq === "string" ? { ...place, seq: BigInt(seq) } : undefined;
};

const resolvePlace = (database: Database, place: Place): void => {
  const own = rowsAt(database, place);
  const before = rowsAt(database, { ...place, seq: place.seq - 1n }).map(rowOf);
  const neighbours = { own: own.length, before, began: before.length > 0 || began(database, place) };
  for (const row of own) storeResolved(database, rowOf(row), Number(row["scope"]), neighbours);
};

const storeResolved = (database: Database, row: MetricRow, scope: number, neighbours: Neighbours): void => {
  database.run("DELETE FROM resolved_usage WHERE scope = ? AND event = ?", scope, BigInt(row.id));
  insertResolved(database, row, scope, neighbours);
};

export const insertResolved = (database: Database, row: MetricRow, scope: number, neighbours: Neighbours): void => {
  database.run(
    insert("resolved_usage", ["scope", "event", "reported_at", ...RESOLVED_COLUMNS]),
    scope,
    BigInt(row.id),
    row.reportedAt,
    ...resolvedValues(resolveRow(row, neighbours)),
  );
};
