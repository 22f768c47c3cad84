/** How a call ended, as members of a `tool_call_update`. The model sees the whole result; the client what fits a frame. */
import type { ResultPart } from "../../core/history.js";
import type { JsonObject } from "../../core/json.js";
import { assertNever } from "../../core/never.js";
import { defaultShellLimits } from "../../core/policy.js";
import { elideMiddle } from "../../core/text.js";
import type { Finish } from "../../core/update.js";
import { textPieces } from "./textPieces.js";

export const finishedCall = (finish: Finish): JsonObject => {
  switch (finish.kind) {
    case "result":
      // The tool has answered, if only that it failed; `failed` is for calls that got no answer.
      return {
        status: "completed",
        content: textContent(shownText(finish.parts)),
        rawOutput: { isError: finish.isError },
      };
    case "rejected":
    case "failed":
    case "timedOut":
    case "refused":
      return failed(finish.message);
    case "cancelled":
      return failed("cancelled");
    default:
      return assertNever(finish);
  }
};

const failed = (message: string): JsonObject => ({
  status: "failed",
  content: textContent(message),
  rawOutput: { error: elideMiddle(message, defaultShellLimits.rawInputStringBytesMax, "error") },
});

const shownText = (parts: readonly ResultPart[]): string =>
  parts
    .map((part) => {
      switch (part.kind) {
        case "text":
          return part.text;
        case "image":
          return `[image: ${part.mimeType}, ${part.dataBase64.length} base64 bytes]`;
        default:
          return assertNever(part);
      }
    })
    .join("\n");

const textContent = (text: string): readonly JsonObject[] => {
  const { toolContentBytesMax, textChunkBytesMax } = defaultShellLimits;
  const shown = elideMiddle(text, toolContentBytesMax, "result");
  return textPieces(shown, textChunkBytesMax).map((piece) => ({
    type: "content",
    content: { type: "text", text: piece },
  }));
};
