/** What a model gets asked with: the operator's choice, else what is documented of the model, else the default. */
import * as O from "fp-ts/lib/Option.js";
import type { Settings } from "../../core/model.js";
import { pricingAuthority } from "../../providers/authority.js";
import { documentedLimits } from "../../providers/capabilities.js";
import { DEFAULT_OUTPUT_TOKENS, DEFAULT_WINDOW_TOKENS } from "../../providers/settings.js";
import type { Config } from "../config/config.js";

type Chosen = Pick<Config, "provider" | "windowTokens" | "outputTokens">;

/** 0 stands for unknown in the table. */
const orElse = (documented: number, fallback: number): number => (documented > 0 ? documented : fallback);

export const modelSettings = (
  { provider, windowTokens, outputTokens }: Chosen,
  model: string,
  effort: O.Option<string>,
): Settings => {
  const documented = documentedLimits(model);
  const window = O.getOrElse(() => orElse(documented.window, DEFAULT_WINDOW_TOKENS))(windowTokens);
  // A model's maximum is no sensible default: what is reserved for one reply is missing for the conversation. It only lowers.
  const output = O.getOrElse(() => Math.min(orElse(documented.output, Infinity), DEFAULT_OUTPUT_TOKENS))(outputTokens);
  return {
    model,
    effort,
    windowTokens: window,
    // The environment was judged for the configured model; another one may have a window that its reply would fill.
    maxOutputTokens: output < window ? output : Math.max(1, Math.floor(window / 2)),
    authority: pricingAuthority(provider.baseUrl),
  };
};
