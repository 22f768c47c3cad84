// The ledger on a real SQLite: the table of spec/usage.md 4.2, migrations 4.3, copies, several writers, and databases that
// cannot be used.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isLeft, isRight, type Either } from "fp-ts/lib/Either.js";
import { isSome, some } from "fp-ts/lib/Option.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { COUNTER_MAX } from "../../../src/core/usage.js";
import { fromText, toText } from "../../../src/shell/ledger/columns.js";
import { openDatabase, type Database } from "../../../src/shell/ledger/database.js";
import { deliver, rebuild, withLedger } from "../../../src/shell/ledger/ledger.js";
import { countWaiting, outboxOf, post } from "../../../src/shell/ledger/outbox.js";
import { countInvalid, groupParts, readParts } from "../../../src/shell/ledger/query.js";
import { prepareSchema } from "../../../src/shell/ledger/schema.js";
import { addEntries, type Entry } from "../../../src/shell/ledger/store.js";
import { encodeMetric } from "../../../src/usage/metric.js";
import { estimateOf, resolveRows } from "../../../src/usage/resolved.js";
import { readRow } from "../../../src/usage/row.js";
import { emptyScope, mergeScopes, scopeOf, type Scope } from "../../../src/usage/scope.js";
import { estimateCost, priceList } from "../../../src/usage/price.js";
import { sqlitePeer } from "../../support/sqlitePeer.js";
import { metric, type MetricFields } from "../../unit/usage/build.js";

const sqlite = await sqlitePeer();

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "turnfold-ledger-"));
  file = path.join(folder, "deep", "usage.sqlite");
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const fine = <A>(result: Either<string, A>): A => {
  if (isLeft(result)) throw new Error(result.left);
  return result.right;
};
const use = <A>(work: (database: Database) => A): A => fine(withLedger(file, work));
const entry = (seq: number | bigint, fields: MetricFields, agent = "a"): Entry => ({
  agent,
  createdAt: 1_785_542_400,
  rawJson: fine(encodeMetric(metric(seq, fields))),
});
const add = (...entries: readonly Entry[]): number =>
  use((database) => database.transaction(() => addEntries(database, entries, 1)));

const prices = priceList([
  {
    authority: "api.anthropic.com",
    model: "m",
    usdPerMillionTokens: { input: some(3), output: some(15), cacheRead: some(0.3), cacheWrite: { _tag: "None" } },
  },
]);
const total = (): Scope =>
  use((database) => groupParts(readParts(database, prices, { since: undefined, byDay: false }), () => "all")).get(
    "all",
  ) ?? emptyScope;

/** The same sum by the pure roll-up, the judge of what SQLite adds up. */
const expected = (entries: readonly Entry[]): Scope =>
  resolveRows(
    [...new Map(entries.map((one) => [one.agent + one.rawJson, one])).values()].flatMap(({ agent, rawJson }, index) => {
      const row = readRow(String(index), agent, rawJson);
      return isRight(row) ? [row.right] : [];
    }),
  )
    .map((one) =>
      scopeOf(
        one.counts,
        estimateOf(one, ({ identity, tokens }) => estimateCost(prices, identity, tokens)),
        one.gap,
      ),
    )
    .reduce((sum, one) => mergeScopes(sum, one), emptyScope);

test.each([0n, 1n, COUNTER_MAX])("the text of %s has 20 digits and comes back", (tokens) => {
  expect(toText(tokens)).toHaveLength(20);
  expect(fromText(toText(tokens))).toEqual(some(tokens));
});
test.each(["", "5", "000000000000000000001", "99999999999999999999", "0000000000000000000x", null, 5])(
  "%j is no counter's text",
  (value) => {
    expect(isSome(fromText(value))).toBe(false);
  },
);

