/** What one turn used, from two cumulative snapshots (`spec/usage.md` 3.4). */
import { isNone, isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import { costSince, tokensSince, zipCounts, type Counts } from "./counts.js";

/** Whether input or output is, or ever was, missing in what the session reported. */
export interface Absence {
  readonly input: boolean;
  readonly output: boolean;
}

export const present: Absence = { input: false, output: false };

export const absenceOf = (counts: Counts): Absence => ({ input: isNone(counts.input), output: isNone(counts.output) });

export const eitherAbsent = (a: Absence, b: Absence): Absence => ({
  input: a.input || b.input,
  output: a.output || b.output,
});

const fell = <A extends bigint | number>(before: Option<A>, now: Option<A>): boolean =>
  isSome(before) && isSome(now) && now.value < before.value;

/**
 * The turn's own counts, or None where they are not reliable: input or output was missing at any time, has no known baseline, or
 * fell; or the cost fell. Each other figure is known or not on its own.
 */
export const turnCounts = (baseline: Counts, now: Counts, absent: Absence): Option<Counts> => {
  const unreliable =
    absent.input ||
    absent.output ||
    isNone(tokensSince(baseline.input, now.input)) ||
    isNone(tokensSince(baseline.output, now.output)) ||
    fell(baseline.costUsd, now.costUsd);
  return unreliable ? none : some(zipCounts(baseline, now, tokensSince, costSince));
};
