/** `run.json`: what a folder of results was made from. A run goes on only with exactly that. */
import { readFile } from "node:fs/promises";
import { scenarioCodec } from "../../simulation/scenarioCodec.js";
import type { Variant } from "../../simulation/vary.js";

/** Counts up when the same scenario gives other sessions than before. */
const WORLD = 1;

/** `fit`: what was fitted to recorded sessions, in words. */
export const runText = (
  version: string,
  seed: number,
  variants: readonly Variant[],
  fit: readonly string[],
): string => {
  const run = {
    turnfoldSimulation: WORLD,
    version,
    seed,
    fit,
    variants: variants.map(({ name, scenario }) => ({ name, scenario: scenarioCodec.encode(scenario) })),
  };
  return `${JSON.stringify(run, null, 2)}\n`;
};

/** The text of a file, or undefined when there is none. */
export const textIfThere = async (file: string): Promise<string | undefined> => {
  try {
    return await readFile(file, "utf8");
  } catch (fault) {
    if (fault instanceof Error && "code" in fault && fault.code === "ENOENT") return undefined;
    throw fault;
  }
};
