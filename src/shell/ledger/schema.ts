/**
 * Tables of the ledger (`spec/usage.md` 4.2, 4.3). The records in `archived_events` are the truth and never change; all else is
 * derived from them and can be made again. A migration runs in one transaction and writes its marker last.
 */
import type { Database } from "./database.js";
import { rebuildIndex } from "./rebuild.js";

const BASE = [
  "CREATE TABLE IF NOT EXISTS archive_migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL)",
  `CREATE TABLE IF NOT EXISTS archived_events (
    event INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, agent TEXT NOT NULL,
    created_at INTEGER NOT NULL, archived_at INTEGER NOT NULL, raw_json TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS agent_metric_index (
    event INTEGER PRIMARY KEY, agent TEXT NOT NULL, event_created_at INTEGER NOT NULL, archived_at INTEGER NOT NULL,
    reported_at INTEGER, session_id TEXT, turn_seq TEXT, model TEXT, delta_reliable INTEGER,
    turn_input_tokens TEXT, turn_output_tokens TEXT, turn_total_tokens TEXT, turn_cost_usd REAL,
    cumulative_input_tokens TEXT, cumulative_output_tokens TEXT, cumulative_total_tokens TEXT, cumulative_cost_usd REAL,
    parse_status TEXT NOT NULL)`,
  "CREATE INDEX IF NOT EXISTS idx_agent_metric_session ON agent_metric_index (agent, session_id, turn_seq)",
  `CREATE INDEX IF NOT EXISTS idx_agent_metric_invalid ON agent_metric_index (event_created_at)
    WHERE parse_status = 'invalid'`,
] as const;

interface Migration {
  readonly name: string;
  /** Columns of the index, each added only where it is missing. */
  readonly columns: readonly string[];
  readonly statements: readonly string[];
}

/** In the order in which they run: the columns come before the first rebuild, which fills all of them. */
const MIGRATIONS: readonly Migration[] = [
  {
    name: "add_cache_read_tokens",
    columns: ["turn_cache_read_tokens TEXT", "cumulative_cache_read_tokens TEXT"],
    statements: [],
  },
  {
    name: "add_cache_write_and_pricing",
    columns: [
      "turn_cache_write_tokens TEXT",
      "cumulative_cache_write_tokens TEXT",
      "pricing_authority TEXT",
      "pricing_model TEXT",
      "pricing_cache_class TEXT",
    ],
    statements: [],
  },
  { name: "add_harness_to_metric_index", columns: ["harness TEXT"], statements: [] },
  {
    name: "add_resolved_usage",
    columns: ["scope INTEGER"],
    statements: [
      // Everything by which a report can group. A session has one for each model and identity that it was billed by.
      `CREATE TABLE IF NOT EXISTS usage_scopes (
        scope INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, harness TEXT NOT NULL, model TEXT,
        session TEXT, pricing_authority TEXT, pricing_model TEXT, pricing_cache_class TEXT)`,
      // Stored in the order in which a report adds up.
      `CREATE TABLE IF NOT EXISTS resolved_usage (
        scope INTEGER NOT NULL, bill INTEGER NOT NULL, event INTEGER NOT NULL, reported_at INTEGER NOT NULL,
        gap INTEGER NOT NULL, wide INTEGER NOT NULL, input, output, total, cache_read, cache_write, cost_usd REAL,
        PRIMARY KEY (scope, bill, event)) WITHOUT ROWID`,
      "CREATE INDEX IF NOT EXISTS idx_resolved_wide ON resolved_usage (scope) WHERE wide = 1",
    ],
  },
];

const markers = (database: Database): ReadonlySet<string> => {
  const tables = database.all("SELECT name FROM sqlite_master WHERE name = 'archive_migrations'");
  const rows = tables.length === 0 ? [] : database.all("SELECT name FROM archive_migrations");
  return new Set(rows.map(({ name }) => String(name)));
};

const missingColumns = (database: Database, columns: readonly string[]): readonly string[] => {
  const present = new Set(database.all("PRAGMA table_info(agent_metric_index)").map(({ name }) => name));
  return columns.filter((column) => !present.has(column.split(" ")[0]));
};

const migrate = (database: Database, migration: Migration, now: number): void => {
  for (const column of missingColumns(database, migration.columns))
    database.run(`ALTER TABLE agent_metric_index ADD COLUMN ${column}`);
  for (const statement of migration.statements) database.run(statement);
  database.run("INSERT INTO archive_migrations (name, applied_at) VALUES (?, ?)", migration.name, now);
};

export type SchemaState = { readonly kind: "ready" } | { readonly kind: "newer"; readonly marker: string };

/** Brings the tables up to date; `now` in seconds. A ledger with a marker that nobody here knows is left alone. */
export const prepareSchema = (database: Database, now: number): SchemaState => {
  const stranger = [...markers(database)].find((name) => !MIGRATIONS.some((migration) => migration.name === name));
  if (stranger !== undefined) return { kind: "newer", marker: stranger };
  const pending = (): readonly Migration[] => {
    const applied = markers(database);
    return MIGRATIONS.filter(({ name }) => !applied.has(name));
  };
  if (pending().length === 0) return { kind: "ready" };
  database.transaction(() => {
    for (const statement of BASE) database.run(statement);
    // Looked up again: another writer may have been faster.
    const due = pending();
    for (const migration of due) migrate(database, migration, now);
    // What an older version could not read of the stored records is read now (decision 17).
    if (due.length > 0) rebuildIndex(database);
  });
  return { kind: "ready" };
};
