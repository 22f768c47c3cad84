/** Model families and what they can do: the schema of the table, and how a model's row is found. */
import { fromNullable, type Option } from "fp-ts/lib/Option.js";
import * as t from "io-ts";
import { capabilityTable } from "./capabilityTable.js";
import { EFFORTS } from "./settings.js";

const effort = t.keyof({ none: null, minimal: null, low: null, medium: null, high: null, xhigh: null, max: null });

/** Tokens; 0 where nothing is documented. */
const limits = { window: t.number, output: t.number };

export const ClaudeFamily = t.readonly(
  t.type({
    prefix: t.string,
    /** The prefix is the whole name: a dated name is another model. */
    exact: t.boolean,
    thinking: t.keyof({ manual: null, adaptive: null, none: null }),
    xhigh: t.boolean,
    ...limits,
  }),
);

export const OpenAiFamily = t.readonly(
  t.type({
    /** Looked for anywhere in the name. */
    tokens: t.readonlyArray(t.string),
    /** What follows a base token may be a date or a variant, but no version of its own. */
    base: t.boolean,
    efforts: t.readonlyArray(effort),
    default: effort,
    ...limits,
  }),
);

/** Models of which no effort is known, but how much they take. */
export const OtherFamily = t.readonly(
  t.type({
    /** Stands in the model's id as words of its own. */
    name: t.string,
    ...limits,
  }),
);

export const CapabilityTable = t.readonly(
  t.type({
    claude: t.readonlyArray(ClaudeFamily),
    openai: t.readonlyArray(OpenAiFamily),
    others: t.readonlyArray(OtherFamily),
  }),
);
export type CapabilityTable = t.TypeOf<typeof CapabilityTable>;
export type ClaudeFamily = t.TypeOf<typeof ClaudeFamily>;
export type OpenAiFamily = t.TypeOf<typeof OpenAiFamily>;
export type OtherFamily = t.TypeOf<typeof OtherFamily>;

/** A catalogue puts words before the model's own name (`databricks-claude-…`, `goose-claude-…`); spec/providers.md 4.3, step 1. */
export const withoutPrefix = (model: string): string => {
  const at = model.search(/claude-|gpt-/i);
  return at < 0 ? model : model.slice(at);
};

/** Case-sensitive, as the prior art is. */
export const claudeFamily = (model: string): Option<ClaudeFamily> => {
  const name = withoutPrefix(model);
  return fromNullable(
    capabilityTable.claude.find(({ prefix, exact }) => (exact ? name === prefix : name.startsWith(prefix))),
  );
};

export const openAiFamily = (model: string): Option<OpenAiFamily> => {
  const name = model.toLowerCase();
  return fromNullable(
    capabilityTable.openai.find(({ tokens, base }) =>
      tokens.some((token) => tailsOf(name, token).some(base ? isBaseTail : isVersionTail)),
    ),
  );
};

/** What follows each occurrence of `token`. */
const tailsOf = (name: string, token: string): readonly string[] => {
  const tails: string[] = [];
  for (let at = name.indexOf(token); at >= 0; at = name.indexOf(token, at + 1))
    tails.push(name.slice(at + token.length));
  return tails;
};

const isVersionTail = (tail: string): boolean => tail === "" || tail.startsWith("-");

/** `-mini`, a date of four digits or more, or `-4o`; not `.1`, `-10` or `-2`, which are versions (spec/providers.md 4.4). */
const isBaseTail = (tail: string): boolean => tail === "" || /^-(?:(?![0-9])|[0-9]{4}|[0-9]{1,3}[a-z])/.test(tail);

const otherFamily = (model: string): Option<OtherFamily> => {
  const words = `-${model.toLowerCase().replace(/[^a-z0-9.]+/g, "-")}-`;
  return fromNullable(capabilityTable.others.find(({ name }) => words.includes(`-${name}-`)));
};

/** Documented limits of a model, in tokens; 0 where nothing is known. */
export const documentedLimits = (model: string): { readonly window: number; readonly output: number } => {
  for (const family of [claudeFamily(model), openAiFamily(model), otherFamily(model)]) {
    if (family._tag === "Some") return { window: family.value.window, output: family.value.output };
  }
  return { window: 0, output: 0 };
};

/** Weakest first; the order in which levels are compared. */
export const ordinal = (level: string): number => EFFORTS.findIndex((each) => each === level);

/** Whether an OpenAI model is known to reason. */
export const reasons = (model: string): boolean =>
  openAiFamily(model)._tag === "Some" || /(?:^|[^a-z0-9])o[1-9](?:-|$)/i.test(model);
