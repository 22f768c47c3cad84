/** What models can do: how a model's rows of the table are found (`spec/providers.md` 4 and 16.3). */
import { fromNullable, isSome, none, type Option, some } from "fp-ts/lib/Option.js";
import { assertNever } from "../core/never.js";
import type { Fallback, Family, Limits } from "./capabilitySchema.js";
import { capabilityTable } from "./capabilityTable.js";
import { EFFORTS, type Effort, type ProviderName } from "./settings.js";

/** Lower case, without the words that a catalogue puts before the model's own name (`databricks-claude-…`, `goose-claude-…`). */
export const ownName = (model: string): string => {
  const name = model.toLowerCase();
  const at = name.search(/(?<![a-z0-9])(?:claude|gpt|kimi)-/);
  return at < 0 ? name : name.slice(at);
};

interface Named {
  readonly names: readonly string[];
}

/** The row with the longest name that matches. */
const longest = <Row extends Named>(
  rows: readonly Row[],
  matches: (name: string, row: Row) => boolean,
): Option<Row> => {
  const found = rows.flatMap((row) =>
    row.names.filter((name) => matches(name, row)).map((name) => ({ row, length: name.length })),
  );
  return fromNullable(found.toSorted((left, right) => right.length - left.length)[0]?.row);
};

const beginsWithWord = (text: string, word: string): boolean =>
  text.startsWith(word) && !/^[a-z0-9]/.test(text.slice(word.length));

export const familyOf = (model: string): Option<Family> => {
  const own = ownName(model);
  return longest(capabilityTable.families, (name, { whole }) => (whole ? own === name : beginsWithWord(own, name)));
};

const isClaude = ({ thinking }: Family): boolean => thinking !== "effort";

/** Of Anthropic's own models. */
export const claudeFamily = (model: string): Option<Family> => {
  const family = familyOf(model);
  return isSome(family) && isClaude(family.value) ? family : none;
};

/** Of the models that take a level by name. */
export const effortFamily = (model: string): Option<Family> => {
  const family = familyOf(model);
  return isSome(family) && !isClaude(family.value) ? family : none;
};

/** `catalog.schema.service`, an operator's own name, which says nothing of the model behind it. */
export const unityService = (model: string): Option<string> => {
  const parts = model.split(".");
  const isName = parts.length === 3 && parts.every((part) => part !== "") && !/[\s/]/.test(model);
  return isName ? fromNullable(parts[2]) : none;
};

/** A family counts where the provider speaks its way of thinking. */
const familyAt = (provider: ProviderName, model: string): Option<Family> => {
  switch (provider) {
    case "anthropic":
      return claudeFamily(model);
    case "openai":
    case "deepseek":
    case "databricks":
      return effortFamily(model);
    case "databricks_v2":
      return isSome(unityService(model)) ? none : familyOf(model);
    case "openrouter":
    case "ollama":
    case "huggingface":
      return none;
  }
  return assertNever(provider);
};

/** With or without the word that Databricks puts before the names of models of its own catalogue. */
const exactEfforts = (provider: ProviderName, model: string): readonly Effort[] | undefined => {
  const id = model.toLowerCase().replace(/^databricks-/, "");
  return capabilityTable.exact.find((row) => row.provider === provider && row.ids.includes(id))?.efforts;
};

export interface Capabilities {
  readonly thinking: Fallback["thinking"];
  /** The levels that the model takes, weakest first. */
  readonly efforts: readonly Effort[];
  readonly default: Option<Effort>;
  /** Tokens; 0 where nothing is documented. */
  readonly window: number;
  readonly output: number;
  readonly images: Limits["images"];
}

/** Before a model is chosen, Databricks' gateway may serve any: every level can be chosen (spec/providers.md 4.5). */
const fallbackAt = (provider: ProviderName, model: string): Fallback =>
  provider === "databricks_v2" && model.trim() === ""
    ? { ...capabilityTable.fallbacks[provider], efforts: EFFORTS }
    : capabilityTable.fallbacks[provider];

/**
 * First the levels of exactly this model at this provider, then its family's, then the provider's fallback (16.3). An exact row
 * changes the levels alone; the default stays, as long as it is among them.
 */
export const capabilitiesOf = (provider: ProviderName, model: string): Capabilities => {
  const family = familyAt(provider, model);
  const known = isSome(family) ? family.value : fallbackAt(provider, model);
  const efforts = exactEfforts(provider, model) ?? known.efforts;
  const preset = known.default;
  return {
    thinking: known.thinking,
    efforts,
    default: preset !== "unset" && efforts.includes(preset) ? some(preset) : none,
    ...documentedLimits(model),
  };
};

/** Documented limits of a model: its window and longest reply in tokens, 0 where nothing is known, and whether it sees images. */
export const documentedLimits = (model: string): Pick<Capabilities, "window" | "output" | "images"> => {
  const words = `-${model.toLowerCase().replace(/[^a-z0-9.]+/g, "-")}-`;
  const row = longest(capabilityTable.limits, (name) => words.includes(`-${name}-`));
  if (row._tag === "None") return { window: 0, output: 0, images: "unknown" };
  const { window, output, images } = row.value;
  return { window, output, images };
};

/** Weakest first; the order in which levels are compared. */
export const ordinal = (level: string): number => EFFORTS.findIndex((each) => each === level);

/** Whether an OpenAI model is known to reason. */
export const reasons = (model: string): boolean =>
  isSome(effortFamily(model)) || /(?:^|[^a-z0-9])o[1-9](?:-|$)/i.test(model);
