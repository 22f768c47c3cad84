/**
 * A study: one scenario, or several variants of one under common random numbers, summed up session by session. Its size does not
 * depend on the number of sessions, and studies of different sessions merge in any order.
 */
import { MEASURES } from "./measures.js";
import type { SessionMetrics } from "./metrics.js";
import { addValue, mergeSample, newSample, summaryOf, type Sample, type Summary } from "./sample.js";

/** What is counted by kind. */
export const TABLES = ["stops", "failures", "calls", "handoffs", "recoveries"] as const;
export type TableName = (typeof TABLES)[number];

export interface VariantTotals {
  events: number;
  /** One for each measure, in their order. */
  readonly samples: readonly Sample[];
  /** Against the first variant, session by session. */
  readonly differences: readonly Sample[];
  readonly tables: Readonly<Record<TableName, Map<string, number>>>;
}

export interface Study {
  sessions: number;
  readonly variants: readonly VariantTotals[];
  /** Sessions in which something was not conserved; the first few of them in words. */
  unsound: number;
  readonly unsoundSessions: string[];
}

/** How many unsound sessions are described. */
const UNSOUND_SHOWN = 10;

const newTotals = (): VariantTotals => ({
  events: 0,
  samples: MEASURES.map(newSample),
  differences: MEASURES.map(newSample),
  tables: { stops: new Map(), failures: new Map(), calls: new Map(), handoffs: new Map(), recoveries: new Map() },
});

export const newStudy = (variants: number): Study => ({
  sessions: 0,
  variants: Array.from({ length: variants }, newTotals),
  unsound: 0,
  unsoundSessions: [],
});

const addCounts = (into: Map<string, number>, from: Iterable<readonly [string, number]>): void => {
  for (const [key, n] of from) into.set(key, (into.get(key) ?? 0) + n);
};

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : Math.round(values.reduce((a, b) => a + b, 0) / values.length);

const addVariant = (totals: VariantTotals, metrics: SessionMetrics, first: SessionMetrics): void => {
  totals.events += metrics.events;
  for (const [index, { of }] of MEASURES.entries()) {
    const sample = totals.samples[index];
    const difference = totals.differences[index];
    if (sample === undefined || difference === undefined) continue;
    const values = of(metrics);
    const others = of(first);
    for (const value of values) addValue(sample, value);
    if (values.length > 0 && others.length > 0) addValue(difference, mean(values) - mean(others));
  }
  for (const table of TABLES) addCounts(totals.tables[table], Object.entries(metrics[table]));
};

const addUnsound = (study: Study, metrics: SessionMetrics, variant: number): void => {
  if (metrics.differences.length === 0) return;
  study.unsound += 1;
  if (study.unsoundSessions.length >= UNSOUND_SHOWN) return;
  study.unsoundSessions.push(`session ${metrics.session}, variant ${variant}: ${metrics.differences.join("; ")}`);
};

/** Adds one session: its metrics in every variant, in the order of the variants. */
export const addSession = (study: Study, metrics: readonly SessionMetrics[]): void => {
  const [first] = metrics;
  if (first === undefined) return;
  study.sessions += 1;
  for (const [variant, totals] of study.variants.entries()) {
    const own = metrics[variant];
    if (own === undefined) continue;
    addVariant(totals, own, first);
    addUnsound(study, own, variant);
  }
};

const mergeSamples = (into: readonly Sample[], from: readonly Sample[]): void => {
  for (const [index, sample] of into.entries()) {
    const other = from[index];
    if (other !== undefined) mergeSample(sample, other);
  }
};

export const mergeStudy = (into: Study, from: Study): void => {
  into.sessions += from.sessions;
  into.unsound += from.unsound;
  into.unsoundSessions.push(...from.unsoundSessions.slice(0, UNSOUND_SHOWN - into.unsoundSessions.length));
  for (const [index, totals] of into.variants.entries()) {
    const other = from.variants[index];
    if (other === undefined) continue;
    totals.events += other.events;
    mergeSamples(totals.samples, other.samples);
    mergeSamples(totals.differences, other.differences);
    for (const table of TABLES) addCounts(totals.tables[table], other.tables[table]);
  }
};

export interface VariantSummary {
  readonly events: number;
  readonly measures: Readonly<Record<string, Summary>>;
  /** Mean difference to the first variant, session by session, and half its 95 % interval. */
  readonly againstFirst: Readonly<Record<string, { readonly mean: number; readonly halfWidth95: number }>>;
  readonly tables: Readonly<Record<TableName, Readonly<Record<string, number>>>>;
}

export interface StudySummary {
  readonly sessions: number;
  readonly unsound: number;
  readonly unsoundSessions: readonly string[];
  readonly variants: readonly VariantSummary[];
}

const byKey = (counts: Map<string, number>): Readonly<Record<string, number>> =>
  Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));

const byMeasure = <A>(values: readonly A[]): Readonly<Record<string, A>> =>
  Object.fromEntries(values.map((value, index) => [MEASURES[index]?.name ?? "", value]));

const variantSummary = ({ events, samples, differences, tables }: VariantTotals): VariantSummary => ({
  events,
  measures: byMeasure(samples.map(summaryOf)),
  againstFirst: byMeasure(
    differences.map((sample) => {
      const { mean: difference, halfWidth95 } = summaryOf(sample);
      return { mean: difference, halfWidth95 };
    }),
  ),
  tables: {
    stops: byKey(tables.stops),
    failures: byKey(tables.failures),
    calls: byKey(tables.calls),
    handoffs: byKey(tables.handoffs),
    recoveries: byKey(tables.recoveries),
  },
});

/** JSON data with keys in a fixed order. */
export const studySummary = (study: Study): StudySummary => ({
  sessions: study.sessions,
  unsound: study.unsound,
  unsoundSessions: study.unsoundSessions,
  variants: study.variants.map(variantSummary),
});
