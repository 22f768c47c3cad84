// One worker of `npm run fuzz`: property after property, each with a seed of its own, until the time is over or one fails.

import * as fc from "fast-check";
import { step, type Session } from "../../src/core/index.js";
import {
  deepFreeze,
  eventLog,
  faultsOf,
  moves,
  observable,
  playMoves,
  repeatable,
  session,
  type Move,
  type Run,
} from "../../src/testing/index.js";

const [firstSeed = 0, stride = 1, until = 0] = process.argv.slice(2).map(Number);
const casesOfASeed = 200;
const all = { ...observable, ...repeatable(step) };
const frozenStep: typeof step = (state, event) => step(deepFreeze(state), deepFreeze(event));

const count = { cases: 0, events: 0 };

const property = fc.property(session, moves(), (start, played) => {
  const run = playMoves(frozenStep, start, played);
  count.cases += 1;
  count.events += run.length;
  const faults = faultsOf(all, run);
  if (faults.length > 0) throw new Error(faults.join("\n"));
});

/** The run as far as it goes: a step that throws ends it. */
const runOf = (start: Session, played: readonly Move[]): Run => {
  for (let length = played.length; length > 0; length -= 1) {
    try {
      return playMoves(step, start, played.slice(0, length));
    } catch {
      continue;
    }
  }
  return [];
};

const search = (): void => {
  for (let seed = firstSeed; Date.now() < until; seed += stride) {
    const details = fc.check(property, { seed, numRuns: casesOfASeed });
    if (details.failed && details.counterexample !== null) {
      const [start, played] = details.counterexample;
      const report = fc.defaultReportMessage(details) ?? "";
      process.send?.({
        ...count,
        failure: {
          seed,
          report: report.slice(0, 4000),
          log: eventLog(
            start,
            runOf(start, played).map(({ event }) => event),
          ),
        },
      });
      return;
    }
    process.send?.({ ...count });
  }
};

search();
process.disconnect?.();
