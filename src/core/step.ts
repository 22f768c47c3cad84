/**
 * The turn loop. `step` is the only way to change a session, and it executes nothing: it returns the next state and the effects
 * that the shell has to carry out.
 *
 * Theory of operation
 *
 * 1. A session waits for one thing at a time, and its phase says for what: a prompt (`idle`), the catalogue, a model reply, a
 *    summary, hooks, tools, or the end of a cancel (`draining`). Prompts, steers, cancels and changes from outside are legal in
 *    every phase; an answer is legal only where the phase awaits exactly that effect, otherwise it is logged and changes nothing.
 * 2. The way of a turn: head of a round (`round.ts`: limits, steers, handoff gate, truncation) → model request → reply
 *    (`reply.ts`) or failure (`failure.ts`) → tools (`tools.ts`), stop gate (`stopGate.ts`) or recovery → head of the next
 *    round, until the turn is answered (`turn.ts`). Every loop back to the head is paid from a budget (`policy.ts`) or by the
 *    environment (a steer, a tool call that the model asked for).
 * 3. When two things happen at once, the order of the events decides, and nothing else: a cancel that is popped first ends the
 *    turn and the reply behind it is stale; a reply that is popped first counts, and the cancel meets what came of it.
 *
 * Nothing is polled, nothing waits inside a step, and the same session and event always give the same result.
 */
import { cancelTurn, drainOne, onDrainExpired } from "./cancel.js";
import type { Effect } from "./effect.js";
import type { AnswerTo, Event } from "./event.js";
import { onModelFailed } from "./failure.js";
import { onCompactHooksAnswered, onSummaryFailed, onSummaryReplied } from "./handoff.js";
import { assertNever } from "./never.js";
import { onCatalogChanged, onSettingsChanged } from "./outside.js";
import { onPrompt, onSteer } from "./prompt.js";
import { onModelReplied } from "./reply.js";
import type { Session } from "./session.js";
import { onStopHooksAnswered } from "./stopGate.js";
import { awaitedAsk, awaitedRun, closeCall, onPermissionAnswered, onToolFinished } from "./tools.js";
import { ignore, inPromisedOrder, open, settled, type Work } from "./work.js";

/**
 * One event in, the next state and the ordered effects out. Never throws for any event in any phase. An event that changes nothing
 * gives the very session that came in.
 */
export const step = (session: Session, event: Event): readonly [Session, readonly Effect[]] => {
  const effects: Effect[] = [];
  const next = open(session);
  apply({ session: next, emit: (effect) => effects.push(effect) }, event);
  return [settled(session, next), inPromisedOrder(effects)];
};

const isAwaited = (awaited: AnswerTo, event: AnswerTo): boolean =>
  awaited.effect === event.effect && awaited.turn === event.turn;

const apply = (work: Work, event: Event): void => {
  const { session } = work;
  const { phase } = session;
  const stale = (): void => ignore(work, event, "not awaited");
  switch (event.type) {
    case "promptReceived":
      return onPrompt(work, event);
    case "steerReceived":
      return onSteer(work, event);
    case "cancelRequested":
      return cancelTurn(work, event.drainMs) ? undefined : ignore(work, event, "no turn to cancel");
    case "closeRequested":
      if (session.closing) return ignore(work, event, "closing already");
      session.closing = true;
      cancelTurn(work, event.drainMs);
      return;
    case "catalogChanged":
      return onCatalogChanged(work, event);
    case "settingsChanged":
      return onSettingsChanged(work, event.settings);
    case "modelReplied":
      return phase.kind === "awaitingModel" && isAwaited(phase.sent, event)
        ? onModelReplied(work, phase, event.reply)
        : stale();
    case "modelFailed":
      return phase.kind === "awaitingModel" && isAwaited(phase.sent, event)
        ? onModelFailed(work, phase, event.failure)
        : stale();
    case "summaryReplied":
      return phase.kind === "awaitingSummary" && isAwaited(phase.sent, event)
        ? onSummaryReplied(work, phase, event.reply)
        : stale();
    case "summaryFailed":
      return phase.kind === "awaitingSummary" && isAwaited(phase.sent, event)
        ? onSummaryFailed(work, phase, event.failure)
        : stale();
    case "hooksAnswered":
      return onHooksAnswered(work, event);
    case "permissionAnswered": {
      if (phase.kind !== "awaitingTools" || phase.turn.number !== event.turn) return stale();
      const position = awaitedAsk(phase.batch, event.effect);
      return position < 0 ? stale() : onPermissionAnswered(work, phase.turn, phase.batch, position, event.answer);
    }
    case "toolFinished":
      return onToolAnswer(work, event);
    case "drainExpired":
      return phase.kind === "draining" && isAwaited({ effect: phase.timer, turn: phase.turn.number }, event)
        ? onDrainExpired(work, phase.turn, phase.batch)
        : stale();
  }
  return assertNever(event);
};

const onHooksAnswered = (work: Work, event: Extract<Event, { type: "hooksAnswered" }>): void => {
  const { phase } = work.session;
  if (phase.kind === "awaitingCompactHooks" || phase.kind === "awaitingStopHooks") {
    if (isAwaited({ effect: phase.hooks, turn: phase.turn.number }, event)) {
      return phase.kind === "awaitingCompactHooks"
        ? onCompactHooksAnswered(work, phase, event.outputs)
        : onStopHooksAnswered(work, phase.turn, event.outputs);
    }
  }
  ignore(work, event, "not awaited");
};

const onToolAnswer = (work: Work, event: Extract<Event, { type: "toolFinished" }>): void => {
  const { phase } = work.session;
  if ((phase.kind === "awaitingTools" || phase.kind === "draining") && phase.turn.number === event.turn) {
    const position = awaitedRun(phase.batch, event.effect);
    if (position >= 0) {
      if (phase.kind === "awaitingTools") return onToolFinished(work, phase.turn, phase.batch, position, event.outcome);
      closeCall(work, phase.batch, position, event.outcome);
      return drainOne(work, phase.turn, phase.batch, phase.timer);
    }
  }
  ignore(work, event, "not awaited");
};
