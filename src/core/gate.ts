/** Whether history is handed over before the next request (`spec/turn-loop.md` 4.1, 4.2). */
import { fixedPart, handoffThreshold, project } from "./capacity.js";
import type { GateNote } from "./session.js";
import { utf8Bytes } from "./text.js";
import { log, type OpenTurn, type Work } from "./work.js";
import type { LogFields } from "./effect.js";

export type GateDecision = { readonly kind: "pass" } | { readonly kind: "handOff"; readonly projectedTokens: number };

const PASS: GateDecision = { kind: "pass" };

/** A handoff cannot help when what it would put back is all there is, or takes half of the room by itself. */
const cannotHelp = (work: Work, turn: OpenTurn, threshold: number): boolean => {
  const putBack = [turn.prompt, ...turn.delivered];
  const bytes = putBack.reduce((total, item) => total + utf8Bytes(item.text), 0);
  return work.session.history.length === putBack.length || bytes >= threshold / 2;
};

const logOnce = (work: Work, turn: OpenTurn, note: GateNote, message: string, fields: LogFields): void => {
  const logged = turn.logged;
  if (logged.includes(note)) return;
  turn.logged = [...logged, note];
  log(work, "warn", message, { turn: turn.number, ...fields });
};

export const gate = (work: Work, turn: OpenTurn): GateDecision => {
  const { session } = work;
  const { settings, policy } = session;
  const projection = project(session, fixedPart(session));
  if (!projection.due) return PASS;
  const threshold = handoffThreshold(settings);
  const fields = { projected_tokens: projection.tokens, threshold_tokens: threshold };
  if (cannotHelp(work, turn, threshold)) {
    logOnce(work, turn, "notDue", "handoff cannot help: the prompt is nearly all there is", fields);
    return PASS;
  }
  if (turn.handoffAttempts >= policy.maxHandoffs) {
    logOnce(work, turn, "capReached", "handoff cap reached", {
      reason: "preflight",
      handoff_attempts: turn.handoffAttempts,
      max_handoffs: policy.maxHandoffs,
      ...fields,
    });
    return PASS;
  }
  return { kind: "handOff", projectedTokens: projection.tokens };
};
