/**
 * What the parts of `step` share: the next state while it is being made, and the list of effects. Every part is a small function
 * that changes the one and adds to the other; none returns anything that another would have to apply.
 *
 * A step copies at once the four objects that it may change in place, the session, its phase, the turn and the batch, and their
 * types are writable one level deep: everything below (history, settings, catalogue, usage, lists) is shared with the state before
 * and can only be replaced. A draft of immer for the whole session cost four times as much as all that a step does.
 */
import type { Effect, LogFields, LogLevel } from "./effect.js";
import type { EffectId, Event } from "./event.js";
import { assertNever } from "./never.js";
import type { Batch, Phase, PhaseKind, Session, Turn } from "./session.js";
import type { Severity, Update } from "./update.js";

type Own<T> = { -readonly [Key in keyof T]: T[Key] };

export type OpenTurn = Own<Turn>;
export type OpenBatch = Own<Batch>;

type OpenField<T> = T extends Turn ? OpenTurn : T extends Batch ? OpenBatch : T;
type Open<P> = P extends Phase ? { readonly [Key in keyof P]: OpenField<P[Key]> } : never;

/** A phase whose turn and batch are this step's own. */
export type OpenPhase = Open<Phase>;
export type PhaseOf<Kind extends PhaseKind> = Extract<OpenPhase, { kind: Kind }>;

export interface OpenSession extends Own<Omit<Session, "phase" | "policy">> {
  readonly policy: Session["policy"];
  phase: OpenPhase;
}

export interface Work {
  readonly session: OpenSession;
  readonly emit: (effect: Effect) => void;
}

// The copies name every field: an object that was made by a spread is spread ten times slower than it is copied so, and a session
// is a copy of a copy. The types say when a field is missing here.

const openTurn = (turn: Turn): OpenTurn => ({
  number: turn.number,
  runId: turn.runId,
  request: turn.request,
  prompt: turn.prompt,
  delivered: turn.delivered,
  steers: turn.steers,
  roundsUsed: turn.roundsUsed,
  round: turn.round,
  handoffAttempts: turn.handoffAttempts,
  overflowAttempts: turn.overflowAttempts,
  cutOffRecoveries: turn.cutOffRecoveries,
  rejections: turn.rejections,
  reminders: turn.reminders,
  replied: turn.replied,
  logged: turn.logged,
  usage: turn.usage,
  identity: turn.identity,
  reportedSettings: turn.reportedSettings,
});

const openBatch = ({ calls, dropped }: Batch): OpenBatch => ({ calls, dropped });

const openPhase = (phase: Phase): OpenPhase => {
  const { kind } = phase;
  switch (kind) {
    case "idle":
      return phase;
    case "awaitingCatalog":
      return { kind, turn: openTurn(phase.turn) };
    case "awaitingModel":
      return { kind, turn: openTurn(phase.turn), sent: phase.sent };
    case "awaitingSummary":
      return { kind, turn: openTurn(phase.turn), handoff: phase.handoff, sent: phase.sent };
    case "awaitingCompactHooks":
      return { kind, turn: openTurn(phase.turn), handoff: phase.handoff, hooks: phase.hooks };
    case "awaitingTools":
      return { kind, turn: openTurn(phase.turn), batch: openBatch(phase.batch) };
    case "awaitingStopHooks":
      return { kind, turn: openTurn(phase.turn), hooks: phase.hooks };
    case "draining":
      return { kind, turn: openTurn(phase.turn), batch: openBatch(phase.batch), timer: phase.timer };
  }
  return assertNever(kind);
};

/** The next state, as long as nothing has happened yet. */
export const open = (session: Session): OpenSession => ({
  id: session.id,
  policy: session.policy,
  system: session.system,
  systemBytes: session.systemBytes,
  settings: session.settings,
  catalog: session.catalog,
  history: session.history,
  reading: session.reading,
  usage: session.usage,
  originalTask: session.originalTask,
  handoffs: session.handoffs,
  carriedLength: session.carriedLength,
  alwaysAllowed: session.alwaysAllowed,
  imagelessModels: session.imagelessModels,
  toolsLeftOut: session.toolsLeftOut,
  turns: session.turns,
  nextEffect: session.nextEffect,
  closing: session.closing,
  phase: openPhase(session.phase),
});

const COPIED: readonly PropertyKey[] = ["phase", "turn", "batch"];

const isUntouched = <T extends object>(before: T, copy: T): boolean => {
  for (const key in copy) {
    const [was, is] = [before[key], copy[key]];
    if (was !== is && !(COPIED.includes(key) && isUntouched(was as object, is as object))) return false;
  }
  return true;
};

/** The state after a step: the very one that was before, if the event changed nothing. */
export const settled = (before: Session, copy: OpenSession): Session =>
  isUntouched<Session>(before, copy) ? before : copy;

export const mintEffectId = (work: Work): EffectId => {
  const id = work.session.nextEffect;
  work.session.nextEffect += 1;
  return id;
};

export const publish = (work: Work, update: Update): void => work.emit({ type: "publish", update });

export const log = (work: Work, level: LogLevel, message: string, fields: LogFields): void =>
  work.emit({ type: "log", level, message, fields: { session: work.session.id, ...fields } });

/** Tells the person; whether as a notice or otherwise is the encoder's business. */
export const tell = (work: Work, severity: Severity, title: string, detail: string): void =>
  publish(work, { kind: "noticeTold", severity, title, detail });

/** The one thing that happens to an event that nothing waits for. */
export const ignore = (work: Work, event: Event, why: string): void =>
  log(work, "debug", `ignored ${event.type}: ${why}`, {
    phase: work.session.phase.kind,
    ...("effect" in event ? { effect: event.effect, turn: event.turn } : {}),
  });

/** Place of an effect in the list: what has happened, answers to steers and refusals, orders, the prompt's answer. */
const rank = (effect: Effect): number => {
  switch (effect.type) {
    case "log":
    case "publish":
      return 0;
    case "refusePrompt":
    case "answerSteer":
      return 1;
    case "abort":
    case "stopTimer":
    case "startTimer":
    case "callModel":
    case "summarise":
    case "callHooks":
    case "askPermission":
    case "runTool":
      return 2;
    case "answerPrompt":
      return 3;
  }
  return assertNever(effect);
};

const isBefore = (a: Effect, b: Effect | undefined): boolean => b !== undefined && rank(a) > rank(b);

/** The promised order (`effect.ts`); within a rank effects stay as they were emitted, and mostly all of them do. */
export const inPromisedOrder = (effects: readonly Effect[]): readonly Effect[] =>
  effects.some((effect, index) => isBefore(effect, effects[index + 1]))
    ? effects.toSorted((a, b) => rank(a) - rank(b))
    : effects;
