/** What a table of capabilities is. In a file of its own, so that whoever only looks a model up does not read io-ts. */
import * as t from "io-ts";

const effort = t.keyof({ none: null, minimal: null, low: null, medium: null, high: null, xhigh: null, max: null });

const levels = {
  /** `manual`, `adaptive`: Anthropic's fields; `effort`: one level by name; `omitted`: levels are offered, no field is sent. */
  thinking: t.keyof({ manual: null, adaptive: null, effort: null, omitted: null }),
  /** Weakest first. */
  efforts: t.readonlyArray(effort),
  /** The level that the model uses by itself. */
  default: t.union([effort, t.literal("unset")]),
};

export const Family = t.readonly(
  t.type({
    /** Lower case. Begin the model's own name, and end where a word ends. */
    names: t.readonlyArray(t.string),
    /** A name is the whole name: a dated one is another model. */
    whole: t.boolean,
    ...levels,
    /** By which dialect Databricks' AI gateway serves it. */
    route: t.keyof({ responses: null, messages: null, chat: null }),
  }),
);

/** A model of one host that takes other levels there than its family does elsewhere. */
const Exact = t.readonly(
  t.type({ provider: t.literal("databricks_v2"), ids: t.readonlyArray(t.string), efforts: t.readonlyArray(effort) }),
);

/** What a provider's model takes that no other row knows. */
const Fallback = t.readonly(t.type(levels));

export const Limits = t.readonly(
  t.type({
    /** Lower case. Stand anywhere in the model's id, as words of their own. */
    names: t.readonlyArray(t.string),
    /** Tokens; 0 where nothing is documented. */
    window: t.number,
    output: t.number,
    images: t.keyof({ yes: null, no: null, unknown: null }),
  }),
);

export const CapabilityTable = t.readonly(
  t.type({
    families: t.readonlyArray(Family),
    exact: t.readonlyArray(Exact),
    fallbacks: t.readonly(
      t.type({
        anthropic: Fallback,
        openai: Fallback,
        deepseek: Fallback,
        databricks: Fallback,
        databricks_v2: Fallback,
        openrouter: Fallback,
        ollama: Fallback,
        huggingface: Fallback,
      }),
    ),
    limits: t.readonlyArray(Limits),
  }),
);
export type CapabilityTable = t.TypeOf<typeof CapabilityTable>;
export type Family = t.TypeOf<typeof Family>;
export type Limits = t.TypeOf<typeof Limits>;
export type Fallback = t.TypeOf<typeof Fallback>;
