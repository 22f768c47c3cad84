// Random events against `step`: two hundred thousand, in sessions of about forty, from a driver that knows what is out and also
// sends stale, double and unknown answers, prompts and steers at any time, cancels, closes, and changes from outside.
//
// Mutations that this kills, each tried: test/properties/mutations.md.

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { step, type PhaseKind } from "../../src/core/index.js";
import { deepFreeze, faultsOf, moves, observable, playMoves, session } from "../../src/testing/index.js";
import { counterexample, refute } from "./checks.js";

const eventsAtLeast = 200_000;

/** Inputs are frozen to the bottom, so a step that changes one throws. */
const frozenStep: typeof step = (state, event) => step(deepFreeze(state), deepFreeze(event));

test("every invariant holds for random events in every phase", () => {
  const phases: Record<PhaseKind, number> = {
    idle: 0,
    awaitingCatalog: 0,
    awaitingModel: 0,
    awaitingSummary: 0,
    awaitingCompactHooks: 0,
    awaitingTools: 0,
    awaitingStopHooks: 0,
    draining: 0,
  };
  const property = fc.property(session, moves(), (start, played) => {
    const run = playMoves(frozenStep, start, played);
    for (const { before } of run) phases[before.phase.kind] += 1;
    refute(faultsOf(observable, run));
  });
  expect(counterexample(property, 5_300)).toBeUndefined();
  const events = Object.values(phases).reduce((a, b) => a + b, 0);
  const shares = Object.entries(phases).map(([phase, count]) => `${phase} ${((count / events) * 100).toFixed(1)} %`);
  console.log(`${events} random events; phases: ${shares.join(", ")}`);
  expect(events).toBeGreaterThanOrEqual(eventsAtLeast);
  for (const [phase, count] of Object.entries(phases)) expect(count, `events in ${phase}`).toBeGreaterThan(200);
}, 240_000);
