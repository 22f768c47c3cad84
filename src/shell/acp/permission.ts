/** The question before a tool runs. Whatever is not a clear yes is a no (`spec/acp.md` 1.8). */
import { isLeft } from "fp-ts/lib/Either.js";
import type { PermissionAnswer } from "../../core/event.js";
import { member, type JsonObject } from "../../core/json.js";
import type { PermissionQuestion } from "./agent.js";
import type { ClientRequests } from "./clientRequests.js";
import { shownName } from "./encode.js";
import { shownArguments } from "./rawInput.js";

interface Option {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string;
  readonly answer: PermissionAnswer;
}

// Headless clients choose by kind and need an allow and a reject among them.
const OPTIONS: readonly Option[] = [
  { optionId: "allow_once", name: "Allow once", kind: "allow_once", answer: "allowOnce" },
  { optionId: "allow_always", name: "Allow this tool in this session", kind: "allow_always", answer: "allowAlways" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once", answer: "rejectOnce" },
];

export const askPermission = async (
  requests: ClientRequests,
  sessionId: string,
  question: PermissionQuestion,
  signal: AbortSignal,
): Promise<PermissionAnswer> => {
  const result = await requests.ask("session/request_permission", permissionParams(sessionId, question), signal);
  if (signal.aborted) return "cancelled";
  if (isLeft(result)) return "failed";
  const outcome = member(result.right, "outcome");
  const kind = member(outcome, "outcome");
  if (kind === "cancelled") return "cancelled";
  if (kind !== "selected") return "failed";
  const optionId = member(outcome, "optionId");
  return OPTIONS.find((option) => option.optionId === optionId)?.answer ?? "failed";
};

const ELIDED = "The arguments are shown shortened; the tool would get them whole.";

const permissionParams = (sessionId: string, { key, name, argumentsText }: PermissionQuestion): JsonObject => {
  const { rawInput, elided } = shownArguments(argumentsText);
  const note = elided ? { content: [{ type: "content", content: { type: "text", text: ELIDED } }] } : {};
  return {
    sessionId,
    toolCall: { toolCallId: key, title: shownName(name), kind: "other", status: "pending", rawInput, ...note },
    options: OPTIONS.map((option) => ({ optionId: option.optionId, name: option.name, kind: option.kind })),
  };
};
