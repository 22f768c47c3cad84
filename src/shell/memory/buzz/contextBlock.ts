/**
 * Where a reply goes. Only the block that the harness wrote says so, and that block is told from what participants wrote by its
 * exact form (`spec/memory-agent-and-harness.md` 1.18 and 3.6): a slash command comes as a block in front of it, a channel's
 * name and description stand inside of it, and any of them may imitate it.
 */
import * as O from "fp-ts/lib/Option.js";

export interface ReplyTarget {
  /** UUID, lower case. */
  readonly channel: string;
  /** The event to reply to, 64 hex digits; none: a post outside of any thread. */
  readonly replyTo: O.Option<string>;
}

const SCOPE = /^Scope: (?:channel|thread|dm)$/;
const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/** A name may hold any text, the id of another channel too, so the true one is read from the end of the line. */
const CHANNEL = new RegExp(`^Channel: (?:(?<bare>${UUID})|.* \\(#(?<named>${UUID})\\))$`, "s");
const ANCHOR = /`--reply-to ([0-9a-f]{64})`/g;

const isContext = (block: string): boolean => {
  const [first, scope = "", channel = ""] = block.split("\n", 3);
  return first === "[Context]" && SCOPE.test(scope) && channel.startsWith("Channel: ");
};

/**
 * Of the last line, which is the harness's own, whatever a name with line ends in it may have put before. In the one block of
 * an old harness that is a line of the event, so there is no anchor: where its context ends would be a guess.
 */
const anchorOf = (lines: readonly string[]): O.Option<string> => {
  const last = lines.at(-1) ?? "";
  const ids = new Set(Array.from(last.matchAll(ANCHOR), ([, id = ""]) => id));
  const [id] = ids;
  return last.startsWith("IMPORTANT: ") && ids.size === 1 ? O.fromNullable(id) : O.none;
};

/**
 * The target that the one context block names. None: no context, more than one, or an odd one, and nothing is posted.
 * `hTags` are the channels that the event being answered was sent to; it must have been sent to this one.
 */
export const replyTarget = (blocks: readonly string[], hTags: readonly string[]): O.Option<ReplyTarget> => {
  const [block, ...others] = blocks.filter(isContext);
  if (block === undefined || others.length > 0) return O.none;
  const lines = block.split("\n");
  const { bare, named } = CHANNEL.exec(lines[2] ?? "")?.groups ?? {};
  const channel = bare ?? named;
  if (channel === undefined || !hTags.includes(channel)) return O.none;
  return O.some({ channel, replyTo: anchorOf(lines) });
};
