/**
 * The invariants of `spec/turn-loop.md` 10, each one named predicate over an observed run. Properties, exhaustive worlds, the
 * fuzzer and the simulator all judge by this table.
 */
import { whatIsDroppedIsAborted } from "./invariants/aborts.js";
import { readingIsTheLastMeasurement } from "./invariants/reading.js";
import { everyCallHasOneResult, historyStandsWhileAsked, truncationFits } from "./invariants/requests.js";
import type { Faults, Invariant, Online, RunInvariant } from "./invariants/invariant.js";
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
import type { Watched } from "./orders.js";
import type { Run, Step } from "./run.js";

export type { Faults, Invariant, Online, RunInvariant } from "./invariants/invariant.js";
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
  whatIsDroppedIsAborted,
  readingIsTheLastMeasurement,
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
  }) as const satisfies Readonly<Record<string, RunInvariant>>;

/** All faults of a run, each behind the name of its invariant. */
export const faultsOf = (invariants: Readonly<Record<string, RunInvariant>>, run: Run): readonly string[] =>
  Object.entries(invariants).flatMap(([name, judge]) => judge(run).map((fault) => `${name}: ${fault}`));

/** All the given invariants at once, followed transition by transition. */
export const together = (invariants: Readonly<Record<string, Invariant>>): Online =>
  gathered(Object.entries(invariants).map(([name, { online }]) => [name, online]));

const gathered = (all: readonly (readonly [string, Online])[]): Online => ({
  see: (watched: Watched) => {
    const faults: string[] = [];
    const next = all.map(([name, online]): readonly [string, Online] => {
      const [later, found]: readonly [Online, Faults] = online.see(watched);
      faults.push(...found.map((fault) => `${name}: ${fault}`));
      return [name, later];
    });
    return [gathered(next), faults];
  },
});
