/** Cancel, at once and in every phase (`spec/turn-loop.md` 9). */
import { closeCall, running } from "./tools.js";
import { stopTurn } from "./turn.js";
import { mintEffectId, publish, type OpenBatch, type OpenTurn, type Work } from "./work.js";

/** Aborts what is outstanding. False when there is no turn to cancel, or it is being cancelled already: twice is once. */
export const cancelTurn = (work: Work, drainMs: number): boolean => {
  const { phase } = work.session;
  switch (phase.kind) {
    case "idle":
    case "draining":
      return false;
    case "awaitingCatalog":
      break;
    case "awaitingModel":
      abort(work, phase.turn, phase.sent.effect);
      break;
    case "awaitingSummary":
      abort(work, phase.turn, phase.sent.effect);
      publish(work, {
        kind: "handoffEnded",
        handoff: phase.handoff.number,
        status: "cancelled",
        text: "cancelled; history is as it was",
      });
      break;
    case "awaitingCompactHooks":
    case "awaitingStopHooks":
      abort(work, phase.turn, phase.hooks);
      break;
    case "awaitingTools":
      cancelTools(work, phase.turn, phase.batch, drainMs);
      return true;
  }
  stopTurn(work, phase.turn, "cancelled");
  return true;
};

const abort = (work: Work, turn: OpenTurn, target: number): void =>
  work.emit({ type: "abort", target, turn: turn.number });

/** No new call starts; questions end; running tools are told and have until the timer fires. */
const cancelTools = (work: Work, turn: OpenTurn, batch: OpenBatch, drainMs: number): void => {
  batch.calls.forEach(({ state }, position) => {
    if (state.kind === "running" || state.kind === "closed") return;
    if (state.kind === "asking") abort(work, turn, state.ask);
    closeCall(work, batch, position, { kind: "cancelled" });
  });
  const runs = running(batch);
  if (runs.length === 0) return stopTurn(work, turn, "cancelled");
  for (const run of runs) abort(work, turn, run);
  const timer = mintEffectId(work);
  work.session.phase = { kind: "draining", turn, batch, timer };
  work.emit({ type: "startTimer", id: timer, turn: turn.number, ms: drainMs });
};

/** A tool ended in the drain: the turn ends with the last one. */
export const drainOne = (work: Work, turn: OpenTurn, batch: OpenBatch, timer: number): void => {
  if (running(batch).length > 0) return;
  work.emit({ type: "stopTimer", target: timer, turn: turn.number });
  stopTurn(work, turn, "cancelled");
};

/** The drain is over: what is still open is closed as cancelled. */
export const onDrainExpired = (work: Work, turn: OpenTurn, batch: OpenBatch): void => {
  batch.calls.forEach((_, position) => closeCall(work, batch, position, { kind: "cancelled" }));
  stopTurn(work, turn, "cancelled");
};
