// Four sessions that got replies of 1 MiB at once held the event loop for 61 ms, since all of them were read, told to the client and
// answered with the next request in one turn of it. It kills: a limit that everybody passes before anybody has begun to work, a queue
// that lets all go on in one later turn, one that forgets the order or never ends.
import { stat } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { defaultShellLimits } from "../../../src/core/policy.js";
import { takeLoopTurn } from "../../../src/shell/loopTurns.js";

const work = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

/** Counts the turns of the event loop until it is stopped. */
const countTurns = () => {
  let turn = 0;
  let next = setImmediate(function again() {
    turn += 1;
    next = setImmediate(again);
  });
  return { now: () => turn, stop: () => clearImmediate(next) };
};

test("Work that uses up a turn of the event loop is begun once in each, in the order of the calls, with what follows from it.", async () => {
  const turns = countTurns();
  const begun: { readonly who: number; readonly turn: number }[] = [];
  const all = Array.from({ length: 6 }, async (_, who) => {
    await takeLoopTurn();
    begun.push({ who, turn: turns.now() });
    // As a reply does it: something is done now, and more when promises of the same turn have resolved.
    await Promise.resolve();
    work(defaultShellLimits.loopTurnMs + 1);
  });
  await Promise.all(all);
  turns.stop();
  expect(begun.map(({ who }) => who)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(new Set(begun.map(({ turn }) => turn)).size).toBe(6);
});

// The turn was over at its own end, before any timer or frame had a chance.
test("Between two pieces of such work there is time for a timer that is due.", async () => {
  const order: string[] = [];
  const piece = async (name: string): Promise<void> => {
    await takeLoopTurn();
    order.push(name);
    work(defaultShellLimits.loopTurnMs + 1);
  };
  // That of the test before is over then.
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  // In the callback of a file, as in a socket's, immediates come before timers.
  await new Promise<void>((resolve) => {
    stat(".", () => {
      setTimeout(() => order.push("timer"), 1);
      void Promise.all([piece("first"), piece("second")]).then(() => resolve());
    });
  });
  expect(order).toEqual(["first", "timer", "second"]);
});

test("Whatever is thrown behind a turn, the next one comes.", async () => {
  const failing = takeLoopTurn().then(() => {
    throw new Error("a fault");
  });
  const next = takeLoopTurn();
  await expect(failing).rejects.toThrow("a fault");
  await expect(next).resolves.toBeUndefined();
});
