// Invariant 11 over whole sessions: whatever the reducer came to by way of random events, every dialect makes a request of it that
// its provider's published rules accept. It kills: an item that only histories made by hand never have, such as a call closed by a
// cancel, a second use of an id in a later turn, a hook's objection behind a truncation.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { step } from "../../src/core/index.js";
import { everyRequestEncodes, faultsOf, judgedDialects, moves, playMoves, session } from "../../src/testing/index.js";
import { counterexample, refute } from "./checks.js";

test("every request of a random session is accepted by every dialect's rules", () => {
  let requests = 0;
  const counted = judgedDialects.map(({ name, judge }) => ({
    name,
    judge: (request: Parameters<typeof judge>[0]) => {
      requests += 1;
      return judge(request);
    },
  }));
  const invariants = { everyRequestEncodes: everyRequestEncodes(counted) };
  const property = fc.property(session, moves(), (start, played) =>
    refute(faultsOf(invariants, playMoves(step, start, played))),
  );
  expect(counterexample(property, 120)).toBeUndefined();
  expect(requests).toBeGreaterThan(2000);
}, 120_000);
