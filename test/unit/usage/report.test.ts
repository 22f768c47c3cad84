// The forms of a report: what is unknown, a lower bound or missing must be seen as that in each of them.
import { isRight } from "fp-ts/lib/Either.js";
import { isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import { htmlReport } from "../../../src/shell/ledger/page.js";
import type { Part } from "../../../src/shell/ledger/query.js";
import { GROUPINGS, reportRows, totalOf, type Grouping, type Report } from "../../../src/shell/ledger/report.js";
import { csvReport, jsonReport, tableReport } from "../../../src/shell/ledger/textForms.js";
import { readSince } from "../../../src/shell/cli/usageReport.js";
import { scopeOf } from "../../../src/usage/scope.js";
import { counts, type Figures } from "./build.js";

interface PartFields {
  readonly agent?: string;
  readonly model?: string | null;
  readonly session?: string;
  readonly day?: string;
  readonly estimate?: number;
  readonly gap?: boolean;
}

const part = (figures: Figures, fields: PartFields = {}): Part => {
  const estimate: Option<number> = fields.estimate === undefined ? none : some(fields.estimate);
  return {
    agent: fields.agent ?? "a",
    harness: "h",
    model: fields.model === undefined ? "m" : fields.model,
    session: fields.session ?? "s",
    day: fields.day ?? "2026-08-01",
    scope: scopeOf(counts(figures), estimate, fields.gap ?? false),
  };
};

const report = (parts: readonly Part[], by: Grouping = "model", invalid = 0): Report => {
  const rows = reportRows(parts, by);
  return { by, since: undefined, rows, total: totalOf(rows), invalid };
};

const evil = '\u001b[2J<script>alert(1)</script>\n"x",=1';
const parts = [
  part({ in: 1_234_567, out: 10, r: 0, w: 0, cost: 0.5 }, { estimate: 0.25 }),
  part({ in: 1000, out: 10 }, { model: "half" }),
  part({ out: 10 }, { model: "half", gap: true, day: "2026-08-02" }),
  part({}, { model: null }),
  part({ in: 5, out: 5 }, { model: evil, agent: evil, session: evil }),
];

describe("a table", () => {
  const lines = tableReport(report(parts, "model", 3));
  const line = (name: string): string => lines.find((each) => each.startsWith(name)) ?? "";

  test("marks lower bounds and unknowns, and shows each cost in its own column", () => {
    expect(line("h / m ")).toMatch(/1 +1,234,567 +0 +0 +1,234,567 +10 +0\.5000 +0\.2500/);
    expect(line("h / half")).toMatch(/2 +≥ 1,000 +\? +\? +\? +20 +\? +\? +1/);
    expect(line("h / (unknown)")).toMatch(/1 +\? +\? +\? +\? +\? +\? +\?/);
    expect(line("all")).toMatch(/^all +5 +≥ 1,235,572 .* ≥ 35 +≥ 0\.5000 +≥ 0\.2500 +1$/);
  });

  test("says what is missing, and that records could not be read", () => {
    expect(lines.join("\n")).toContain("3 stored records could not be read.");
    expect(lines.join("\n")).toContain("gaps: turns that are missing");
  });

  test("lets no name of an agent's move the cursor or break a line", () => {
    expect(lines.every((each) => !/\p{Cc}/u.test(each))).toBe(true);
  });

  test("of nothing is a table of nothing", () => {
    expect(tableReport(report([])).join("\n")).toMatch(/all +0 +- +-/);
  });
});

test("JSON keeps every digit and every flag", () => {
  const json = JSON.parse(jsonReport(report([part({ in: 2n ** 64n - 1n, out: 1 })]))) as Record<string, unknown>;
  expect(json["rows"]).toMatchObject([
    {
      harness: "h",
      model: "m",
      turns: 1,
      inputTokens: { value: "18446744073709551615", incomplete: false },
      cacheReadTokens: { value: null, incomplete: true },
      wireReportedCostUsd: { value: null, incomplete: true },
      manifestEstimatedCostUsd: { value: null, incomplete: true },
    },
  ]);
});

test("CSV leaves unknown empty, flags lower bounds, and quotes what needs it", () => {
  const [head = "", ...rows] = csvReport(report(parts)).split("\r\n");
  const column = head.split(",").indexOf("input_tokens");
  const half = rows.find((row) => row.startsWith("h,half"))?.split(",") ?? [];
  expect(half.slice(column, column + 2)).toEqual(["1000", "true"]);
  expect(rows.find((row) => row.startsWith("h,,"))?.split(",")[column]).toBe("");
  expect(csvReport(report(parts))).toContain(`"${evil.replaceAll('"', '""')}"`);
});

test.each(GROUPINGS)("grouped by %s, every turn is in one row", (by) => {
  expect(reportRows(parts, by).reduce((sum, { scope }) => sum + scope.reports, 0)).toBe(parts.length);
});

test("days come in their order, the rest with the largest use first", () => {
  expect(reportRows(parts, "day").map(({ names }) => names["day"])).toEqual(["2026-08-01", "2026-08-02"]);
  expect(reportRows(parts, "model").map(({ names }) => names["model"])).toEqual(["m", evil, "half", null]);
});

describe("a page", () => {
  const page = htmlReport(report(parts), parts);
  test("holds two plots and nothing that comes from elsewhere", () => {
    expect(page.match(/<svg/g)).toHaveLength(2);
    expect(page).not.toMatch(/<script|src=|href=|url\(|@import|http/);
  });
  test("shows names as text and unknowns as such", () => {
    expect(page).toContain("&#60;script&#62;");
    expect(page).toContain("<td>≥ 1,000</td>");
    expect(page).toContain("<td>?</td>");
  });
  test("of nothing is a page of nothing", () => {
    expect(htmlReport(report([]), [])).toContain("Nothing of it is known.");
  });
});

const now = new Date(2026, 7, 15, 13, 45);
test.each<[string, Date | null]>([
  ["1d", new Date(2026, 7, 15)],
  ["7d", new Date(2026, 7, 9)],
  ["2026-08-01", new Date(2026, 7, 1)],
  ["2026-08-01T10:00:00Z", new Date("2026-08-01T10:00:00Z")],
  ["2026-02-30", null],
  ["yesterday", null],
  ["-3d", null],
])("--since %s", (text, instant) => {
  const since = readSince(text, now);
  expect(isRight(since) ? since.right : null).toBe(instant === null ? null : instant.getTime() / 1000);
});

test("an estimate is there for the row that has one", () => {
  const row = reportRows(parts, "model").find(({ names }) => names["model"] === "m");
  expect(row !== undefined && isSome(row.scope.estimatedCost.value)).toBe(true);
});
