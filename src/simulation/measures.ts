/** The numbers of a session that are worth a distribution. */
import { isSome, type Option } from "fp-ts/lib/Option.js";
import type { SessionMetrics } from "./metrics.js";

export interface Measure {
  readonly name: string;
  readonly title: string;
  readonly unit: Unit;
  /** Of one session: usually one value, none when it is unknown, one for each turn where it is about turns. */
  readonly of: (metrics: SessionMetrics) => readonly number[];
}

export type Unit = "count" | "tokens" | "microUsd" | "ms" | "permille";

const total = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((a, b) => a + b, 0);

const known = (tokens: Option<bigint>): readonly number[] => (isSome(tokens) ? [Number(tokens.value)] : []);

const count = (name: string, title: string, of: (metrics: SessionMetrics) => number): Measure => ({
  name,
  title,
  unit: "count",
  of: (metrics) => [of(metrics)],
});

const tokens = (name: string, title: string, of: (metrics: SessionMetrics) => Option<bigint>): Measure => ({
  name,
  title,
  unit: "tokens",
  of: (metrics) => known(of(metrics)),
});

export const MEASURES: readonly Measure[] = [
  count("turns", "Turns answered", ({ stops, failures }) => total(stops) + total(failures)),
  count("failedTurns", "Turns failed", ({ failures }) => total(failures)),
  count("gaveUp", "Sessions given up", ({ gaveUp }) => (gaveUp ? 1 : 0)),
  count("rounds", "Rounds", ({ rounds }) => rounds),
  count("toolCalls", "Tool calls", ({ calls }) => total(calls)),
  count("handoffs", "Handoffs", ({ handoffs }) => handoffs["completed"] ?? 0),
  count(
    "handoffsLost",
    "Handoffs failed or cancelled",
    ({ handoffs }) => total(handoffs) - (handoffs["completed"] ?? 0),
  ),
  count("recoveries", "Recoveries", ({ recoveries }) => total(recoveries)),
  count("truncations", "Truncations", ({ truncations }) => truncations),
  count("retries", "HTTP retries", ({ retries }) => retries),
  tokens("inputTokens", "Input tokens", (metrics) => metrics.tokens.input),
  tokens("outputTokens", "Output tokens", (metrics) => metrics.tokens.output),
  tokens("cacheReadTokens", "Cache read tokens", (metrics) => metrics.tokens.cacheRead),
  tokens("cacheWriteTokens", "Cache write tokens", (metrics) => metrics.tokens.cacheWrite),
  {
    name: "microUsd",
    title: "Cost",
    unit: "microUsd",
    of: ({ microUsd }) => (isSome(microUsd) ? [microUsd.value] : []),
  },
  { name: "turnMs", title: "Time of a turn", unit: "ms", of: ({ turnMs }) => turnMs },
  { name: "durationMs", title: "Time of a session", unit: "ms", of: ({ durationMs }) => [durationMs] },
  { name: "peakPermille", title: "Fullest window", unit: "permille", of: ({ peakPermille }) => [peakPermille] },
  { name: "meanPermille", title: "Mean window use", unit: "permille", of: ({ meanPermille }) => [meanPermille] },
];
