/** Numbers for people. */
import { assertNever } from "../../core/never.js";
import type { Unit } from "../../simulation/measures.js";

const grouped = (whole: string): string => whole.replace(/\B(?=(\d{3})+$)/g, ",");

/** Three significant digits below a thousand, whole and grouped above. */
export const plain = (value: number): string => {
  if (!Number.isFinite(value)) return "-";
  const size = Math.abs(value);
  if (size >= 1000) return `${value < 0 ? "-" : ""}${grouped(Math.round(size).toString())}`;
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3)));
};

const MINUTE_MS = 60_000;

export const duration = (ms: number): string => {
  const size = Math.abs(ms);
  const sign = ms < 0 ? "-" : "";
  if (size < 1000) return `${sign}${plain(size)} ms`;
  if (size < MINUTE_MS) return `${sign}${plain(size / 1000)} s`;
  if (size < 60 * MINUTE_MS) return `${sign}${Math.floor(size / MINUTE_MS)}m ${Math.floor((size % MINUTE_MS) / 1000)}s`;
  return `${sign}${Math.floor(size / 3_600_000)}h ${Math.floor((size % 3_600_000) / MINUTE_MS)}m`;
};

export const inUnit = (value: number, unit: Unit): string => {
  switch (unit) {
    case "count":
    case "tokens":
      return plain(value);
    case "microUsd":
      return `$${plain(value / 1e6)}`;
    case "ms":
      return duration(value);
    case "permille":
      return `${plain(value / 10)}%`;
  }
  return assertNever(unit);
};

export const percent = (share: number): string => `${plain(100 * share)}%`;
