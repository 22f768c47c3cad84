/** A report as JSON, as CSV, and as a table for a terminal. */
import { hasUnknownUsage, type Scope } from "../../usage/scope.js";
import { COLUMNS, extent, plainName, shown } from "./figures.js";
import type { Report } from "./report.js";

const jsonFigures = (scope: Scope): object => ({
  turns: scope.reports,
  gaps: scope.gaps,
  ...Object.fromEntries(COLUMNS.map(({ key, field }) => [key, field(scope)])),
  hasUnknownUsage: hasUnknownUsage(scope),
});

export const jsonReport = ({ by, since, rows, total, invalid }: Report): string =>
  JSON.stringify(
    {
      by,
      since: since ?? null,
      rows: rows.map(({ names, scope }) => ({ ...names, ...jsonFigures(scope) })),
      total: jsonFigures(total),
      invalidRecords: invalid,
    },
    null,
    2,
  );

const snake = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const csvCell = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** An empty cell is unknown; `…_incomplete` tells a lower bound from a sum. */
export const csvReport = ({ rows }: Report): string => {
  const names = Object.keys(rows[0]?.names ?? {});
  const head = [...names, "turns", "gaps", ...COLUMNS.flatMap(({ key }) => [snake(key), `${snake(key)}_incomplete`])];
  const lines = rows.map(({ names: own, scope }) => [
    ...names.map((name) => own[name] ?? ""),
    String(scope.reports),
    String(scope.gaps),
    ...COLUMNS.flatMap(({ field }) => {
      const { value, incomplete } = field(scope);
      return [value === null ? "" : String(value), String(incomplete)];
    }),
  ]);
  return [head, ...lines].map((line) => line.map(csvCell).join(",")).join("\r\n");
};

const BAR_WIDTH = 16;
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

const bar = (part: number): string => {
  const eighths = Math.round(part * BAR_WIDTH * 8);
  return "█".repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? "");
};

const NAME_WIDTH_MAX = 40;
const cut = (name: string): string => (name.length > NAME_WIDTH_MAX ? `${name.slice(0, NAME_WIDTH_MAX - 1)}…` : name);

interface Line {
  readonly name: string;
  readonly cells: readonly string[];
  readonly bar: string;
}

/** Tokens of a kind that nobody reports take no room; that a cost is unknown is worth a column. */
const usedColumns = ({ rows }: Report): typeof COLUMNS =>
  COLUMNS.filter(({ key, field }) => key.endsWith("Usd") || rows.some(({ scope }) => field(scope).value !== null));

const cellsOf = (scope: Scope, columns: typeof COLUMNS): readonly string[] => [
  String(scope.reports),
  ...columns.map(({ field }) => shown(field(scope))),
  scope.gaps === 0 ? "" : String(scope.gaps),
];

export const tableReport = (report: Report): readonly string[] => {
  const { by, rows, total, invalid } = report;
  const columns = usedColumns(report);
  const largest = Math.max(1, ...rows.map(({ scope }) => extent(scope)));
  const lines: readonly Line[] = [
    { name: by, cells: ["turns", ...columns.map(({ title }) => title), "gaps"], bar: "" },
    ...rows.map(({ names, scope }) => ({
      name: cut(Object.values(names).map(plainName).join(" / ")),
      cells: cellsOf(scope, columns),
      bar: bar(extent(scope) / largest),
    })),
    { name: "all", cells: cellsOf(total, columns), bar: "" },
  ];
  const nameWidth = Math.max(...lines.map(({ name }) => name.length));
  const widths = (lines[0]?.cells ?? []).map((_, at) => Math.max(...lines.map(({ cells }) => cells[at]?.length ?? 0)));
  const text = lines.map(({ name, cells, bar: own }) =>
    [name.padEnd(nameWidth), ...cells.map((cell, at) => cell.padStart(widths[at] ?? 0)), own].join("  ").trimEnd(),
  );
  const rule = "─".repeat(Math.max(...text.map((line) => line.length)));
  return [...text.slice(0, 1), rule, ...text.slice(1, -1), rule, ...text.slice(-1), ...notes(report, invalid)];
};

const notes = ({ total }: Report, invalid: number): readonly string[] => {
  const missing = COLUMNS.filter(({ field }) => field(total).incomplete).map(({ title }) => title);
  return [
    "",
    ...(missing.length > 0 ? [`? unknown, ≥ at least: not every turn says its ${missing.join(", ")}.`] : []),
    ...(total.gaps > 0 ? ["gaps: turns that are missing in the record; their tokens are in no sum."] : []),
    ...(invalid > 0 ? [`${invalid} stored records could not be read.`] : []),
    "reported $: as agents say. estimated $: by list prices, where who was billed is proven.",
  ];
};
