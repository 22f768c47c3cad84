/** Folds a record again and compares what comes out with what was recorded; an event log of a fuzzer is only folded. */
import { isLeft, map } from "fp-ts/lib/Either.js";
import { none } from "fp-ts/lib/Option.js";
import type * as t from "io-ts";
import { eventCodec, explain, sessionCodec } from "../../core/codec.js";
import type { Event } from "../../core/event.js";
import type { Effect } from "../../core/effect.js";
import { initialSession, type Session } from "../../core/session.js";
import { step } from "../../core/step.js";
import { FIRST_DIGEST, headerCodec, lineCodec, nextDigest, RECORD_FORMAT, type RecordLine } from "./format.js";

export interface Replay {
  /** The version that wrote the record; undefined where it does not say. */
  readonly version: string | undefined;
  /** After the last event that was folded. */
  readonly state: Session;
  readonly events: number;
  /** Number of the first event whose effects differ from the recorded ones, or 0. */
  readonly differsAt: number;
  /** What could not be read, one line each. */
  readonly remarks: readonly string[];
}

export type ReplayResult =
  { readonly kind: "replayed"; readonly replay: Replay } | { readonly kind: "unreadable"; readonly message: string };

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
};

interface Beginning {
  readonly version: string | undefined;
  readonly session: Session;
}

const hasKey = (value: unknown, key: string): boolean =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key);

/** The header of a record; or, in the event log of a fuzzer, the session as it was before its first event. */
const readBeginning = (line: string | undefined): Beginning | string => {
  const value = parse(line ?? "");
  if (value === undefined) return "the first line is not JSON: this is no record of Turnfold";
  if (hasKey(value, "phase")) {
    const session = sessionCodec.decode(value);
    return isLeft(session)
      ? `the session of the first line cannot be read: ${explain(session.left)}`
      : { version: undefined, session: session.right };
  }
  const read = headerCodec.decode(value);
  if (isLeft(read)) return `the header cannot be read: ${explain(read.left)}`;
  const { turnfoldRecord, version, config } = read.right;
  return turnfoldRecord > RECORD_FORMAT
    ? `record format ${turnfoldRecord} is newer than ${RECORD_FORMAT}, the newest known here`
    : { version, session: initialSession(config) };
};

/** A line of a record, or of an event log, which holds the event alone. */
const decodeLine = (value: unknown, number: number): t.Validation<RecordLine> =>
  hasKey(value, "event")
    ? lineCodec.decode(value)
    : map((event: Event): RecordLine => ({ n: number - 1, atMs: none, event, effects: "" }))(eventCodec.decode(value));

/** A line, or why it is left out. */
const readLine = (line: string, number: number, isLast: boolean): RecordLine | string => {
  const value = parse(line);
  if (value === undefined)
    return isLast ? "the last line is torn and left out" : `line ${number} is not JSON and left out`;
  const read = decodeLine(value, number);
  return isLeft(read) ? `line ${number} cannot be read and is left out: ${explain(read.left)}` : read.right;
};

/** One event of a record, and what came of it now. */
export interface ReplayedStep {
  readonly line: RecordLine;
  readonly before: Session;
  readonly after: Session;
  readonly effects: readonly Effect[];
}

export interface ReplayOptions {
  /** Stop after this event; Infinity for all. */
  readonly untilEvent: number;
  readonly onStep: (step: ReplayedStep) => void;
}

/** Folds the events of `text` again. */
export const replay = (text: string, { untilEvent, onStep }: ReplayOptions): ReplayResult => {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const beginning = readBeginning(lines[0]);
  if (typeof beginning === "string") return { kind: "unreadable", message: beginning };
  const remarks: string[] = [];
  let state = beginning.session;
  let digest = FIRST_DIGEST;
  let events = 0;
  let differsAt = 0;
  for (const [index, line] of lines.entries()) {
    if (index === 0 || events >= untilEvent) continue;
    const read = readLine(line, index + 1, index === lines.length - 1);
    if (typeof read === "string") {
      remarks.push(read);
      continue;
    }
    const [after, effects] = step(state, read.event);
    onStep({ line: read, before: state, after, effects });
    state = after;
    events += 1;
    digest = nextDigest(digest, effects);
    if (read.effects !== "" && digest !== read.effects && differsAt === 0) differsAt = read.n;
  }
  return { kind: "replayed", replay: { version: beginning.version, state, events, differsAt, remarks } };
};
