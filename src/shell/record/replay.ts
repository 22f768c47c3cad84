/** Folds a record again and compares what comes out with what was recorded. */
import { isLeft } from "fp-ts/lib/Either.js";
import { explain } from "../../core/codec.js";
import type { Effect } from "../../core/effect.js";
import { initialSession, type Session } from "../../core/session.js";
import { step } from "../../core/step.js";
import {
  FIRST_DIGEST,
  headerCodec,
  lineCodec,
  nextDigest,
  RECORD_FORMAT,
  type RecordHeader,
  type RecordLine,
} from "./format.js";

export interface Replay {
  readonly header: RecordHeader;
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

const readHeader = (line: string | undefined): RecordHeader | string => {
  const value = parse(line ?? "");
  if (value === undefined) return "the first line is not JSON: this is no record of Turnfold";
  const read = headerCodec.decode(value);
  return isLeft(read) ? `the header cannot be read: ${explain(read.left)}` : read.right;
};

/** A line of a record, or why it is left out. */
const readLine = (line: string, number: number, isLast: boolean): RecordLine | string => {
  const value = parse(line);
  if (value === undefined)
    return isLast ? "the last line is torn and left out" : `line ${number} is not JSON and left out`;
  const read = lineCodec.decode(value);
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
  const header = readHeader(lines[0]);
  if (typeof header === "string") return { kind: "unreadable", message: header };
  if (header.turnfoldRecord > RECORD_FORMAT) {
    return {
      kind: "unreadable",
      message: `record format ${header.turnfoldRecord} is newer than ${RECORD_FORMAT}, the newest known here`,
    };
  }
  const remarks: string[] = [];
  let state = initialSession(header.config);
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
  return { kind: "replayed", replay: { header, state, events, differsAt, remarks } };
};
