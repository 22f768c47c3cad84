import { expect, test } from "vitest";
import { createLater } from "../../../src/shell/later.js";
import { until } from "../../support/until.js";

test("what is done with something that is still to be read is done once it is there, in order, and what it leads to at once", async () => {
  const done: string[] = [];
  const later = createLater(async () => Promise.resolve("it"));
  later.use((it) => {
    done.push(`first with ${it}`);
    later.use(() => done.push("from within"));
    done.push("end of first");
  });
  later.use(() => done.push("second"));
  expect(done).toEqual([]);
  await until("the work", () => done.length === 4 || undefined);
  later.use(() => done.push("third"));
  expect(done).toEqual(["first with it", "from within", "end of first", "second", "third"]);
});

// Reading the reducer in the turn of the event loop in which session/new was answered held that answer up, since answers are
// written at the end of the turn. Kills a single setImmediate as well.
test("reading that may wait begins when the end of the turn of the event loop is over, and once", async () => {
  const happened: string[] = [];
  const later = createLater(async () => {
    happened.push("read");
    return Promise.resolve(undefined);
  });
  later.readSoon();
  later.readSoon();
  setImmediate(() => happened.push("answer written"));
  expect(later.isUsed()).toBe(false);
  await until("the reading", () => happened.includes("read") || undefined);
  expect(happened).toEqual(["answer written", "read"]);
});
