/** The summary on the terminal. */
import { MEASURES } from "../../simulation/measures.js";
import type { StudySummary, VariantSummary } from "../../simulation/study.js";
import { inUnit, percent, plain } from "./format.js";

type Row = readonly string[];

/** Columns as wide as their widest cell; the first is flush left, the others flush right. */
const aligned = (rows: readonly Row[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
};

/** What never happened in any variant is left out. */
const shown = (variants: readonly VariantSummary[], name: string): boolean =>
  variants.some(({ measures }) => (measures[name]?.max ?? 0) > 0);

const measureRows = (variant: VariantSummary, variants: readonly VariantSummary[]): readonly Row[] =>
  MEASURES.filter(({ name }) => shown(variants, name)).flatMap(({ name, title, unit }) => {
    const summary = variant.measures[name];
    if (summary === undefined) return [];
    const { mean, halfWidth95, p5, p50, p95, p99, max } = summary;
    return [
      [
        title,
        inUnit(mean, unit),
        `±${inUnit(halfWidth95, unit)}`,
        ...[p5, p50, p95, p99, max].map((value) => inUnit(value, unit)),
      ],
    ];
  });

const HEAD: Row = ["", "mean", "95%", "p5", "median", "p95", "p99", "max"];

const outcomes = ({ tables }: VariantSummary): string => {
  const all = [
    ...Object.entries(tables.stops),
    ...Object.entries(tables.failures).map(([kind, n]): readonly [string, number] => [`failed: ${kind}`, n]),
  ];
  const total = all.reduce((sum, [, n]) => sum + n, 0);
  return all
    .toSorted(([, a], [, b]) => b - a)
    .map(([kind, n]) => `${kind} ${percent(n / total)}`)
    .join(", ");
};

/** A variant against the first: only what differs for sure. */
const differs = (variant: VariantSummary): readonly string[] =>
  MEASURES.flatMap(({ name, title, unit }) => {
    const difference = variant.againstFirst[name];
    if (difference === undefined || Math.abs(difference.mean) <= difference.halfWidth95) return [];
    const { mean, halfWidth95 } = difference;
    return [`  ${title}: ${mean > 0 ? "+" : ""}${inUnit(mean, unit)} ±${inUnit(halfWidth95, unit)} a session`];
  });

export const summaryTable = ({ sessions, variants }: StudySummary, names: readonly string[]): readonly string[] =>
  variants.flatMap((variant, index) => [
    "",
    `${names[index] === "" ? "" : `${names[index]}: `}${plain(sessions)} sessions, ${plain(variant.events)} events`,
    ...aligned([HEAD, ...measureRows(variant, variants)]),
    `Turns: ${outcomes(variant)}`,
    ...(index === 0 ? [] : [`Against ${names[0]}, session by session:`, ...differs(variant)]),
  ]);
