// Model-based commands: the session beside a naive model of history, usage and answers that was written from the specification.
// After every command the two must agree on the phase, on what the model would be shown, and on every counter.
//
// Mutations that this kills, each tried: test/properties/mutations.md.

import { expect, test } from "vitest";
import { agreement, played } from "./agreement.js";
import { counterexample } from "./checks.js";

test("the session agrees with a naive model of history, usage and answers", () => {
  expect(counterexample(agreement, 1000)).toBeUndefined();
  const counts = Object.entries(played).map(([phase, count]) => `${phase} ${count}`);
  console.log(`commands by phase: ${counts.join(", ")}`);
  for (const [phase, count] of Object.entries(played)) expect(count, `commands in ${phase}`).toBeGreaterThan(100);
}, 240_000);
