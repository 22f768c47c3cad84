import * as fc from "fast-check";
import { expect, test } from "vitest";
import { newAgenda, type Happening } from "../../../src/simulation/agenda.js";

const answerTo = (effect: number): Happening => ({
  kind: "answer",
  effect,
  event: { type: "drainExpired", effect, turn: 1 },
});

test("entries come out by time, and in their order of entry at the same time", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 9 })), (times) => {
      const agenda = newAgenda();
      times.forEach((atMs, index) => agenda.enter(atMs, answerTo(index)));
      const expected = times
        .map((atMs, index) => ({ atMs, index }))
        .toSorted((a, b) => a.atMs - b.atMs || a.index - b.index);
      expect(times.map(() => agenda.next())).toEqual(
        expected.map(({ atMs, index }) => ({ atMs, happening: answerTo(index) })),
      );
      expect(agenda.next()).toBeUndefined();
    }),
  );
});

test("an answer can be taken back once", () => {
  const agenda = newAgenda();
  agenda.enter(5, answerTo(1));
  agenda.enter(5, answerTo(2));
  expect(agenda.withdraw(1)?.happening).toEqual(answerTo(1));
  expect(agenda.withdraw(1)).toBeUndefined();
  expect(agenda.next()?.happening).toEqual(answerTo(2));
});
