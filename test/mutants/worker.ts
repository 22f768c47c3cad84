// One worker of `npm run mutants`. The core that this is bundled with holds every mutant behind a switch; for each number that comes
// in, that mutant is switched on and all the judges look at it, cheapest first. The answer is the judge that saw it, or nothing.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import { step } from "../../src/core/index.js";
import {
  begin,
  explore,
  faultsOf,
  moves,
  observable,
  playMoves,
  repeatable,
  session,
  together,
} from "../../src/testing/index.js";
import { agreement } from "../properties/agreement.js";
import { choicesOf, digestOf, startOf, worlds } from "../properties/smallWorlds.js";
import { playTrace } from "../traces/language/play.js";

interface Switch {
  activeMutant: string | undefined;
}

const switches = globalThis as unknown as { __stryker__?: Switch };
const mutant = (switches.__stryker__ ??= { activeMutant: undefined });

const folder = path.join(process.argv[2] ?? "", "test/traces/golden");
const traces = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".txt"))
  .map((name) => ({ name, text: readFileSync(path.join(folder, name), "utf8") }));

const brokenTrace = (): string | undefined =>
  traces.find(({ text }) => {
    const played = playTrace(text);
    return played.text !== text || played.faults.length > 0;
  })?.name;

const random = fc.property(session, moves(), (start, played) => {
  const faults = faultsOf(observable, playMoves(step, start, played));
  if (faults.length > 0) throw new Error(faults[0]);
});

const laws = fc.property(session, moves(), (start, played) => {
  const faults = faultsOf(repeatable(step), playMoves(step, start, played));
  if (faults.length > 0) throw new Error(faults[0]);
});

const fails = <T>(property: fc.IProperty<T>, numRuns: number): string | undefined => {
  const { failed, errorInstance } = fc.check(property, { seed: 7, numRuns, endOnFailure: true });
  return failed ? String(errorInstance instanceof Error ? errorInstance.message.split("\n")[0] : "") : undefined;
};

/** The smallest of the small worlds; the others take minutes. */
const brokenWorld = (): string | undefined => {
  const world = worlds.at(-1);
  if (world === undefined) return undefined;
  const start = startOf({ ...world, left: { ...world.left, interventions: 1 } });
  const left = { ...world.left, interventions: 1 };
  const { broken } = explore(step, {
    start: begin(start.session),
    world: left,
    choices: choicesOf(world),
    digest: digestOf,
    judge: together(observable),
    see: () => undefined,
  });
  return broken?.faults[0];
};

/** Names of the judges to be asked; all of them unless some are named. */
const asked = (process.argv[3] ?? "").split(",").filter((name) => name !== "");

const judges: readonly (readonly [string, () => string | undefined])[] = [
  ["trace", brokenTrace],
  ["randomEvents", () => fails(random, 80)],
  ["commands", () => fails(agreement, 60)],
  ["laws", () => fails(laws, 6)],
  ["exhaustive", brokenWorld],
];

const killer = (): string | undefined => {
  for (const [name, judge] of judges) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    try {
      const found = judge();
      if (found !== undefined) return `${name}: ${found}`;
    } catch (error) {
      return `${name}: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return undefined;
};

process.on("message", (id: string) => {
  mutant.activeMutant = id === "" ? undefined : id;
  process.send?.({ id, killedBy: killer()?.slice(0, 200) });
});
