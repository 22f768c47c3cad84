/** What all dialects make of history's own texts: nothing blank ever reaches a provider (F31 to F34). */
import { assertNever } from "../core/never.js";
import type { HookNote, Outcome, ResultPart, ToolResult } from "../core/history.js";
import { isBlank } from "../core/text.js";
import { object, quote } from "./jsonText.js";

const said = (text: string, isError: boolean): ToolResult => ({ parts: [{ kind: "text", text }], isError });

/** The result of an exchange. One that is still open never gets here by way of the core; it reads as an error. */
export const resultOf = (outcome: Outcome): ToolResult => {
  switch (outcome.kind) {
    case "open":
      return said("This call was not finished.", true);
    case "closed": {
      const parts = outcome.result.parts.filter((part) => part.kind === "image" || !isBlank(part.text));
      return parts.length === 0 ? said("(no output)", outcome.result.isError) : { ...outcome.result, parts };
    }
  }
  return assertNever(outcome);
};

/** A user text; a blank one is refused by providers and never stored by the core. */
export const userText = (text: string): string => (isBlank(text) ? "(no text)" : text);

/** Text of an assistant item, or "". */
export const assistantText = (text: string): string => (isBlank(text) ? "" : text);

/** JSON text of what a hook said (turn-loop.md 2). */
export const hookNoteJson = (note: HookNote): string =>
  object({ hook: quote(note.hook), server: quote(note.server), text: quote(note.text) });

/** For the dialects whose tool results are text: parts by line, images by a sentence that says where they are (F65). */
export const resultText = (result: ToolResult): string => result.parts.map(partText).join("\n");

const partText = (part: ResultPart): string => {
  switch (part.kind) {
    case "text":
      return part.text;
    case "image":
      return `[Image ${part.mimeType}, ${part.dataBase64.length} bytes of base64, provided in the next user message]`;
  }
  return assertNever(part);
};

/** The images of results as data URLs, in order. */
export const imageUrls = (results: readonly ToolResult[]): readonly string[] =>
  results.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === "image" ? [`data:${part.mimeType};base64,${part.dataBase64}`] : [])),
  );
