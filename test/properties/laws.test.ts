// `step` as a function: deterministic, and its session, events and effects are plain data that JSON carries.
// Each run is also cut in two, its state taken through JSON at the cut, and played on from there.
//
// Mutations that this kills, each tried: test/properties/mutations.md.

import * as fc from "fast-check";
import { freeze } from "immer";
import { expect, test } from "vitest";
import type { Event } from "../../src/core/event.js";
import type { Session } from "../../src/core/session.js";
import { step } from "../../src/core/step.js";
import { faultsOf, moves, playMoves, repeatable, session } from "../../src/testing/index.js";
import { counterexample, refute } from "./checks.js";

const laws = repeatable(step);

const property = fc.property(session, moves(), fc.nat({ max: 40 }), (start, played, cut) => {
  const run = playMoves(step, start, played);
  refute(faultsOf(laws, run));
  refute(laws.replayGivesTheSameEffects(run.slice(cut)));
});

test("the same session and event give the same result, also after a round trip through JSON in the middle of a run", () => {
  expect(counterexample(property, 400)).toBeUndefined();
}, 240_000);

const frozenStep = (before: Session, event: Event): ReturnType<typeof step> => {
  const [after, effects] = step(freeze(before, true), freeze(event, true));
  return [freeze(after, true), freeze(effects, true)];
};

test("nothing that step is given or has returned is changed later", () => {
  const run = fc.property(session, moves(), (start, played) =>
    refute(faultsOf(laws, playMoves(frozenStep, start, played))),
  );
  expect(counterexample(run, 400)).toBeUndefined();
}, 240_000);
