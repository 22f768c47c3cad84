/** Dates as stores write them, in milliseconds since 1970. */

/** Names under which a date is looked for, the best first: when a thing was last true counts more than when it was written. */
const DATE_NAMES: readonly string[] = [
  "updated",
  "updatedat",
  "modified",
  "modifiedat",
  "mtime",
  "date",
  "timestamp",
  "time",
  "created",
  "createdat",
  "ctime",
];

const plainName = (name: string): string => name.toLowerCase().replace(/[_\s-]/g, "");

/** How good a date the member of this name is; smaller is better, undefined is none. */
const dateRank = (name: string): number | undefined => {
  const rank = DATE_NAMES.indexOf(plainName(name));
  return rank < 0 ? undefined : rank;
};

const SECONDS_MAX = 1e11;

/** A number is seconds, or milliseconds where seconds would lie 1000 years ahead. */
const ofNumber = (value: number): number => (Math.abs(value) < SECONDS_MAX ? value * 1000 : value);

const DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** ISO 8601, also as SQLite writes it. Without a zone it is UTC. */
const ofText = (text: string): number | undefined => {
  const trimmed = text.trim().replace(/^(["'])(.*)\1$/, "$2");
  if (/^\d{9,14}(?:\.\d+)?$/.test(trimmed)) return ofNumber(Number(trimmed));
  const [, day, time = "00:00", zone = "Z"] = DATE.exec(trimmed) ?? [];
  if (day === undefined) return undefined;
  const parsed = Date.parse(`${day}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(parsed) ? undefined : parsed;
};

export const parseDate = (value: unknown): number | undefined => {
  if (typeof value === "bigint") return ofNumber(Number(value));
  if (typeof value === "number") return Number.isFinite(value) ? ofNumber(value) : undefined;
  return typeof value === "string" ? ofText(value) : undefined;
};

/** The best date among the members of a record, if one of them is a date. */
export const recordDate = (record: Readonly<Record<string, unknown>>): number | undefined => {
  const dated = Object.entries(record).flatMap(([name, value]) => {
    const rank = dateRank(name);
    const at = rank === undefined ? undefined : parseDate(value);
    return rank === undefined || at === undefined ? [] : [{ rank, at }];
  });
  return dated.toSorted((a, b) => a.rank - b.rank)[0]?.at;
};

const HOUR_MS = 3_600_000;

export const hoursSince = (at: number, now: number): number => (now - at) / HOUR_MS;
