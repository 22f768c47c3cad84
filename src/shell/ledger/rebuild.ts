/** The index, made again from the stored records: each is read once, and resolved on one walk along its series. */
import type { MetricRow } from "../../usage/row.js";
import type { SqlRow, SqlValue } from "../sqlite.js";
import { LADDER_COLUMNS, rowOf } from "./columns.js";
import type { Database } from "./database.js";
import { indexEntry, insertResolved, type Archived, type Scopes } from "./store.js";

const PAGE = 5000;

/** Inside a transaction of the caller's. The number of records. */
export const rebuildIndex = (database: Database): number => {
  for (const table of ["resolved_usage", "usage_scopes", "agent_metric_index"]) database.run(`DELETE FROM ${table}`);
  const scopes: Scopes = new Map();
  let count = 0;
  for (const row of pages(database, "SELECT * FROM archived_events WHERE event > ? ORDER BY event", [0n], eventOf)) {
    indexEntry(database, archivedOf(row), scopes);
    count += 1;
  }
  resolveSeries(database);
  return count;
};

/** Rows in order, a page at a time; `next` says where the page behind a row begins. */
function* pages(
  database: Database,
  sql: string,
  from: readonly SqlValue[],
  next: (row: SqlRow) => readonly SqlValue[],
): Generator<SqlRow, void> {
  for (let at = from; ;) {
    const page = database.all(`${sql} LIMIT ${PAGE}`, ...at);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    at = next(last);
  }
}

const eventOf = (row: SqlRow): readonly SqlValue[] => [BigInt(String(row["event"]))];

const archivedOf = (row: SqlRow): Archived => ({
  event: BigInt(String(row["event"])),
  agent: String(row["agent"]),
  createdAt: Number(row["created_at"]),
  archivedAt: Number(row["archived_at"]),
  rawJson: String(row["raw_json"]),
});

const ALONG_SERIES = `SELECT ${LADDER_COLUMNS.join(", ")} FROM agent_metric_index WHERE session_id IS NOT NULL AND turn_seq IS NOT NULL
  AND (agent, session_id, turn_seq, event) > (?, ?, ?, ?) ORDER BY agent, session_id, turn_seq, event`;

const placeOf = (row: SqlRow): readonly SqlValue[] => [
  String(row["agent"]),
  String(row["session_id"]),
  String(row["turn_seq"]),
  ...eventOf(row),
];

/** Records at one place of a series. */
interface Group {
  readonly series: string;
  readonly seq: bigint;
  readonly members: { readonly row: MetricRow; readonly scope: number }[];
}

const seriesOf = (row: SqlRow): string => JSON.stringify([row["agent"], row["session_id"]]);

const resolveSeries = (database: Database): void => {
  let before: Group | undefined;
  let own: Group | undefined;
  const finish = (): void => {
    if (own === undefined) return;
    const began = before !== undefined && before.series === own.series;
    const adjacent = began && before?.seq === own.seq - 1n ? before.members.map(({ row }) => row) : [];
    for (const { row, scope } of own.members)
      insertResolved(database, row, scope, { own: own.members.length, before: adjacent, began });
    before = own;
  };
  for (const found of pages(database, ALONG_SERIES, ["", "", "", 0n], placeOf)) {
    const member = { row: rowOf(found), scope: Number(found["scope"]) };
    const [series, seq] = [seriesOf(found), BigInt(String(found["turn_seq"]))];
    if (own !== undefined && own.series === series && own.seq === seq) {
      own.members.push(member);
      continue;
    }
    finish();
    own = { series, seq, members: [member] };
  }
  finish();
};
