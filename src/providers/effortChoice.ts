/** What a person can choose: apart from what is sent for it, which no session needs before it asks its model. */
import type { Option } from "fp-ts/lib/Option.js";
import { capabilitiesOf } from "./capabilities.js";
import type { Effort, ProviderName } from "./settings.js";

/** The levels to choose from, and the one that the model uses by itself. */
export interface EffortChoice {
  readonly efforts: readonly Effort[];
  readonly default: Option<Effort>;
}

/** What a person can choose for a model (spec/providers.md 4.5); no levels where the provider takes no effort at all. */
export const effortChoice = (provider: ProviderName, model: string): EffortChoice => {
  const { efforts, default: preset } = capabilitiesOf(provider, model);
  return { efforts, default: preset };
};
