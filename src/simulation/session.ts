/** One simulated session, from its first prompt to the last thing that happens to it. */
import type { Effect } from "../core/effect.js";
import type { EffectId, Event } from "../core/event.js";
import { assertNever } from "../core/never.js";
import type { PhaseKind, Session } from "../core/session.js";
import { step } from "../core/step.js";
import type { Happening } from "./agenda.js";
import type { ReportedUsage } from "../core/usage.js";
import { costOf } from "./cost.js";
import { differences, enterUsage } from "./ledger.js";
import { metricsOf, type SessionMetrics } from "./metrics.js";
import { callModel, summarise } from "./modelEnd.js";
import { purpose, uniform } from "./random.js";
import { DRAW_LIMITS } from "./scenario.js";
import { addCost, countAnswer, countEffect, newTally, type Tally } from "./tally.js";
import { askPermission, callHooks, runTool } from "./toolEnd.js";
import { eventsOf, onAnswer, onRefusal } from "./user.js";
import { happens, newWorld, type Stage, type World } from "./world.js";

/** Sees every step: to record a session, to judge it by invariants, to draw it. */
export type Observer = (seen: {
  /** Virtual time. */
  readonly atMs: number;
  readonly event: Event;
  readonly before: Session;
  readonly after: Session;
  readonly effects: readonly Effect[];
}) => void;

const STUBBORN = purpose("faults.tool.stubborn");
const UNKNOWN = purpose("faults.shell.unknownAnswer");
const LATE_CATALOG = purpose("faults.shell.lateCatalog");
const LATE_CATALOG_MS = 20_000;
/** An effect id that no session reaches. */
const NO_EFFECT = 2 ** 40;

/** The answer of something that was told to stop. */
const abortedAnswer = (event: Event): Event => {
  switch (event.type) {
    case "toolFinished":
      return { ...event, outcome: { kind: "cancelled" } };
    case "modelReplied":
    case "modelFailed": {
      const { effect, turn } = event;
      return { type: "modelFailed", effect, turn, ...ABORTED };
    }
    case "summaryReplied":
    case "summaryFailed": {
      const { effect, turn } = event;
      return { type: "summaryFailed", effect, turn, ...ABORTED };
    }
    case "hooksAnswered":
      return { ...event, outputs: [] };
    case "permissionAnswered":
      return { ...event, answer: "cancelled" };
    case "promptReceived":
    case "steerReceived":
    case "cancelRequested":
    case "closeRequested":
    case "catalogChanged":
    case "settingsChanged":
    case "drainExpired":
      return event;
  }
  return assertNever(event);
};

const ABORTED = {
  failure: { kind: "aborted", message: "aborted", status: { _tag: "None" } },
  attempts: { tries: 1, waitedMs: 0 },
} as const;

/** What is aborted answers at once, except a stubborn tool: it answers when it would have. */
const abort = (world: World, effect: EffectId, turn: number): void => {
  const { agenda, nowMs, stage } = world;
  const entry = agenda.withdraw(effect);
  if (entry?.happening.kind !== "answer") return;
  const { event } = entry.happening;
  const stubborn =
    event.type === "toolFinished" && happens(world, stage.scenario.faults.tool.stubborn, STUBBORN, turn, effect);
  if (stubborn) return agenda.enter(entry.atMs, entry.happening);
  agenda.enter(nowMs, { kind: "event", event: abortedAnswer(event) });
};

const carryOut = (world: World, effect: Effect): void => {
  switch (effect.type) {
    case "callModel":
      return callModel(world, effect);
    case "summarise":
      return summarise(world, effect);
    case "runTool":
      return runTool(world, effect);
    case "callHooks":
      return callHooks(world, effect);
    case "askPermission":
      return askPermission(world, effect);
    case "startTimer": {
      const { id, turn, ms } = effect;
      const event: Event = { type: "drainExpired", effect: id, turn };
      return world.agenda.enter(world.nowMs + ms, { kind: "answer", effect: id, event });
    }
    case "stopTimer":
      world.agenda.withdraw(effect.target);
      return;
    case "abort":
      return abort(world, effect.target, effect.turn);
    case "answerPrompt":
      return onAnswer(world, effect);
    case "refusePrompt":
      return onRefusal(world, effect);
    case "log":
    case "publish":
    case "answerSteer":
      return;
  }
  return assertNever(effect);
};

