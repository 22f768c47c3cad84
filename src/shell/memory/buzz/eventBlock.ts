/**
 * The event that is being answered, cut out of the block in which the harness shows it
 * (`spec/memory-agent-and-harness.md` 3.6). Its text may hold anything, also what looks like the end of itself and like other
 * events: what lies around it is found by position, never by the first thing that looks right.
 */
import { createHash } from "node:crypto";
import { isLeft } from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import { isJsonArray, parseJson, type Json } from "../../../core/json.js";

export interface HarnessEvent {
  /** As it was sent, untrimmed. */
  readonly text: string;
  /** Values of its `h` tags: the channels it was sent to. */
  readonly channels: readonly string[];
}

// The dot takes everything but a line feed (flag s): a name may hold other characters that end lines elsewhere.
const ONE_EVENT = /^\[Buzz event: .*\]$/s;
const SEVERAL_EVENTS =
  /^\[(?:Buzz events — \d+ events|New messages? — arrived while you were working(?: — \d+ events)?|New request — supersedes previous(?: — \d+ events)?)\]$/;
const EVENT_NUMBER = /^--- Event \d+ \(.*\) ---$/s;

/** The six lines in front of an event's text; the last of them begins it. */
const HEADER: readonly RegExp[] = [
  /^Event ID: (?<id>[0-9a-f]{64})$/,
  /^Channel: /,
  /^Kind: (?<kind>\d{1,10})$/,
  /^From: .*hex: (?<pubkey>[0-9a-f]{64})\)$/s,
  /^Time: (?<time>\S+)$/,
  /^Content:(?: |$)/,
];
const TAGS = "Tags: ";

interface Header {
  readonly id: string;
  readonly kind: number;
  readonly pubkey: string;
  /** As written. */
  readonly time: string;
}

const headerAt = (lines: readonly string[], start: number): Header | undefined => {
  const found: Record<string, string> = {};
  for (const [index, form] of HEADER.entries()) {
    const match = form.exec(lines[start + index] ?? "");
    if (match === null) return undefined;
    Object.assign(found, match.groups);
  }
  const { id = "", kind = "", pubkey = "", time = "" } = found;
  return { id, kind: Number(kind), pubkey, time };
};

type Tags = readonly (readonly string[])[];

const isTag = (tag: Json): tag is readonly string[] =>
  isJsonArray(tag) && tag.every((value) => typeof value === "string");

const readTags = (line: string): Tags | undefined => {
  const parsed = parseJson(line.slice(TAGS.length));
  if (isLeft(parsed) || !isJsonArray(parsed.right)) return undefined;
  return parsed.right.every(isTag) ? parsed.right : undefined;
};

/** Lines between the `Content:` of the header at `start` and the line `end`. */
const textBetween = (lines: readonly string[], start: number, end: number): string => {
  const contentLine = start + HEADER.length - 1;
  const first = (lines[contentLine] ?? "").replace(/^Content: ?/, "");
  return [first, ...lines.slice(contentLine + 1, end)].join("\n");
};

/** An event's id is the hash of what it says, so a true event is told from lines that imitate one (NIP-01). */
const isGenuine = ({ id, kind, pubkey, time }: Header, tags: Tags, text: string): boolean => {
  const seconds = Math.floor(Date.parse(time) / 1000);
  const said = JSON.stringify([0, pubkey, seconds, kind, tags, text]);
  return createHash("sha256").update(said).digest("hex") === id;
};

/**
 * Where the header of the last event begins. With one event that is the line behind the block's own first. With several, the
 * text of one may imitate the next: the first whose id is the hash of all that follows is it, and if there is none (a harness
 * that shows a text other than as sent), the last.
 */
const lastHeader = (lines: readonly string[], tags: Tags, end: number): number | undefined => {
  if (ONE_EVENT.test(lines[0] ?? "")) return headerAt(lines, 1) === undefined ? undefined : 1;
  const starts = lines.flatMap((line, index) =>
    index < end && (EVENT_NUMBER.test(line) || ONE_EVENT.test(line)) && headerAt(lines, index + 1) !== undefined
      ? [index + 1]
      : [],
  );
  const genuine = starts.find((start) => {
    const header = headerAt(lines, start);
    return header !== undefined && isGenuine(header, tags, textBetween(lines, start, end));
  });
  return genuine ?? starts.at(-1);
};

/** Old harnesses send all sections as one block, which then begins with the context. */
const eventBlock = (blocks: readonly string[]): string | undefined => {
  const firstLine = (block: string): string => block.split("\n", 1)[0] ?? "";
  const own = blocks.findLast((block) => ONE_EVENT.test(firstLine(block)) || SEVERAL_EVENTS.test(firstLine(block)));
  if (own !== undefined) return own;
  const [only, ...others] = blocks;
  return only?.startsWith("[Context]\n") === true && others.length === 0 ? only : undefined;
};

/** The last event of the prompt, which is the one that is answered. */
export const lastEvent = (blocks: readonly string[]): O.Option<HarnessEvent> => {
  const lines = eventBlock(blocks)?.split("\n") ?? [];
  // The true line of tags comes behind every text; what follows it holds no line end of a participant's.
  const end = lines.findLastIndex((line) => line.startsWith(`${TAGS}[`));
  const tags = readTags(lines[end] ?? "");
  if (tags === undefined) return O.none;
  const start = lastHeader(lines, tags, end);
  if (start === undefined || start + HEADER.length > end) return O.none;
  const channels = tags.flatMap(([name, value]) => (name === "h" && value !== undefined ? [value] : []));
  return O.some({ text: textBetween(lines, start, end), channels });
};
