/**
 * Seeds of all properties. Everywhere they are fixed unless TURNFOLD_SEED says otherwise, so that a red run is red for everybody;
 * `npm run fuzz` is for fresh ones.
 */
import { check, defaultReportMessage, type IRawProperty } from "fast-check";

const asked = process.env["TURNFOLD_SEED"];

export const seed: number = asked === undefined || asked === "" ? 20240229 : Number(asked);
if (!Number.isSafeInteger(seed)) throw new Error(`TURNFOLD_SEED is an integer, not ${JSON.stringify(asked)}`);

/** Undefined when the property holds in `numRuns` cases; otherwise the report of its failure, with seed and path. */
export const counterexample = <T>(property: IRawProperty<T, false>, numRuns: number): string | undefined => {
  const details = check(property, { seed, numRuns });
  return details.failed ? defaultReportMessage(details) : undefined;
};

/** Fails the case at hand when there are faults, and names them. */
export const refute = (faults: readonly string[]): void => {
  if (faults.length > 0) throw new Error(faults.join("\n"));
};