/** By fault: an answer to an effect that never was, beside every order. */
const confuse = (world: World, effects: readonly Effect[]): void => {
  const { unknownAnswer } = world.stage.scenario.faults.shell;
  if (unknownAnswer === 0) return;
  for (const effect of effects) {
    if (!("id" in effect) || !happens(world, unknownAnswer, UNKNOWN, effect.turn, effect.id)) continue;
    const event: Event = {
      type: "toolFinished",
      effect: effect.id + NO_EFFECT,
      turn: effect.turn,
      outcome: { kind: "cancelled" },
    };
    world.agenda.enter(world.nowMs, { kind: "event", event });
  }
};

const feed = (world: World, tally: Tally, event: Event, observe: Observer | undefined): readonly Effect[] => {
  const before = world.session;
  const [after, effects] = step(before, event);
  world.session = after;
  tally.events += 1;
  observe?.({ atMs: world.nowMs, event, before, after, effects });
  for (const effect of effects) {
    countEffect(tally, effect, world.plan.startedMs, world.nowMs);
    carryOut(world, effect);
  }
  confuse(world, effects);
  return effects;
};

/** Books what a reply says it used. Called before the session sees it, while its phase still knows what was asked. */
const book = ({ session, stage, ledger }: World, tally: Tally, usage: ReportedUsage): void => {
  const { phase } = session;
  enterUsage(ledger, usage);
  if (phase.kind !== "awaitingModel" && phase.kind !== "awaitingSummary") return;
  const { authority } = stage.scenario.model;
  addCost(tally, costOf(stage.prices, authority, phase.sent.settings.model, usage));
};

/** The original of an answer is what the model has produced; copies of it, and answers to nothing, are not. */
const deliver = (world: World, tally: Tally, event: Event, observe: Observer | undefined): void => {
  if (event.type === "modelReplied" || event.type === "summaryReplied") book(world, tally, event.reply.usage);
  countAnswer(tally, event, feed(world, tally, event, observe));
};

const happen = (world: World, tally: Tally, happening: Happening, observe: Observer | undefined): void => {
  switch (happening.kind) {
    case "event":
      feed(world, tally, happening.event, observe);
      return;
    case "answer":
      return deliver(world, tally, happening.event, observe);
    case "act":
      for (const event of eventsOf(world, happening.act)) feed(world, tally, event, observe);
      return;
  }
  return assertNever(happening);
};

/** The catalogue comes before the first prompt, or, by fault, complete only some time after. */
const open = (world: World): void => {
  const { agenda, stage } = world;
  const { catalog, scenario } = stage;
  const late = happens(world, scenario.faults.shell.lateCatalog, LATE_CATALOG, 0, 0);
  const first: Event = late ? { ...catalog, tools: [], hooks: [], complete: false } : catalog;
  agenda.enter(0, { kind: "event", event: first });
  if (late) {
    const atMs = Math.round(LATE_CATALOG_MS * uniform(world.draws, LATE_CATALOG, 0, 1));
    agenda.enter(atMs, { kind: "event", event: catalog });
  }
  if (world.turns > 0) agenda.enter(0, { kind: "act", act: { kind: "prompt", turn: 1 } });
};

/** Session number `index` of the scenario under `seed`; the same again every time. */
export const simulateSession = (stage: Stage, seed: number, index: number, observe?: Observer): SessionMetrics => {
  const world = newWorld(stage, seed, index);
  const tally = newTally();
  open(world);
  for (
    let entry = world.agenda.next();
    entry !== undefined && tally.events < DRAW_LIMITS.eventsPerSession;
    entry = world.agenda.next()
  ) {
    world.nowMs = entry.atMs;
    happen(world, tally, entry.happening, observe);
  }
  return metricsOf(index, tally, world, faults(world, tally));
};

/** What is wrong at the end of a session: tokens that were not conserved, a turn that was not answered. */
const faults = (world: World, tally: Tally): readonly string[] => [
  ...differences(world.ledger, tally.reported),
  ...unfinished(world.session.phase.kind, tally.events),
];

const unfinished = (phase: PhaseKind, events: number): readonly string[] => {
  const limit = DRAW_LIMITS.eventsPerSession;
  if (events >= limit) return [`the session was stopped after ${limit} events: shorten its turns or bound its rounds`];
  return phase === "idle" ? [] : [`the session ended in phase ${phase}`];
};
