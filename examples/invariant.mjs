// An invariant of one's own, and a bug that it finds: random sessions are played against a `step` with a planted fault, what
// fails is shrunk by fast-check, and the event log that is left is printed. `node examples/invariant.mjs > found.ndjson`, then
// `turnfold replay found.ndjson` shows it as a transcript.
import * as fc from "fast-check";
import { step } from "turnfold";
import { eventLog, faultsOf, moves, neededOf, playMoves, session } from "turnfold/testing";

/** The planted bug: whoever embeds the loop drops what is told of cancelled calls, so the client shows them running for ever. */
const buggyStep = (state, event) => {
  const [next, effects] = step(state, event);
  const isLost = ({ type, update }) =>
    type === "publish" && update.kind === "toolFinished" && update.finish.kind === "cancelled";
  return [next, effects.filter((effect) => !isLost(effect))];
};

/** The invariant: when a prompt is answered, the client has heard the end of every call that it was told of. */
const noCallIsLeftRunning = (run) => {
  const open = new Set();
  const faults = [];
  for (const { effects } of run) {
    for (const effect of effects) {
      if (effect.type === "publish" && effect.update.kind === "toolAnnounced") open.add(effect.update.key);
      if (effect.type === "publish" && effect.update.kind === "toolFinished") open.delete(effect.update.key);
      if (effect.type === "answerPrompt" && open.size > 0) faults.push(`left running: ${[...open].join(", ")}`);
    }
  }
  return faults;
};

/** The package's own invariants (`observable`) would stand beside it here. */
const invariants = { noCallIsLeftRunning };
const faultsUnder = (stepUnderTest, start, played) => faultsOf(invariants, playMoves(stepUnderTest, start, played));
const judge = (stepUnderTest) =>
  fc.check(
    fc.property(session, moves(), (start, played) => {
      const faults = faultsUnder(stepUnderTest, start, played);
      if (faults.length > 0) throw new Error(faults.join("\n"));
    }),
    { seed: 1, numRuns: 200 },
  );

if (judge(step).failed) throw new Error("the loop itself is at fault");
const { counterexample } = judge(buggyStep);
if (counterexample === null) throw new Error("the planted bug was not found");
const [start, played] = counterexample;
const needed = neededOf(played, (moves) => faultsUnder(buggyStep, start, moves).length > 0);
console.error(`${faultsUnder(buggyStep, start, needed).join("\n")}\n${needed.length} events are left`);
const events = playMoves(buggyStep, start, needed).map(({ event }) => event);
console.log(eventLog(start, events).trimEnd());
