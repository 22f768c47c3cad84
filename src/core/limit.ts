/** What a limit is, and how the tables of `policy.ts` and `shellLimits.ts` write them down. */

export interface Limit {
  readonly default: number;
  /** Accepted range, inclusive. */
  readonly min: number;
  readonly max: number;
  /** Environment variable that sets it, or "" where it is fixed. */
  readonly variable: string;
  readonly meaning: string;
}

/** The longest wait that a timer of Node's can hold: 2^31 − 1 ms. Above it a timer fires at once (F57). */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** 2^53 − 1: the largest integer that a limit can hold exactly. */
export const UNBOUNDED = Number.MAX_SAFE_INTEGER;

export const fixed = (value: number, meaning: string): Limit => ({
  default: value,
  min: value,
  max: value,
  variable: "",
  meaning,
});
export const set = (variable: string, value: number, meaning: string, min = 0, max = UNBOUNDED): Limit => ({
  default: value,
  min,
  max,
  variable,
  meaning,
});

export const milliseconds = (variable: string, value: number, meaning: string, min = 0): Limit =>
  set(variable, value, meaning, min, TIMER_MS_MAX);
export const seconds = (variable: string, value: number, meaning: string, min = 0): Limit =>
  set(variable, value, meaning, min, Math.floor(TIMER_MS_MAX / 1000));

export const KIB = 1024;
export const MIB = 1024 * 1024;

/** Own keys of a table, under the names that its type gives them. */
export const keysOf = <K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] =>
  Object.keys(table) as K[];

/** The defaults of a table of limits. */
export const defaults = <K extends string>(table: Readonly<Record<K, Limit>>): Record<K, number> => {
  const values = {} as Record<K, number>;
  for (const key of keysOf(table)) values[key] = table[key].default;
  return values;
};
