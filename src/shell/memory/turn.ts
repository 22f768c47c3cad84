/** One turn: the question is looked up, the answer said, and posted where it was asked. Every failure of ours is words. */
import { isLeft } from "fp-ts/lib/Either.js";
import { isSome } from "fp-ts/lib/Option.js";
import { readHarnessPrompt } from "./buzz/harnessPrompt.js";
import { postText } from "./buzz/postText.js";
import type { ReplySink } from "./buzz/sink.js";
import { renderAnswer } from "./render.js";
import type { MemorySource } from "./source.js";

export interface TurnDeps {
  readonly source: MemorySource;
  readonly sink: ReplySink;
  /** How many memories an answer holds at most. */
  readonly topK: number;
  readonly postBytesMax: number;
}

/** `say` is not called any more once the signal has fired. */
export const runTurn = async (
  { source, sink, topK, postBytesMax }: TurnDeps,
  blocks: readonly string[],
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> => {
  const { query, target } = readHarnessPrompt(blocks);
  if (query === "") return say("There was nothing to look up.");
  const recalled = await source.recall(query, topK, signal);
  if (signal.aborted) return undefined;
  const answer = isLeft(recalled) ? `Recall failed: ${recalled.left}.` : renderAnswer(query, recalled.right);
  say(answer);
  if (!isSome(target) || !(await sink.available()) || signal.aborted) return undefined;
  const sent = await sink.send(target.value, postText(answer, postBytesMax), signal);
  return isLeft(sent) && !signal.aborted ? say(`(The reply was not posted: ${sent.left}.)`) : undefined;
};
