/** What a prompt asks, and where the answer goes beside the client. */
import * as O from "fp-ts/lib/Option.js";
import { replyTarget, type ReplyTarget } from "./contextBlock.js";
import { lastEvent } from "./eventBlock.js";

export interface HarnessPrompt {
  /** Trimmed; "" when there is nothing to look up. */
  readonly query: string;
  readonly target: O.Option<ReplyTarget>;
}

/** Prompts of a harness's own that nobody asked: they want work done, not something remembered. */
const NOT_A_QUESTION = /^(?:\[System: Heartbeat\]|<colony-ask[\s>])/;

/** `blocks`: the texts of the prompt's content blocks. A prompt without an event of a harness is a question as a whole. */
export const readHarnessPrompt = (blocks: readonly string[]): HarnessPrompt => {
  const event = lastEvent(blocks);
  if (O.isSome(event)) {
    const { text, channels } = event.value;
    return { query: text.trim(), target: replyTarget(blocks, channels) };
  }
  const query = blocks.some((block) => NOT_A_QUESTION.test(block)) ? "" : blocks.join("\n").trim();
  return { query, target: O.none };
};
