// Short ways to write what the tables of spec/usage.md write.
import { isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import { unknownCounts, type Counts } from "../../../src/usage/counts.js";
import type { PricingIdentity } from "../../../src/usage/identity.js";
import type { TurnMetric } from "../../../src/usage/metric.js";
import type { Snapshot } from "../../../src/usage/notification.js";
import type { MetricRow } from "../../../src/usage/row.js";
import { emptyTracker, trackUsage, type TurnUsage, type UsageEvent } from "../../../src/usage/tracker.js";

/** `{ in: 10 }` and so on; what is left out is unknown. */
export interface Figures {
  readonly in?: number | bigint;
  readonly out?: number | bigint;
  readonly total?: number | bigint;
  readonly r?: number | bigint;
  readonly w?: number | bigint;
  readonly cost?: number;
}

const tokens = (value: number | bigint | undefined): Option<bigint> =>
  value === undefined ? none : some(BigInt(value));

export const counts = (figures: Figures): Counts => ({
  input: tokens(figures.in),
  output: tokens(figures.out),
  total: tokens(figures.total),
  cacheRead: tokens(figures.r),
  cacheWrite: tokens(figures.w),
  costUsd: figures.cost === undefined ? none : some(figures.cost),
});

/** The other way; cost to 12 digits, since the differences of doubles are no round numbers (decision 22). */
export const figures = (value: Option<Counts>): Figures | null => {
  if (!isSome(value)) return null;
  const { input, output, total, cacheRead, cacheWrite, costUsd } = value.value;
  const entries: [string, Option<bigint | number>][] = [
    ["in", input],
    ["out", output],
    ["total", total],
    ["r", cacheRead],
    ["w", cacheWrite],
    ["cost", costUsd],
  ];
  return Object.fromEntries(
    entries.flatMap(([key, option]) => (isSome(option) ? [[key, rounded(option.value)]] : [])),
  ) as Figures;
};

const rounded = (value: number | bigint): number | bigint => {
  if (typeof value === "number") return Number(value.toPrecision(12));
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
};

export const identity = (model: string, authority = "api.anthropic.com"): PricingIdentity => ({
  authority,
  model,
  cacheClass: none,
});

export const snapshot = (value: Figures, id?: string, model?: string): Snapshot => ({
  counts: counts(value),
  model: model === undefined ? none : some(model),
  identity: id === undefined ? none : some(identity(id)),
});

/** Runs events and returns what each `turnEnded` published, null where it published nothing. */
export const runTracker = (events: readonly UsageEvent[]): readonly (TurnUsage | null)[] => {
  let tracker = emptyTracker;
  return events.flatMap((event) => {
    const [next, published] = trackUsage(tracker, event);
    tracker = next;
    return event.kind === "turnEnded" ? [isSome(published) ? published.value : null] : [];
  });
};

export const created = (session = "s"): UsageEvent => ({ kind: "sessionCreated", session });
export const begin = (session = "s"): UsageEvent => ({ kind: "turnStarted", session });
export const note = (value: Figures, id?: string, session = "s", model?: string): UsageEvent => ({
  kind: "usageNotified",
  session,
  snapshot: snapshot(value, id, model),
});
export const end = (session = "s", promptUsage: Option<Counts> = none): UsageEvent => ({
  kind: "turnEnded",
  session,
  promptUsage,
});

export interface MetricFields {
  readonly turn?: Figures;
  readonly cum?: Figures;
  readonly reliable?: boolean;
  readonly model?: string;
  readonly id?: string;
  readonly session?: string;
}

export const metric = (seq: number | bigint | undefined, fields: MetricFields): TurnMetric => ({
  harness: "buzz-agent",
  timestamp: "2026-08-01T00:00:00.000Z",
  model: fields.model === undefined ? none : some(fields.model),
  channelId: none,
  sessionId: some(fields.session ?? "s1"),
  turnSeq: seq === undefined ? none : some(BigInt(seq)),
  turnId: none,
  acpSessionId: none,
  turn: fields.turn === undefined ? none : some(counts(fields.turn)),
  cumulative: fields.cum === undefined ? none : some(counts(fields.cum)),
  deltaReliable: fields.reliable ?? true,
  stopReason: some("end_turn"),
  pricingIdentity: fields.id === undefined ? none : some(identity(fields.id)),
});

let rows = 0;
export const row = (
  agent: string,
  seq: number | bigint | undefined,
  fields: MetricFields & { readonly at?: number },
): MetricRow => {
  rows += 1;
  return { id: `row${rows}`, agent, reportedAt: fields.at ?? 1000 + rows, metric: metric(seq, fields) };
};

export const nothing = unknownCounts;
