/** Variants of a scenario: one value of the file replaced by others. */
import { isLeft, left, right, type Either } from "fp-ts/lib/Either.js";
import type { Scenario } from "./scenario.js";
import { readScenario } from "./scenarioCodec.js";

/** A place in the scenario's file, and what stands there in turn. */
export interface Variation {
  /** Keys with dots between them; the entries of a list are numbered from 0. */
  readonly path: string;
  /** JSON values. */
  readonly values: readonly unknown[];
}

export interface Variant {
  /** `path=value` for each variation; "" when there is none. */
  readonly name: string;
  readonly scenario: Scenario;
}

type Plain = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The JSON value with another value at the path; what was not there is made. */
export const replaced = (json: unknown, [key, ...rest]: readonly string[], value: unknown): unknown => {
  if (key === undefined) return value;
  if (Array.isArray(json)) {
    return json.map((item: unknown, index) => (String(index) === key ? replaced(item, rest, value) : item));
  }
  const before = isPlain(json) ? json : {};
  const old = Object.hasOwn(before, key) ? before[key] : undefined;
  return Object.fromEntries([
    ...Object.entries(before).filter(([name]) => name !== key),
    [key, replaced(old, rest, value)],
  ]);
};

interface Draft {
  readonly name: string;
  readonly json: unknown;
}

const spread = (drafts: readonly Draft[], { path, values }: Variation): readonly Draft[] =>
  drafts.flatMap(({ name, json }) =>
    values.map((value) => ({
      name: [...(name === "" ? [] : [name]), `${path}=${JSON.stringify(value)}`].join(" "),
      json: replaced(json, path.split("."), value),
    })),
  );

/** Every combination of the variations' values. Left: one line about the first that is no scenario. */
export const variantsOf = (json: unknown, variations: readonly Variation[]): Either<string, readonly Variant[]> => {
  const variants: Variant[] = [];
  for (const draft of variations.reduce<readonly Draft[]>(spread, [{ name: "", json }])) {
    const read = readScenario(draft.json);
    if (isLeft(read)) return left(draft.name === "" ? read.left : `with ${draft.name}: ${read.left}`);
    variants.push({ name: draft.name, scenario: read.right });
  }
  return right(variants);
};
