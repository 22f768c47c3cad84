/** Prompts and steers on arrival: accepted or refused, with exactly one answer each. */
import { isNone, some } from "fp-ts/lib/Option.js";
import type { PromptRefusal, SteerRefusal } from "./effect.js";
import type { Event } from "./event.js";
import type { UserItem } from "./history.js";
import { beginRound } from "./round.js";
import { isBlank, utf8Bytes, wellFormed } from "./text.js";
import { append, newTurn } from "./turn.js";
import { publish, type OpenTurn, type Work } from "./work.js";

type Prompt = Extract<Event, { type: "promptReceived" }>;
type SteerEvent = Extract<Event, { type: "steerReceived" }>;

const promptFault = (work: Work, { text }: Prompt): PromptRefusal | undefined => {
  if (work.session.closing) return "closed";
  if (work.session.phase.kind !== "idle") return "busy";
  if (isBlank(text)) return "empty";
  return utf8Bytes(text) > work.session.policy.promptBytesMax ? "tooLarge" : undefined;
};

/** Begins a turn. The first round waits until the catalogue is complete. */
export const onPrompt = (work: Work, event: Prompt): void => {
  const { session } = work;
  const reason = promptFault(work, event);
  if (reason !== undefined) return work.emit({ type: "refusePrompt", request: event.request, reason });
  session.turns += 1;
  const text = wellFormed(event.text);
  const prompt: UserItem = { kind: "user", turn: session.turns, origin: "prompt", text };
  if (isNone(session.originalTask)) session.originalTask = some(text);
  append(work, prompt);
  const turn = newTurn(session.turns, event.request, event.runId, prompt);
  publish(work, { kind: "turnStarted", runId: event.runId });
  if (session.catalog.complete) return beginRound(work, turn);
  session.phase = { kind: "awaitingCatalog", turn };
};

const steerFault = (work: Work, turn: OpenTurn, { expectedRunId, text }: SteerEvent): SteerRefusal | undefined => {
  const { maxSteersWaiting, steerBytesMax } = work.session.policy;
  if (work.session.phase.kind === "draining") return { kind: "ending" };
  if (expectedRunId !== turn.runId) return { kind: "otherRun", activeRunId: turn.runId };
  if (isBlank(text)) return { kind: "empty" };
  const steers = turn.steers;
  if (steers.length >= maxSteersWaiting) return { kind: "tooMany" };
  const waiting = steers.reduce((total, steer) => total + utf8Bytes(steer.text), 0);
  return waiting + utf8Bytes(text) > steerBytesMax ? { kind: "tooLarge" } : undefined;
};

/** An accepted steer waits for the next head of a round and keeps the turn from ending before. */
export const onSteer = (work: Work, event: SteerEvent): void => {
  const { request, messageId } = event;
  const { phase } = work.session;
  const refuse = (reason: SteerRefusal): void =>
    work.emit({ type: "answerSteer", request, answer: { kind: "refused", reason } });
  if (phase.kind === "idle") return refuse({ kind: "noTurn" });
  const reason = steerFault(work, phase.turn, event);
  if (reason !== undefined) return refuse(reason);
  phase.turn.steers = [...phase.turn.steers, { messageId, text: wellFormed(event.text) }];
  work.emit({ type: "answerSteer", request, answer: { kind: "accepted", runId: phase.turn.runId, messageId } });
};
