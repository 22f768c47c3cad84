// `step` as a function: deterministic, free of drafts, and its session, events and effects are plain data that JSON carries.
// Each run is also cut in two, its state taken through JSON at the cut, and played on from there.
//
// Mutations that this kills, each tried: test/properties/mutations.md.

import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freezeStates, step } from "../../src/core/step.js";
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

describe("with immer freezing what it returns", () => {
  beforeAll(() => freezeStates(true));
  afterAll(() => freezeStates(false));

  test("nothing that step keeps is changed later", () => {
    expect(counterexample(property, 40)).toBeUndefined();
  }, 240_000);
});
