import { expect, test } from "vitest";
import { createLater } from "../../../src/shell/later.js";
import { until } from "../../support/until.js";

test("what is done with something that is still to be read is done once it is there, in order, and what it leads to at once", async () => {
  const done: string[] = [];
  const later = createLater(async () => Promise.resolve({ name: "it" }));
  later.use(({ name }) => {
    done.push(`first with ${name}`);
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
    return Promise.resolve({});
  });
  later.readSoon();
  later.readSoon();
  expect(later.isWanted()).toBe(false);
  await Promise.resolve();
  happened.push("answered");
  await until("the reading", () => happened.includes("read") || undefined);
  expect(happened).toEqual(["answered", "read"]);
});

// A fault in what one session wanted done ended the loop over what waited: a prompt of another session was never answered.
test("a fault in one piece of work comes up, and costs none of those behind it", async () => {
  const done: string[] = [];
  const faults: unknown[] = [];
  const before = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", (fault) => faults.push(fault));
  const later = createLater(async () => Promise.resolve({}));
  const fault = new Error("ours");
  later.use(() => {
    throw fault;
  });
  later.use(() => done.push("behind it"));
  try {
    await until("the fault and the work", () => faults.length === 1 && done.length === 1);
  } finally {
    process.removeAllListeners("uncaughtException");
    for (const listener of before) process.on("uncaughtException", listener);
  }
  expect(faults).toEqual([fault]);
});
