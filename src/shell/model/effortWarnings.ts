/** A level of thinking that a model does not take is replaced (spec/providers.md 4), and whoever chose it is told, once. */
import { isNone, toNullable } from "fp-ts/lib/Option.js";
import type { Settings } from "../../core/model.js";
import { isEffort, sentEffort } from "../../providers/effort.js";
import type { ProviderName } from "../../providers/settings.js";
import type { Log } from "../log.js";

/** Gives the settings back as they are. */
export const effortWarnings = (provider: ProviderName, log: Log): ((settings: Settings) => Settings) => {
  const told = new Set<string>();
  return (settings) => {
    const { model, effort, maxOutputTokens } = settings;
    if (isNone(effort) || !isEffort(effort.value)) return settings;
    const sent = toNullable(sentEffort(provider, model, effort.value, maxOutputTokens));
    const key = JSON.stringify([model, effort.value]);
    if (sent === effort.value || told.has(key)) return settings;
    told.add(key);
    log("warn", "the model does not take the thinking effort", {
      model,
      effort: effort.value,
      sent: sent ?? "nothing",
    });
    return settings;
  };
};
