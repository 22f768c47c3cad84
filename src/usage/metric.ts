/** The record of one turn as it is published and kept (`spec/usage.md` 3.8), and its JSON. */
import { isLeft, left, right, type Either } from "fp-ts/lib/Either.js";
import { isNone, isSome, none, some, toNullable, type Option } from "fp-ts/lib/Option.js";
import { isJsonObject, member, parseJson, stringifyJson, type Json, type JsonObject } from "../core/json.js";
import { nothingKnown, type Counts } from "./counts.js";
import { readIdentity, type PricingIdentity } from "./identity.js";
import { isCost, readNumber, readText, readTokens } from "./read.js";

const STOP_REASONS = ["end_turn", "max_tokens", "cancelled", "error", "unknown"] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export interface TurnMetric {
  /** Name of the agent's command. */
  readonly harness: string;
  /** End of the turn, RFC 3339. */
  readonly timestamp: string;
  readonly model: Option<string>;
  readonly channelId: Option<string>;
  /** The series that `turnSeq` counts in. A writer that has lost its counter begins a new one. */
  readonly sessionId: Option<string>;
  readonly turnSeq: Option<bigint>;
  readonly turnId: Option<string>;
  /** The session's id on the wire, which several series may share. An addition of ours. */
  readonly acpSessionId: Option<string>;
  readonly turn: Option<Counts>;
  readonly cumulative: Option<Counts>;
  readonly deltaReliable: boolean;
  readonly stopReason: Option<StopReason>;
  readonly pricingIdentity: Option<PricingIdentity>;
}

/** A reason that nobody has heard of is `unknown`, and the counts stand. */
export const stopReasonOf = (reason: string): StopReason => STOP_REASONS.find((known) => known === reason) ?? "unknown";

const encodeCounts = (counts: Option<Counts>): JsonObject | null => {
  if (isNone(counts) || nothingKnown(counts.value)) return null;
  const { input, output, total, costUsd, cacheRead, cacheWrite } = counts.value;
  return {
    inputTokens: toNullable(input),
    outputTokens: toNullable(output),
    totalTokens: toNullable(total),
    costUsd: toNullable(costUsd),
    ...(isSome(cacheRead) ? { cacheReadTokens: cacheRead.value } : {}),
    ...(isSome(cacheWrite) ? { cacheWriteTokens: cacheWrite.value } : {}),
  };
};

const encodeIdentity = (identity: PricingIdentity): JsonObject => ({
  authority: identity.authority,
  model: identity.model,
  ...(isSome(identity.cacheClass) ? { cacheClass: identity.cacheClass.value } : {}),
});

const costs = (metric: TurnMetric): readonly number[] =>
  [metric.turn, metric.cumulative].flatMap((counts) =>
    isSome(counts) && isSome(counts.value.costUsd) ? [counts.value.costUsd.value] : [],
  );

/** JSON text of a metric. Left: it holds a cost that is none. */
export const encodeMetric = (metric: TurnMetric): Either<string, string> => {
  if (!costs(metric).every(isCost)) return left("costUsd is negative or not finite");
  return right(
    stringifyJson({
      harness: metric.harness,
      timestamp: metric.timestamp,
      model: toNullable(metric.model),
      channelId: toNullable(metric.channelId),
      sessionId: toNullable(metric.sessionId),
      turnSeq: toNullable(metric.turnSeq),
      turnId: toNullable(metric.turnId),
      ...(isSome(metric.acpSessionId) ? { acpSessionId: metric.acpSessionId.value } : {}),
      turn: metric.deltaReliable ? encodeCounts(metric.turn) : null,
      cumulative: encodeCounts(metric.cumulative),
      deltaReliable: metric.deltaReliable,
      stopReason: toNullable(metric.stopReason),
      ...(isSome(metric.pricingIdentity) ? { pricingIdentity: encodeIdentity(metric.pricingIdentity.value) } : {}),
    }),
  );
};

const COUNT_KEYS = {
  input: "inputTokens",
  output: "outputTokens",
  total: "totalTokens",
  cacheRead: "cacheReadTokens",
  cacheWrite: "cacheWriteTokens",
} as const;

const decodeCounts = (metric: Json, key: string): Either<string, Option<Counts>> => {
  const value = member(metric, key);
  if (value === undefined || value === null) return right(none);
  if (!isJsonObject(value)) return left(`${key} is no object`);
  const input = readTokens(value, COUNT_KEYS.input);
  const output = readTokens(value, COUNT_KEYS.output);
  const total = readTokens(value, COUNT_KEYS.total);
  const cacheRead = readTokens(value, COUNT_KEYS.cacheRead);
  const cacheWrite = readTokens(value, COUNT_KEYS.cacheWrite);
  const cost = readNumber(value, "costUsd");
  if (isLeft(input)) return input;
  if (isLeft(output)) return output;
  if (isLeft(total)) return total;
  if (isLeft(cacheRead)) return cacheRead;
  if (isLeft(cacheWrite)) return cacheWrite;
  if (isLeft(cost)) return cost;
  if (isSome(cost.right) && !isCost(cost.right.value)) return left(`${key}: costUsd is negative or not finite`);
  return right(
    some({
      input: input.right,
      output: output.right,
      total: total.right,
      cacheRead: cacheRead.right,
      cacheWrite: cacheWrite.right,
      costUsd: cost.right,
    }),
  );
};

const decodeReliable = (metric: Json): Either<string, boolean> => {
  const value = member(metric, "deltaReliable");
  if (value === undefined || value === null) return right(true);
  return typeof value === "boolean" ? right(value) : left("deltaReliable is neither true nor false");
};

/** Reads the JSON text of a metric; unknown members are ignored. Left: one line of what is wrong. */
export const decodeMetric = (text: string): Either<string, TurnMetric> => {
  const parsed = parseJson(text);
  if (isLeft(parsed)) return parsed;
  const json = parsed.right;
  const harness = readText(json, "harness");
  const timestamp = readText(json, "timestamp");
  if (isNone(harness) || isNone(timestamp)) return left("harness or timestamp is missing");
  const turnSeq = readTokens(json, "turnSeq");
  const turn = decodeCounts(json, "turn");
  const cumulative = decodeCounts(json, "cumulative");
  const deltaReliable = decodeReliable(json);
  if (isLeft(turnSeq)) return turnSeq;
  if (isLeft(turn)) return turn;
  if (isLeft(cumulative)) return cumulative;
  if (isLeft(deltaReliable)) return deltaReliable;
  const stopReason = readText(json, "stopReason");
  return right({
    harness: harness.value,
    timestamp: timestamp.value,
    model: readText(json, "model"),
    channelId: readText(json, "channelId"),
    sessionId: readText(json, "sessionId"),
    turnSeq: turnSeq.right,
    turnId: readText(json, "turnId"),
    acpSessionId: readText(json, "acpSessionId"),
    turn: turn.right,
    cumulative: cumulative.right,
    deltaReliable: deltaReliable.right,
    stopReason: isSome(stopReason) ? some(stopReasonOf(stopReason.value)) : none,
    pricingIdentity: readIdentity(json, "pricingIdentity"),
  });
};
