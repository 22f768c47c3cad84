/** An answer as the channel may have it (`spec/memory-agent-and-harness.md` 1.13). */
import { clampText } from "../../../core/text.js";

/** Takes no room and is no white space: what follows no longer begins a word. */
const WORD_JOINER = "\u2060";

/**
 * A recalled `@name` would notify somebody, or make the CLI refuse the post when there is no such member; a recalled Nostr
 * address would notify as well.
 */
const defuse = (text: string): string =>
  text
    .replace(/(^|[ \t\n\v\f\r])@/g, `$1${WORD_JOINER}@`)
    .replace(/(nostr:)(?=n(?:pub|profile)1)/gi, `$1${WORD_JOINER}`);

/** At most `bytesMax` bytes. */
export const postText = (answer: string, bytesMax: number): string =>
  clampText(defuse(answer), bytesMax, "\n[the rest is left out]");
