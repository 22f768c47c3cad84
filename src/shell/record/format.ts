/**
 * A record: one session's events as NDJSON. The first line is the header, every other line an event with the digest of all
 * effects so far; folding the events over the header's session must give the same digests.
 */
import { none, type Option } from "fp-ts/lib/Option.js";
import { createHash } from "node:crypto";
import { effectCodec, policyCodec } from "../../core/codec.js";
import { integer, option, struct, text, withDefault, type Codec } from "../../core/codec/basics.js";
import { event } from "../../core/codec/event.js";
import { settings } from "../../core/codec/model.js";
import type { Effect } from "../../core/effect.js";
import type { Event } from "../../core/event.js";
import type { SessionConfig } from "../../core/session.js";

/** Counts up when a line means something else than before. */
export const RECORD_FORMAT = 1;

export interface RecordHeader {
  readonly turnfoldRecord: number;
  /** Version of Turnfold that wrote it. */
  readonly version: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly config: SessionConfig;
}

export interface RecordLine {
  /** Number of the event, from 1. */
  readonly n: number;
  /** Milliseconds since the record began; None where nobody took the time. Nothing is decided by it. */
  readonly atMs: Option<number>;
  readonly event: Event;
  /** Running digest of the effects of all events up to this one; "" where only the events were noted, by a fuzzer. */
  readonly effects: string;
}

export const headerCodec: Codec<RecordHeader> = struct<RecordHeader>("header", {
  turnfoldRecord: integer,
  version: text,
  startedAt: text,
  config: struct<SessionConfig>("config", { id: text, policy: policyCodec, system: text, settings }),
});

export const lineCodec: Codec<RecordLine> = struct<RecordLine>("line", {
  n: integer,
  atMs: withDefault(option(integer), none),
  event,
  effects: text,
});

export const FIRST_DIGEST = "";

/** The digest after these effects: covers theirs and, through the digest before, all earlier ones. */
export const nextDigest = (digest: string, effects: readonly Effect[]): string => {
  const hash = createHash("sha256").update(digest);
  for (const effect of effects) hash.update(JSON.stringify(effectCodec.encode(effect)));
  return hash.digest("hex").slice(0, 32);
};