describe.skipIf(sqlite === undefined)("on SQLite", () => {
  test("a fresh ledger has all its markers, and opening it again changes nothing", () => {
    const markers = () =>
      use((database) => database.all("SELECT name, applied_at FROM archive_migrations ORDER BY name"));
    const first = markers();
    expect(first.map(({ name }) => name)).toEqual([
      "add_cache_read_tokens",
      "add_cache_write_and_pricing",
      "add_harness_to_metric_index",
      "add_resolved_usage",
    ]);
    expect(markers()).toEqual(first);
  });

  // 4.3: a column that is there without its marker is not added twice, and what older versions could not read is read now.
  test("a ledger from before cache figures gets its columns, also where one is there already, and its rows are read again", () => {
    const entries = [entry(1, { turn: { in: 10, out: 2, r: 3, w: 4 }, id: "m" })];
    add(...entries);
    const database = fine(openDatabase(file));
    for (const column of ["cumulative_cache_read_tokens", "turn_cache_write_tokens", "harness", "scope"])
      database.run(`ALTER TABLE agent_metric_index DROP COLUMN ${column}`);
    database.run("DROP TABLE resolved_usage");
    database.run("UPDATE agent_metric_index SET turn_cache_read_tokens = NULL");
    database.run("DELETE FROM archive_migrations");
    database.close();
    expect(total()).toEqual(expected(entries));
    expect(use((one) => one.all("SELECT turn_cache_read_tokens AS r FROM agent_metric_index"))).toEqual([
      { r: toText(3n) },
    ]);
  });

  test("running the migrations of a ready ledger a second time does nothing", () => {
    use((database) => {
      expect(prepareSchema(database, 5)).toEqual({ kind: "ready" });
      expect(prepareSchema(database, 6)).toEqual({ kind: "ready" });
    });
  });

  test("a ledger of a newer version is left alone, and that is said", () => {
    use((database) => database.run("INSERT INTO archive_migrations VALUES ('add_teleport', 1)"));
    const refused = withLedger(file, () => "used");
    expect(isLeft(refused) ? refused.left : "").toMatch(/newer version.*add_teleport/);
  });

  test("the stored record is the one that came, to the byte", () => {
    const rawJson =
      '{ "harness":"h", "timestamp":"2026-08-01T00:00:00Z",  "odd": [1.0, 18446744073709551616], "ü":"\\u00fc" }';
    add({ agent: "a", createdAt: 5, rawJson });
    expect(use((database) => database.all("SELECT raw_json FROM archived_events"))).toEqual([{ raw_json: rawJson }]);
  });

  test.each<[string, string, string]>([
    ["no JSON", "{", "invalid"],
    ["no time", '{"harness":"h","timestamp":"now"}', "invalid"],
    [
      "cumulative without a place",
      '{"harness":"h","timestamp":"2026-08-01T00:00:00Z","cumulative":{"inputTokens":1}}',
      "invalid",
    ],
    ["a turn alone", '{"harness":"h","timestamp":"2026-08-01T00:00:00Z","turn":{"inputTokens":1}}', "valid"],
    ["neither", '{"harness":"h","timestamp":"2026-08-01T00:00:00Z"}', "valid"],
  ])("validity: %s", (_name, rawJson, status) => {
    add({ agent: "a", createdAt: 7, rawJson });
    expect(use((database) => database.all("SELECT parse_status FROM agent_metric_index"))).toEqual([
      { parse_status: status },
    ]);
    expect(use((database) => countInvalid(database, 7))).toBe(status === "invalid" ? 1 : 0);
    expect(total().reports).toBe(status === "invalid" ? 0 : 1);
  });

  const story: readonly Entry[] = [
    entry(1, {
      turn: { in: 25500, out: 1900, r: 20000, w: 0 },
      cum: { in: 25500, out: 1900, r: 20000, w: 0 },
      id: "m",
    }),
    entry(2, { cum: { in: 56000, out: 3100, r: 49000, w: 2600 }, reliable: false, id: "m" }),
    entry(4, {
      turn: { in: 2000, out: 100, r: 1500, w: 50 },
      cum: { in: 62000, out: 3400, r: 53500, w: 2650 },
      id: "m",
    }),
    entry(4, { turn: { in: 7, out: 7, r: 0, w: 0 }, session: "s2", id: "m" }),
    entry(5, { turn: { in: COUNTER_MAX - 100_000n, out: 1, cost: 0.5 }, session: "s2" }),
    entry(1, { turn: { in: 3, out: 3, r: 0, w: 0, total: 6, cost: 1.25 }, id: "m" }, "b"),
    entry(1, { turn: { in: 4, out: 4, r: 0, w: 0 }, id: "m" }, "b"),
    entry(2, { turn: { in: 5, out: 5 }, cum: { in: 99, out: 99 } }, "b"),
  ];

  test("SQLite's sums are those of the pure roll-up, in whatever order and how often the rows come, and after a rebuild", () => {
    const rotations = story.map((_, at) => [...story.slice(at), ...story.slice(0, at)]);
    for (const order of [...rotations, story.toReversed()]) {
      for (const one of order) add(one);
      expect(add(...story)).toBe(0);
      expect(total()).toEqual(expected(story));
      expect(fine(rebuild(file))).toBe(story.length);
      expect(total()).toEqual(expected(story));
      rmSync(path.dirname(file), { recursive: true });
    }
  });

  test("the outbox is stored once, however often it is delivered", async () => {
    for (const [index, one] of [...story, ...story].entries()) await post(file, String(index).padStart(3, "0"), one);
    expect(await deliver(file)).toEqual({ _tag: "Right", right: story.length });
    expect(await deliver(file)).toEqual({ _tag: "Right", right: 0 });
    expect(await countWaiting(file)).toBe(0);
    expect(total()).toEqual(expected(story));
  });

  test("a file in the outbox that nobody can read does not keep the others", async () => {
    mkdirSync(outboxOf(file), { recursive: true });
    writeFileSync(path.join(outboxOf(file), "000.json"), '{"agent":5}');
    await post(file, "001", story[0] ?? entry(1, {}));
    expect(await deliver(file)).toEqual({ _tag: "Right", right: 1 });
    expect(readdirSync(outboxOf(file))).toEqual(["000.json.unreadable"]);
  });

  test("a file that cannot be taken out of the outbox ends the delivery in one line", async () => {
    await post(file, "001", story[0] ?? entry(1, {}));
    mkdirSync(path.join(outboxOf(file), "002.json.unreadable", "below"), { recursive: true });
    writeFileSync(path.join(outboxOf(file), "002.json"), "no entry, and its new name is taken by a folder");
    const stopped = await deliver(file);
    expect(isLeft(stopped) ? stopped.left : "").toMatch(/^1 turns are stored, but cannot be taken out of /);
    expect(total().reports).toBe(1);
  });

  test("several deliveries at the same time store every turn once", async () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      entry(index + 1, { turn: { in: 1, out: 1 }, cum: { in: index + 1, out: index + 1 } }),
    );
    for (const [index, one] of many.entries()) await post(file, String(index).padStart(3, "0"), one);
    await Promise.all([deliver(file), deliver(file), deliver(file)]);
    expect(total()).toMatchObject({ reports: 60, gaps: 0, input: { value: some(60n), incomplete: false } });
  });

  test("a locked ledger keeps its turns waiting, says so, and gets them later", async () => {
    add(entry(1, { turn: { in: 1, out: 1 } }));
    const blocker = fine(openDatabase(file));
    blocker.run("BEGIN IMMEDIATE");
    await post(file, "001", entry(2, { turn: { in: 1, out: 1 } }));
    const refused = await deliver(file);
    expect(isLeft(refused) ? refused.left : "").toMatch(/is locked.*1 turns wait in/);
    expect(refused).not.toMatchObject({ left: expect.stringContaining("\n") as string });
    blocker.run("ROLLBACK");
    blocker.close();
    expect(await deliver(file)).toEqual({ _tag: "Right", right: 1 });
  });

  test("a file that is no database, or in a place where none can be, is one line", async () => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, "not a database, ".repeat(200));
    await post(file, "001", entry(1, {}));
    const damaged = await deliver(file);
    expect(isLeft(damaged) ? damaged.left : "").toMatch(/^the ledger .* is damaged or no SQLite file/);
    const impossible = withLedger(path.join(file, "below", "usage.sqlite"), () => 0);
    expect(isLeft(impossible) ? impossible.left.split("\n") : []).toHaveLength(1);
  });

  test("a full disk takes nothing half, is one line, and gets the turns once there is room", async () => {
    add(entry(1, { turn: { in: 1, out: 1 } }));
    const before = total();
    const full = withLedger(file, (database) => {
      const [pages] = database.all("PRAGMA page_count");
      database.all(`PRAGMA max_page_count = ${String(pages?.["page_count"])}`);
      const long = Array.from({ length: 400 }, (_, index) => entry(index + 2, { turn: { in: 1, out: 1 } }));
      return database.transaction(() => addEntries(database, long, 1));
    });
    expect(isLeft(full) ? full.left : "").toMatch(/is on a full disk/);
    expect(total()).toEqual(before);
  });

  test("a read-only ledger is one line", () => {
    add(entry(1, {}));
    const refused = withLedger(file, (database) => {
      // What SQLite says of a file that must not be written; the rights of a file do not bind every user.
      database.run("PRAGMA query_only = 1");
      return database.transaction(() => addEntries(database, [entry(2, {})], 1));
    });
    expect(isLeft(refused) ? refused.left : "").toMatch(/^the ledger .* is read-only/);
  });
});

test("a rebuild of a ledger that is not there makes none", () => {
  expect(isLeft(rebuild(file))).toBe(true);
  expect(existsSync(file)).toBe(false);
});
