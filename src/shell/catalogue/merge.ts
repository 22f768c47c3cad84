/** One catalogue out of the listings: in order, without doubles, filtered, with names for people. */
import * as O from "fp-ts/lib/Option.js";
import type { ModelChoice } from "../agent/choices.js";
import type { ListedModel } from "./page.js";

const byName = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : 0;

/** Newest first, those without a date last, names decide between equals. */
export const newestFirst = (a: ListedModel, b: ListedModel): number => {
  const time = (model: ListedModel) => O.getOrElse(() => -1)(model.createdAt);
  return time(b) - time(a) || byName(a, b);
};

/** `*` any characters, `?` one; the whole id, case counts. */
const patternOf = (glob: string): RegExp => {
  const source = Array.from(glob, (character) => {
    if (character === "*") return ".*";
    return character === "?" ? "." : character.replace(/[\\^$.|+()[\]{}/]/, String.raw`\$&`);
  });
  return new RegExp(`^${source.join("")}$`, "su");
};

/** Words that a catalogue puts before the model's own name. */
const WRAPPER = /^(?:databricks|k?goose|builderbot)-(?=.)/;

const nameOf = (id: string): string => id.replace(WRAPPER, "");

/** Shown where the host lists nothing at all: what a fresh workspace serves. */
const DEFAULTS: readonly ModelChoice[] = ["databricks-gpt-5-5", "databricks-claude-opus-4-7"].map((id) => ({
  id,
  name: `${nameOf(id)} (default catalog)`,
}));

/** `sorted`: endpoints in the host's or our order; `services` go behind them by name. An empty filter lets everything pass. */
export const mergeListings = (
  endpoints: readonly ListedModel[],
  services: readonly ListedModel[],
  filter: readonly string[],
): readonly ModelChoice[] => {
  const ids = [...new Set([...endpoints, ...services.toSorted(byName)].map(({ id }) => id))];
  if (ids.length === 0 && filter.length === 0) return DEFAULTS;
  const patterns = filter.map(patternOf);
  const kept = filter.length === 0 ? ids : ids.filter((id) => patterns.some((pattern) => pattern.test(id)));
  return kept.map((id) => ({ id, name: nameOf(id) }));
};
