/** The user: prompts one after the other, steers and cancels while a turn runs, leaves when it goes on failing. */
import { none } from "fp-ts/lib/Option.js";
import type { Effect } from "../core/effect.js";
import type { Event } from "../core/event.js";
import { assertNever } from "../core/never.js";
import { defaultShellLimits } from "../core/policy.js";
import type { UserAct } from "./agenda.js";
import { filler } from "./filler.js";
import { purpose, uniform } from "./random.js";
import { DRAW_LIMITS } from "./scenario.js";
import { drawn, happens, type World } from "./world.js";

const PROMPT = purpose("user.promptBytes");
const PAUSE = purpose("user.pauseMs");
const STEERS = purpose("user.steers");
const STEER = purpose("user.steerBytes");
const STEER_DELAY = purpose("user.steerDelayMs");
const CANCELS = purpose("user.cancelRate");
const CANCEL_DELAY = purpose("user.cancelDelayMs");
const TOOL_ROUNDS = purpose("model.toolRounds");
const DOUBLE = purpose("faults.shell.doublePrompt");
const CATALOG = purpose("faults.shell.catalogChange");
const MODEL = purpose("faults.shell.modelChange");
const CLOSE = purpose("faults.shell.close");
const CHANGE_DELAY = purpose("faults.shell.delay");
/** Within which after a prompt a fault of the shell strikes. */
const CHANGE_DELAY_MS = 60_000;

const requestName = (turn: number): string => `prompt-${turn}`;
const runId = (turn: number): string => `run-${turn}`;

const promptOf = (turn: number, text: string): Event => ({
  type: "promptReceived",
  request: requestName(turn),
  runId: runId(turn),
  text,
});

const promptAgain = (turn: number): Event => ({
  type: "promptReceived",
  request: `again-${turn}`,
  runId: `again-${turn}`,
  text: "again",
});

const later = (world: World, turn: number, index: number): number =>
  Math.round(uniform(world.draws, CHANGE_DELAY, turn, index) * CHANGE_DELAY_MS);

/** Everything that the user has in mind for a turn, entered with its prompt. */
const prompt = (world: World, turn: number): readonly Event[] => {
  const { agenda, nowMs, stage } = world;
  const { user, model } = stage.scenario;
  const ms = DRAW_LIMITS.milliseconds;
  const toolRoundsLeft = drawn(world, model.toolRounds, DRAW_LIMITS.roundsPerTurn, TOOL_ROUNDS, turn, 0);
  world.plan = { turn, startedMs: nowMs, running: true, toolRoundsLeft };
  const steers = drawn(world, user.steers, DRAW_LIMITS.steersPerTurn, STEERS, turn, 0);
  for (let index = 0; index < steers; index++) {
    const delayMs = drawn(world, user.steerDelayMs, ms, STEER_DELAY, turn, index);
    agenda.enter(nowMs + delayMs, { kind: "act", act: { kind: "steer", turn, index } });
  }
  if (happens(world, user.cancelRate, CANCELS, turn, 0)) {
    const delayMs = drawn(world, user.cancelDelayMs, ms, CANCEL_DELAY, turn, 0);
    agenda.enter(nowMs + delayMs, { kind: "act", act: { kind: "cancel", turn } });
  }
  enterFaults(world, turn);
  const text = filler(drawn(world, user.promptBytes, DRAW_LIMITS.textBytes, PROMPT, turn, 0));
  return [promptOf(turn, text)];
};

const enterFaults = (world: World, turn: number): void => {
  const { agenda, nowMs, stage } = world;
  const faults = stage.scenario.faults.shell;
  const enter = (index: number, event: Event): void =>
    agenda.enter(nowMs + later(world, turn, index), { kind: "event", event });
  if (happens(world, faults.doublePrompt, DOUBLE, turn, 0)) {
    agenda.enter(nowMs + later(world, turn, 0), { kind: "act", act: { kind: "promptAgain", turn } });
  }
  if (happens(world, faults.catalogChange, CATALOG, turn, 0)) enter(1, otherCatalog(world, turn));
  if (happens(world, faults.modelChange, MODEL, turn, 0)) enter(2, otherModel(world, turn));
  if (turn === world.turns && happens(world, faults.close, CLOSE, 0, 0)) {
    agenda.enter(nowMs + later(world, turn, 3), { kind: "act", act: { kind: "close" } });
  }
};

/** Without its last tool in odd turns, whole in even ones. */
const otherCatalog = ({ stage }: World, turn: number): Event => ({
  ...stage.catalog,
  tools: turn % 2 === 1 ? stage.tools.slice(0, -1) : stage.tools,
});

/** Half the window in odd turns, the scenario's own in even ones. */
const otherModel = ({ stage: { settings } }: World, turn: number): Event => ({
  type: "settingsChanged",
  settings:
    turn % 2 === 1
      ? {
          ...settings,
          model: `${settings.model}-small`,
          windowTokens: Math.max(1024, Math.floor(settings.windowTokens / 2)),
          effort: none,
        }
      : settings,
});

const steer = (world: World, turn: number, index: number): Event => ({
  type: "steerReceived",
  request: `steer-${turn}-${index}`,
  messageId: `steer-${turn}-${index}`,
  expectedRunId: runId(turn),
  text: filler(
    Math.max(1, drawn(world, world.stage.scenario.user.steerBytes, DRAW_LIMITS.textBytes, STEER, turn, index)),
  ),
});

/** What the user does now. What was meant for a turn that has been answered is not done. */
export const eventsOf = (world: World, act: UserAct): readonly Event[] => {
  const runs = "turn" in act && world.plan.running && world.plan.turn === act.turn;
  switch (act.kind) {
    case "prompt":
      return prompt(world, act.turn);
    case "steer":
      return runs ? [steer(world, act.turn, act.index)] : [];
    case "cancel":
      return runs ? [{ type: "cancelRequested", drainMs: defaultShellLimits.cancelDrainMs }] : [];
    case "promptAgain":
      return runs ? [promptAgain(act.turn)] : [];
    case "close":
      return [{ type: "closeRequested", drainMs: defaultShellLimits.shutdownDrainMs }];
  }
  return assertNever(act);
};

type AnswerPrompt = Extract<Effect, { type: "answerPrompt" }>;
type RefusePrompt = Extract<Effect, { type: "refusePrompt" }>;

/** The turn is over: the next prompt, or the user leaves. */
const goOn = (world: World): void => {
  const { plan, agenda, nowMs, turns, stage } = world;
  world.plan = { ...plan, running: false };
  if (plan.turn >= turns || world.gaveUp || world.session.closing) return;
  const pauseMs = drawn(world, stage.scenario.user.pauseMs, DRAW_LIMITS.milliseconds, PAUSE, plan.turn, 0);
  agenda.enter(nowMs + pauseMs, { kind: "act", act: { kind: "prompt", turn: plan.turn + 1 } });
};

export const onAnswer = (world: World, { outcome }: AnswerPrompt): void => {
  const { patience } = world.stage.scenario.user;
  world.failedTurnsInARow = outcome.kind === "failed" ? world.failedTurnsInARow + 1 : 0;
  world.gaveUp = patience > 0 && world.failedTurnsInARow >= patience;
  goOn(world);
};

export const onRefusal = (world: World, { request }: RefusePrompt): void => {
  if (request === requestName(world.plan.turn)) goOn(world);
};
