/**
 * What the client is told, as `session/update` bodies of v1 (valid against its schema for every client), extension bodies for
 * clients that asked for them, and notices for the rest.
 */
import { isSome, type Option } from "fp-ts/lib/Option.js";
import { assertNever } from "../../core/never.js";
import type { JsonObject } from "../../core/json.js";
import { defaultShellLimits } from "../../core/policy.js";
import { elideMiddle, oneLine } from "../../core/text.js";
import type { Severity, Update } from "../../core/update.js";
import type { ClientTraits } from "./initialize.js";
import { shownArguments } from "./rawInput.js";
import { textPieces } from "./textPieces.js";
import { finishedCall } from "./toolContent.js";
import { accumulatedUsage } from "./usageUpdate.js";

export interface Told {
  readonly severity: Severity;
  readonly title: string;
  readonly detail: string;
}

export type Encoded =
  /** `update` of a `session/update`. */
  | { readonly kind: "standard"; readonly update: JsonObject }
  /** `update` of a `_goose/unstable/session/update`. */
  | { readonly kind: "goose"; readonly update: JsonObject }
  /** For a client that takes no notices: stderr now, a thought at the start of the next turn. */
  | { readonly kind: "told"; readonly told: Told };

const standard = (update: JsonObject): Encoded => ({ kind: "standard", update });

export const queuedSteer = (messageId: string, runId: string): JsonObject => ({
  sessionUpdate: "session_info_update",
  _meta: { goose: { queuedSteer: { messageId, runId } } },
});

const activeRun = (activeRunId: string | null): Encoded =>
  standard({ sessionUpdate: "session_info_update", _meta: { goose: { activeRunId } } });

/** One message in as many frames as it takes, all under one id. */
export const said = (kind: "agent_thought_chunk" | "agent_message_chunk", messageId: string, text: string): Encoded[] =>
  textPieces(text, defaultShellLimits.textChunkBytesMax).map((piece) =>
    standard({ sessionUpdate: kind, messageId, content: { type: "text", text: piece } }),
  );

/** One line for a person, whatever a model made up as a name. */
export const shownName = (name: string): string =>
  oneLine(name, defaultShellLimits.shownNameBytesMax) || "(unnamed tool)";

const shownDetail = (text: string): string => elideMiddle(text, defaultShellLimits.shownDetailBytesMax, "detail");

const told = (traits: ClientTraits, severity: Severity, title: string, detail: string): Encoded => {
  const shown = { severity, title: oneLine(title, defaultShellLimits.shownNameBytesMax) || "Notice" };
  return traits.notices
    ? standard({ sessionUpdate: "notice", ...shown, description: shownDetail(detail) })
    : { kind: "told", told: { ...shown, detail: shownDetail(detail) } };
};

/** `costUsd`: what the session has cost so far, where every request of it could be priced. */
export const encodeUpdate = (update: Update, traits: ClientTraits, costUsd: Option<number>): readonly Encoded[] => {
  switch (update.kind) {
    case "turnStarted":
      return [activeRun(update.runId)];
    case "turnEnded":
      return [activeRun(null)];
    case "thoughtSaid":
      return said("agent_thought_chunk", update.messageId, update.text);
    case "messageSaid":
      return said("agent_message_chunk", update.messageId, update.text);
    case "toolAnnounced":
      return [
        standard({
          sessionUpdate: "tool_call",
          toolCallId: update.key,
          title: shownName(update.name),
          name: shownName(update.name),
          kind: "other",
          status: "pending",
          rawInput: shownArguments(update.argumentsText).rawInput,
        }),
      ];
    case "toolStarted":
      return [standard({ sessionUpdate: "tool_call_update", toolCallId: update.key, status: "in_progress" })];
    case "toolFinished":
      return [standard({ sessionUpdate: "tool_call_update", toolCallId: update.key, ...finishedCall(update.finish) })];
    case "usageReported":
      return traits.goose ? [{ kind: "goose", update: accumulatedUsage(update.report) }] : [];
    case "contextMeasured":
      return [
        standard({
          sessionUpdate: "usage_update",
          used: update.usedTokens,
          size: update.windowTokens,
          ...(isSome(costUsd) ? { cost: { amount: costUsd.value, currency: "USD" } } : {}),
        }),
      ];
    case "handoffStarted":
      return traits.compaction ? [compaction(update.handoff, { status: "in_progress" })] : [];
    case "handoffEnded":
      return handoffEnded(update, traits);
    case "historyTruncated":
      return [told(traits, "info", "Older turns were left out", truncationDetail(update))];
    case "noticeTold":
      return [told(traits, update.severity, update.title, update.detail)];
    default:
      return assertNever(update);
  }
};

const compaction = (handoff: number, members: JsonObject): Encoded =>
  standard({ sessionUpdate: "compaction_update", compactionId: `compaction-${handoff}`, ...members });

const handoffEnded = (
  { handoff, status, text }: Extract<Update, { kind: "handoffEnded" }>,
  traits: ClientTraits,
): readonly Encoded[] => {
  switch (status) {
    case "completed": {
      const summary = textPieces(text, defaultShellLimits.textChunkBytesMax).map((piece) => ({
        type: "text",
        text: piece,
      }));
      return traits.compaction
        ? [compaction(handoff, { status, summary })]
        : [
            told(
              traits,
              "info",
              "The conversation was summarised",
              "The history was replaced by a summary to make room.",
            ),
          ];
    }
    case "failed":
      return traits.compaction
        ? [compaction(handoff, { status, error: shownDetail(text) })]
        : [told(traits, "warning", "Summarising the conversation failed", text)];
    case "cancelled":
      return traits.compaction ? [compaction(handoff, { status })] : [];
    default:
      return assertNever(status);
  }
};

const truncationDetail = ({ turnsDropped, bytesDropped }: Extract<Update, { kind: "historyTruncated" }>): string =>
  `The history had grown too large: ${turnsDropped} of the oldest turns (${bytesDropped} bytes) are no longer sent to the model.`;
