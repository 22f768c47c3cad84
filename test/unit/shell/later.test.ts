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

// Reading the reducer in the turn of the event loop in which session/new was answered held that answer up.
test("reading that may wait begins in the next turn of the event loop, and once", async () => {
  const happened: string[] = [];
  const later = createLater(async () => {
    happened.push("read");
    return Promise.resolve(undefined);
  });
  later.readSoon();
  later.readSoon();
  expect(later.isUsed()).toBe(false);
  await Promise.resolve();
  happened.push("answered");
  await until("the reading", () => happened.includes("read") || undefined);
  expect(happened).toEqual(["answered", "read"]);
});
