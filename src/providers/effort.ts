/** Thinking effort: what is asked for, and what the model gets (`spec/providers.md` 4). */
import { assertNever } from "../core/never.js";
import { none, type Option, some } from "fp-ts/lib/Option.js";
import { capabilitiesOf, claudeFamily, ordinal } from "./capabilities.js";
import { databricksRoute } from "./databricks.js";
import type { Effort, ProviderName } from "./settings.js";

export const isEffort = (text: string): text is Effort => ordinal(text) >= 0;

/** A level that the operator or client chose; one that does not exist counts as unset. */
export const chosenEffort = (effort: Option<string>): Option<Effort> =>
  effort._tag === "Some" && isEffort(effort.value) ? some(effort.value) : none;

/** `display` asks for readable thinking. Manual: a token budget inside the output limit. */
export type ClaudeThinking =
  | { readonly kind: "off" }
  | { readonly kind: "manual"; readonly budgetTokens: number }
  | { readonly kind: "adaptive"; readonly effort: Effort };

/** The smallest thinking budget, and the least that is left for the answer; tokens. */
const CLAUDE_TOKENS_MIN = 1024;

const BUDGETS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 0,
  low: 1024,
  medium: 8192,
  high: 32_768,
  xhigh: 32_768,
  max: 32_768,
};

/** `none` and `minimal` turn thinking off here: the dialect has no such levels. */
export const claudeThinking = (model: string, effort: Option<Effort>, maxOutputTokens: number): ClaudeThinking => {
  const family = claudeFamily(model);
  if (effort._tag === "None" || family._tag === "None") return { kind: "off" };
  const level = effort.value;
  if (level === "none" || level === "minimal") return { kind: "off" };
  switch (family.value.thinking) {
    case "omitted":
    case "effort":
      return { kind: "off" };
    case "manual": {
      const budgetTokens = Math.min(BUDGETS[level], maxOutputTokens - CLAUDE_TOKENS_MIN);
      return budgetTokens < CLAUDE_TOKENS_MIN ? { kind: "off" } : { kind: "manual", budgetTokens };
    }
    case "adaptive":
      return { kind: "adaptive", effort: atMost(level, family.value.efforts) };
  }
  return assertNever(family.value.thinking);
};

/** The strongest level that is taken and no stronger than the chosen one. */
const atMost = (effort: Effort, supported: readonly Effort[]): Effort =>
  supported.findLast((level) => ordinal(level) <= ordinal(effort)) ?? effort;

/** The level that is sent on Chat and Responses: the chosen one, or the nearest that the model takes there. */
export const openAiEffort = (provider: ProviderName, model: string, effort: Effort): Effort =>
  nearest(effort, capabilitiesOf(provider, model).efforts);

/** `none` and `minimal` stand for each other; otherwise the smallest distance, the higher level on ties. */
const nearest = (effort: Effort, supported: readonly Effort[]): Effort => {
  if (supported.includes(effort)) return effort;
  const peer: Effort = effort === "none" ? "minimal" : "none";
  if ((effort === "none" || effort === "minimal") && supported.includes(peer)) return peer;
  const distance = (level: Effort): number =>
    Math.abs(ordinal(level) - ordinal(effort)) * 2 - (ordinal(level) > ordinal(effort) ? 1 : 0);
  return supported.reduce((best, level) => (distance(level) < distance(best) ? level : best), supported[0] ?? effort);
};

/** What is really sent for a chosen level; none where the model gets no field at all. */
export const sentEffort = (
  provider: ProviderName,
  model: string,
  effort: Effort,
  maxOutputTokens: number,
): Option<Effort> => {
  switch (provider) {
    case "anthropic":
      return claudeEffort(model, effort, maxOutputTokens);
    case "databricks_v2":
      return databricksRoute(model) === "messages"
        ? claudeEffort(model, effort, maxOutputTokens)
        : some(openAiEffort(provider, model, effort));
    case "openai":
    case "deepseek":
    case "databricks":
    case "openrouter":
      return some(openAiEffort(provider, model, effort));
    case "ollama":
    case "huggingface":
      return none;
  }
  return assertNever(provider);
};

const claudeEffort = (model: string, effort: Effort, maxOutputTokens: number): Option<Effort> => {
  const thinking = claudeThinking(model, some(effort), maxOutputTokens);
  switch (thinking.kind) {
    case "off":
      return none;
    case "manual":
      return some(effort);
    case "adaptive":
      return some(thinking.effort);
  }
  return assertNever(thinking);
};
