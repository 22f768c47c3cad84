// Small worlds in full: every reply, every outcome, a cancel or a steer at every point, in every order of answers. Each transition
// is judged by every invariant, and wherever a turn has ended the next prompt must work.
//
// Mutations that this kills, each tried: test/properties/mutations.md.

import { describe, expect, test } from "vitest";
import { step } from "../../src/core/index.js";
import { explore, observable, together, type Explored } from "../../src/testing/index.js";
import { createDiagram } from "./diagram.js";
import { choicesOf, digestOf, startOf, worlds, type SmallWorld } from "./smallWorlds.js";

const diagram = createDiagram();

const explored = (world: SmallWorld): Explored =>
  explore(step, {
    start: startOf(world),
    world: world.left,
    choices: choicesOf(world),
    digest: digestOf,
    judge: together(observable),
    see: diagram.see,
  });

const eventsOf = ({ broken }: Explored) =>
  broken && { faults: broken.faults, events: broken.path.map(({ event }) => event) };

describe("every invariant holds in all small worlds", () => {
  test.each(worlds)(
    "$name",
    (world) => {
      const begun = performance.now();
      const found = explored(world);
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      const { states, transitions, paths } = found;
      console.log(`${world.name}: ${paths} worlds, ${states} states, ${transitions} transitions, ${seconds} s`);
      expect(eventsOf(found)).toBeUndefined();
      expect(paths).toBeGreaterThan(1000);
    },
    300_000,
  );
});

test("the state diagram in the documents is what the worlds went through", async () => {
  await expect(diagram.render()).toMatchFileSnapshot("../../docs/state-diagram.md");
});
