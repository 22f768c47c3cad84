/** Invariants 9 and 10 of `spec/turn-loop.md` 10, and the promises of `effect.ts`: what holds of `step` as a function. */
import type { Effect } from "../../core/index.js";
import { effectCodec, eventCodec, explain, sessionCodec, type Codec } from "../../core/codec.js";
import { equal } from "../equal.js";
import { isOrder } from "../orders.js";
import { transition, type Step } from "../run.js";
import { along, atEach, unless, type Faults, type Invariant, type RunInvariant } from "./invariant.js";

type ThroughJson<A> =
  { readonly kind: "value"; readonly value: A } | { readonly kind: "fault"; readonly fault: string };

/** The value as it comes out of a file. */
export const throughJson = <A>(codec: Codec<A>, value: A): ThroughJson<A> => {
  const read = codec.decode(JSON.parse(JSON.stringify(codec.encode(value))));
  return read._tag === "Right" ? { kind: "value", value: read.right } : { kind: "fault", fault: explain(read.left) };
};

const survives = <A>(codec: Codec<A>, value: A): Faults => {
  const read = throughJson(codec, value);
  return read.kind === "fault" ? [read.fault] : unless(equal(read.value, value), "JSON made it another value");
};

/** 9. The same session and event give the same result. */
export const stepIsDeterministic = (step: Step): Invariant =>
  atEach(({ before, event, after, effects }) => {
    const again = transition(step, before, event);
    return [
      ...unless(equal(again.after, after), "another state at the second try"),
      ...unless(equal(again.effects, effects), "other effects at the second try"),
    ];
  });

/** 9. Events and effects survive a JSON round trip. */
export const eventsAndEffectsSurviveJson: Invariant = atEach(({ event, effects }) => [
  ...survives(eventCodec, event),
  ...effects.flatMap((effect) => survives(effectCodec, effect)),
]);

/** 9. The last state of a run survives a JSON round trip; one state a run, since a whole history is encoded for it. */
export const stateSurvivesJson: RunInvariant = (run) => {
  const last = run.at(-1);
  return last === undefined ? [] : survives(sessionCodec, last.after);
};

/** 10. A record of the run, read back from JSON, gives the same effects again, event by event. */
export const replayGivesTheSameEffects =
  (step: Step): RunInvariant =>
  (run) => {
    const first = run[0];
    if (first === undefined) return [];
    const start = throughJson(sessionCodec, first.before);
    if (start.kind === "fault") return [start.fault];
    let state = start.value;
    return run.flatMap(({ event, effects }, at) => {
      const read = throughJson(eventCodec, event);
      if (read.kind === "fault") return [read.fault];
      const again = transition(step, state, read.value);
      state = again.after;
      return unless(equal(again.effects, effects), `event ${at} (${event.type}) gave other effects when replayed`);
    });
  };

const ranks: Readonly<Record<Effect["type"], number>> = {
  log: 0,
  publish: 0,
  refusePrompt: 1,
  answerSteer: 1,
  abort: 2,
  stopTimer: 2,
  startTimer: 2,
  callModel: 2,
  summarise: 2,
  callHooks: 2,
  askPermission: 2,
  runTool: 2,
  answerPrompt: 3,
};

/** The order in one list: what has happened, answers to steers and refusals, orders, the prompt's answer. */
export const effectsComeInOrder: Invariant = atEach(({ effects }) =>
  effects.flatMap((effect, at) => {
    const next = effects[at + 1];
    return next === undefined
      ? []
      : unless(ranks[effect.type] <= ranks[next.type], `${next.type} behind ${effect.type}`);
  }),
);

/** Numbers of orders only rise, and each names the turn that gave it. */
export const orderNumbersRise: Invariant = along(0, (last, { effects, after }) => {
  const orders = effects.filter(isOrder);
  let highest = last;
  const faults: string[] = [];
  for (const { id, turn, type } of orders) {
    faults.push(...unless(id > highest, `${type} has number ${id} after ${highest}`));
    faults.push(...unless(turn === after.turns, `${type} names turn ${turn} in turn ${after.turns}`));
    highest = Math.max(highest, id);
  }
  return [highest, faults];
});
