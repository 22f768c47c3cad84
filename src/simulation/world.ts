/** The world around one session: what it is made of, and the few things that all of its parts do. */
import { fromNullable, none } from "fp-ts/lib/Option.js";
import type { Effect } from "../core/effect.js";
import type { EffectId, Event } from "../core/event.js";
import type { Settings, Tool } from "../core/model.js";
import { initialSession, type Session } from "../core/session.js";
import { newAgenda, type Agenda } from "./agenda.js";
import type { PriceList } from "../usage/price.js";
import { pricesOf } from "./cost.js";
import { wholeQuantile, type Distribution } from "./distribution.js";
import { filler } from "./filler.js";
import { newLedger, type Ledger } from "./ledger.js";
import { chance, drawsOf, purpose, uniform, type Draws, type Purpose } from "./random.js";
import { DRAW_LIMITS, type Scenario, type ToolScenario } from "./scenario.js";

/** What is made once of a scenario, for all of its sessions. */
export interface Stage {
  readonly scenario: Scenario;
  /** A fresh session; only its id is still to be set. */
  readonly opening: Session;
  readonly settings: Settings;
  readonly tools: readonly Tool[];
  readonly toolByName: ReadonlyMap<string, ToolScenario>;
  readonly catalog: Extract<Event, { type: "catalogChanged" }>;
  readonly prices: PriceList;
}

const SCHEMA = '{"type":"object"}';

const toolOf = ({ name, readOnly, definitionBytes }: ToolScenario): Tool => ({
  name,
  description: filler(Math.max(0, definitionBytes - name.length - SCHEMA.length)),
  schema: SCHEMA,
  readOnly,
  builtIn: false,
});

const hooksOf = ({ hooks }: Scenario): Extract<Event, { type: "catalogChanged" }>["hooks"] =>
  (["_Stop", "_PostCompact"] as const).flatMap((point) =>
    Array.from({ length: hooks[point].servers }, (_, index) => ({ server: `server${index + 1}`, point })),
  );

export const stageOf = (scenario: Scenario): Stage => {
  const { id: model, windowTokens, maxOutputTokens, authority } = scenario.model;
  const settings: Settings = { model, effort: none, windowTokens, maxOutputTokens, authority: fromNullable(authority) };
  const tools = scenario.tools.map(toolOf);
  return {
    scenario,
    opening: initialSession({ id: "", policy: scenario.policy, system: filler(scenario.systemBytes), settings }),
    settings,
    tools,
    toolByName: new Map(scenario.tools.map((tool) => [tool.name, tool])),
    catalog: { type: "catalogChanged", tools, hooks: hooksOf(scenario), complete: true },
    prices: pricesOf(scenario.model),
  };
};

/** What the user and the model have in mind for the turn that runs, or ran last. */
export interface Plan {
  readonly turn: number;
  readonly startedMs: number;
  readonly running: boolean;
  /** Rounds with tool calls that the model still wants. */
  readonly toolRoundsLeft: number;
}

/** What the provider remembers of the last request: what stands before `bytes` need not be read again. */
export interface CachedPrefix {
  readonly atMs: number;
  readonly model: string;
  readonly revision: number;
  readonly fixedBytes: number;
  readonly bytes: number;
}

export interface World {
  readonly stage: Stage;
  readonly draws: Draws;
  readonly agenda: Agenda;
  readonly ledger: Ledger;
  readonly turns: number;
  session: Session;
  nowMs: number;
  plan: Plan;
  prefix: CachedPrefix | undefined;
  failedTurnsInARow: number;
  gaveUp: boolean;
}

const TURNS = purpose("user.turns");

export const newWorld = (stage: Stage, seed: number, index: number): World => {
  const draws = drawsOf(seed, index);
  return {
    stage,
    draws,
    agenda: newAgenda(),
    ledger: newLedger(),
    turns: wholeQuantile(stage.scenario.user.turns, uniform(draws, TURNS, 0, 0), DRAW_LIMITS.turns),
    session: { ...stage.opening, id: `s${index}` },
    nowMs: 0,
    plan: { turn: 0, startedMs: 0, running: false, toolRoundsLeft: 0 },
    prefix: undefined,
    failedTurnsInARow: 0,
    gaveUp: false,
  };
};

/** A whole number of a distribution; `index` tells draws of one turn apart. */
export const drawn = (
  world: World,
  distribution: Distribution,
  max: number,
  what: Purpose,
  turn: number,
  index: number,
): number =>
  distribution.kind === "constant"
    ? wholeQuantile(distribution, 0, max)
    : wholeQuantile(distribution, uniform(world.draws, what, turn, index), max);

export const happens = (world: World, rate: number, what: Purpose, turn: number, index: number): boolean =>
  chance(world.draws, rate, what, turn, index);

type Order = Extract<Effect, { readonly id: EffectId }>;

const DUPLICATE = purpose("faults.shell.duplicateAnswer");
const DUPLICATE_DELAY = purpose("faults.shell.duplicateAnswer.delay");
/** Within which a second copy of an answer arrives. */
const DUPLICATE_DELAY_MS = 3000;

/** Enters the answer to an order; by the scenario's fault, a second copy of it that arrives later. */
export const answer = (world: World, order: Order, delayMs: number, event: Event): void => {
  const { agenda, nowMs, stage } = world;
  agenda.enter(nowMs + delayMs, { kind: "answer", effect: order.id, event });
  if (!happens(world, stage.scenario.faults.shell.duplicateAnswer, DUPLICATE, order.turn, order.id)) return;
  const later = uniform(world.draws, DUPLICATE_DELAY, order.turn, order.id) * DUPLICATE_DELAY_MS;
  agenda.enter(nowMs + delayMs + Math.round(later), { kind: "event", event });
};
