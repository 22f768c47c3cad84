/**
 * The invariants of `spec/turn-loop.md` 10, each one named predicate over an observed run. Properties, exhaustive worlds, the
 * fuzzer and the simulator all judge by this table.
 */
import { everyCallHasOneResult, historyStandsWhileAsked, truncationFits } from "./invariants/requests.js";
import type { Invariant } from "./invariants/invariant.js";
import {
  effectsComeInOrder,
  eventsAndEffectsSurviveJson,
  orderNumbersRise,
  replayGivesTheSameEffects,
  stateSurvivesJson,
  stepIsDeterministic,
} from "./invariants/laws.js";
import { budgetsHold, concurrencyIsBounded, everyCallIsToldOnce } from "./invariants/limits.js";
import {
  acceptedSteersArriveOnce,
  everyPromptHasOneAnswer,
  nothingWaitsForNothing,
  unawaitedAnswersChangeNothing,
} from "./invariants/turns.js";
import { usageAddsUp, usageNeverShrinks } from "./invariants/usage.js";
import type { Run, Step } from "./run.js";

export type { Faults, Invariant } from "./invariants/invariant.js";
export { everyRequestEncodes, type JudgedDialect } from "./invariants/requests.js";

/** Invariants that look at the run alone. */
export const observable = {
  everyCallHasOneResult,
  usageNeverShrinks,
  usageAddsUp,
  everyPromptHasOneAnswer,
  concurrencyIsBounded,
  everyCallIsToldOnce,
  budgetsHold,
  nothingWaitsForNothing,
  unawaitedAnswersChangeNothing,
  truncationFits,
  acceptedSteersArriveOnce,
  historyStandsWhileAsked,
  effectsComeInOrder,
  orderNumbersRise,
} as const satisfies Readonly<Record<string, Invariant>>;

/** Invariants that step once more, or go through JSON; dearer than the others. */
export const repeatable = (step: Step) =>
  ({
    stepIsDeterministic: stepIsDeterministic(step),
    eventsAndEffectsSurviveJson,
    stateSurvivesJson,
    replayGivesTheSameEffects: replayGivesTheSameEffects(step),
  }) as const satisfies Readonly<Record<string, Invariant>>;

/** All faults of a run, each behind the name of its invariant. */
export const faultsOf = (invariants: Readonly<Record<string, Invariant>>, run: Run): readonly string[] =>
  Object.entries(invariants).flatMap(([name, judge]) => judge(run).map((fault) => `${name}: ${fault}`));
