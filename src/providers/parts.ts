/** What decoders ask of a part of a reply. All of it is well-formed, whatever escapes the reply has. */
import { withoutLoneSurrogates } from "../core/json.js";
import type { Part } from "../core/rawJson.js";
import { wellFormed } from "../core/text.js";

export type Members = ReadonlyMap<string, Part>;

export const isObject = (part: Part | undefined): boolean => part?.text.startsWith("{") === true;
export const isArray = (part: Part | undefined): boolean => part?.text.startsWith("[") === true;

/** A string; "" for every other value and for none. */
export const stringOf = (part: Part | undefined): string =>
  typeof part?.value === "string" ? wellFormed(part.value) : "";

/** A part of so many characters is most of its reply, and a copy of it would stand beside that while it is read. */
const COPIED_MAX = 1024 * 1024;

/**
 * The same text in memory of its own. A part is a view of the whole reply, and what history keeps of one would keep all of it; the
 * join makes a copy, of which the slice is a view.
 */
const ownText = (text: string): string => (text.length > COPIED_MAX ? text : ` ${text}`.slice(1));

/** A name or id: strings as they are, a number by its digits, everything else "". */
export const labelOf = (part: Part | undefined): string =>
  typeof part?.value === "number" ? ownText(part.text) : stringOf(part);

/** The JSON text, to be sent again as it came; "" for none. */
export const jsonOf = (part: Part | undefined): string => ownText(withoutLoneSurrogates(part?.text ?? ""));
