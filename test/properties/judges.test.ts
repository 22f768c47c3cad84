// The judges judged: each invariant must see a step that was spoiled on purpose, in random events like those that it watches over
// everywhere else. It kills a predicate that has become blind, which no other test would notice.

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { step, type Effect, type HistoryItem, type Policy, type Session } from "../../src/core/index.js";
import { moves, observable, playMoves, repeatable, session, type Step } from "../../src/testing/index.js";
import { seed } from "./checks.js";

type Result = readonly [Session, readonly Effect[]];

/** A step whose result is spoiled. */
const spoiled =
  (spoil: (after: Session, effects: readonly Effect[], before: Session) => Result): Step =>
  (before, event) => {
    const [after, effects] = step(before, event);
    return spoil(after, effects, before);
  };

/** A step that runs under other limits than the session says. */
const underOtherLimits =
  (loosen: (policy: Policy) => Partial<Policy>): Step =>
  (before, event) => {
    const [after, effects] = step({ ...before, policy: { ...before.policy, ...loosen(before.policy) } }, event);
    return [{ ...after, policy: before.policy }, effects];
  };

const without = (type: Effect["type"]): Step =>
  spoiled((after, effects) => [after, effects.filter((effect) => effect.type !== type)]);

const withoutUpdate = (kind: string): Step =>
  spoiled((after, effects) => [
    after,
    effects.filter((effect) => effect.type !== "publish" || effect.update.kind !== kind),
  ]);

const withItems = (after: Session, change: (item: HistoryItem) => readonly HistoryItem[]): Session => ({
  ...after,
  history: { ...after.history, chunks: after.history.chunks.map((chunk) => chunk.flatMap(change)) },
});

const has = (effects: readonly Effect[], type: Effect["type"]): boolean =>
  effects.some((effect) => effect.type === type);

const reopened = (item: HistoryItem): readonly HistoryItem[] =>
  item.kind === "assistant"
    ? [{ ...item, exchanges: item.exchanges.map(({ call }) => ({ call, outcome: { kind: "open" } })) }]
    : [item];

const reporting = (change: (tokens: bigint) => bigint): Step =>
  spoiled((after, effects) => [
    after,
    effects.map((effect) => {
      if (effect.type !== "publish" || effect.update.kind !== "usageReported") return effect;
      const { report } = effect.update;
      const { output } = report.totals;
      const told = output.kind === "exact" ? { ...output, tokens: change(output.tokens) } : output;
      const update = { ...effect.update, report: { ...report, totals: { ...report.totals, output: told } } };
      return { ...effect, update };
    }),
  ]);

const twice = (type: Effect["type"]): Step =>
  spoiled((after, effects) => [
    after,
    effects.flatMap((effect) => (effect.type === type ? [effect, effect] : [effect])),
  ]);

/** Remembers how often it was called, which no step may. */
const forgetful = (): Step => {
  let calls = 0;
  return spoiled((after, effects) => {
    calls += 1;
    return [after, [{ type: "log", level: "debug", message: `call ${calls}`, fields: {} }, ...effects]];
  });
};

const log = (value: number): Effect => ({ type: "log", level: "debug", message: "", fields: { value } });

const spoilt: Readonly<Record<keyof typeof observable, Step>> = {
  everyCallHasOneResult: spoiled((after, effects) => [
    has(effects, "callModel") ? withItems(after, reopened) : after,
    effects,
  ]),
  usageNeverShrinks: reporting((tokens) => 1_000_000_000n - (tokens % 1_000_000_000n)),
  usageAddsUp: reporting((tokens) => tokens + 1n),
  everyPromptHasOneAnswer: twice("answerPrompt"),
  concurrencyIsBounded: underOtherLimits(({ maxParallelTools }) => ({ maxParallelTools: maxParallelTools + 1 })),
  everyCallIsToldOnce: withoutUpdate("toolStarted"),
  budgetsHold: underOtherLimits(({ stopMaxRejections }) => ({ stopMaxRejections: stopMaxRejections + 1 })),
  nothingWaitsForNothing: without("callModel"),
  unawaitedAnswersChangeNothing: spoiled((after, effects, before) => [
    after === before ? { ...after, handoffs: after.handoffs + 1 } : after,
    effects,
  ]),
  truncationFits: underOtherLimits(() => ({ maxHistoryBytes: 2 ** 40 })),
  acceptedSteersArriveOnce: spoiled((after, effects) => [
    has(effects, "answerPrompt")
      ? withItems(after, (item) => (item.kind === "user" && item.origin === "steer" ? [] : [item]))
      : after,
    effects,
  ]),
  historyStandsWhileAsked: spoiled((after, effects) => [
    has(effects, "answerSteer")
      ? { ...after, history: { ...after.history, revision: after.history.revision + 1 } }
      : after,
    effects,
  ]),
  whatIsDroppedIsAborted: without("abort"),
  readingIsTheLastMeasurement: spoiled((after, effects, before) => [{ ...after, reading: before.reading }, effects]),
  effectsComeInOrder: spoiled((after, effects) => [after, effects.toReversed()]),
  orderNumbersRise: spoiled((after, effects) => [
    after.phase.kind === "idle" ? { ...after, nextEffect: 1 } : after,
    effects,
  ]),
};

const spoiltLaws: Readonly<Record<keyof ReturnType<typeof repeatable>, Step>> = {
  stepIsDeterministic: forgetful(),
  eventsAndEffectsSurviveJson: spoiled((after, effects) => [after, [log(Number.NaN), ...effects]]),
  stateSurvivesJson: spoiled((after, effects) => [{ ...after, handoffs: after.handoffs + 0.5 }, effects]),
  replayGivesTheSameEffects: forgetful(),
};

const cases = fc.sample(fc.tuple(session, moves()), { numRuns: 120, seed });

/** Whether the judge finds fault with any of the cases; a spoiled step may also stop a run by throwing. */
const isSeen = (spoiltStep: Step, judge: (run: ReturnType<typeof playMoves>) => readonly string[]): boolean =>
  cases.some(([start, played]) => {
    try {
      return judge(playMoves(spoiltStep, start, played)).length > 0;
    } catch {
      return false;
    }
  });

describe("a spoiled step is seen by", () => {
  test.each(Object.entries(observable))("%s", (name, judge) => {
    expect(isSeen(spoilt[name as keyof typeof observable], judge)).toBe(true);
  });

  test.each(Object.entries(spoiltLaws))("%s", (name, spoiltStep) => {
    const judge = repeatable(spoiltStep)[name as keyof typeof spoiltLaws];
    expect(isSeen(spoiltStep, judge)).toBe(true);
  });
});
