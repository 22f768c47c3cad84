/** A metric as the roll-up takes it: judged, and with the time that it reports (`spec/usage.md` 4.2). */
import { isLeft, left, right, type Either } from "fp-ts/lib/Either.js";
import { isNone, isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import { decodeMetric, type TurnMetric } from "./metric.js";
import { rfc3339Seconds } from "./timestamp.js";

export interface MetricRow {
  /** Equal for copies of one record. */
  readonly id: string;
  /** Who was paid for; the ladder never crosses it. */
  readonly agent: string;
  /** Seconds since 1970, from the record itself. */
  readonly reportedAt: number;
  readonly metric: TurnMetric;
}

/** Reads a stored metric. Left: why the row is invalid. */
export const readRow = (id: string, agent: string, json: string): Either<string, MetricRow> => {
  const metric = decodeMetric(json);
  if (isLeft(metric)) return metric;
  const reportedAt = rfc3339Seconds(metric.right.timestamp);
  if (isNone(reportedAt)) return left("timestamp is no RFC 3339 time");
  if (isSome(metric.right.cumulative) && isNone(placeOf(metric.right)))
    return left("cumulative counts without sessionId and turnSeq");
  return right({ id, agent, reportedAt: reportedAt.value, metric: metric.right });
};

export interface Place {
  readonly sessionId: string;
  readonly seq: bigint;
}

/** Where the metric stands in its series, if it stands in one. */
export const placeOf = ({ sessionId, turnSeq }: TurnMetric): Option<Place> =>
  isSome(sessionId) && isSome(turnSeq) ? some({ sessionId: sessionId.value, seq: turnSeq.value }) : none;
