import * as fc from "fast-check";
import { expect, test } from "vitest";
import { simulateSession, stageOf } from "../../src/simulation/index.js";
import { everyFault, scenarioOf } from "../unit/simulation/scenarios.js";

test("with every fault switched on tokens are conserved and every turn is answered", () => {
  const stage = stageOf(scenarioOf(everyFault));
  const found = new Set<string>();
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      for (let session = 0; session < 10; session++) {
        const metrics = simulateSession(stage, seed, session);
        expect(metrics.differences).toEqual([]);
        for (const kind of [...Object.keys(metrics.stops), ...Object.keys(metrics.failures)]) found.add(kind);
        for (const kind of [...Object.keys(metrics.calls), ...Object.keys(metrics.recoveries)]) found.add(kind);
      }
    }),
    { numRuns: 30, seed: 1 },
  );
  // The world would be sound if nothing ever happened in it, so what must have happened is listed.
  const ends = ["end_turn", "cancelled", "refusal", "max_tokens", "authentication", "badReply"];
  const calls = ["result", "error", "rejected", "failed", "timedOut", "refused", "cancelled"];
  const recoveries = ["cutOff", "contextExceeded", "imageUnsupported"];
  expect([...ends, ...calls, ...recoveries].filter((kind) => !found.has(kind))).toEqual([]);
});
