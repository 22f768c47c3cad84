/** A level of thinking that a model does not take is replaced (spec/providers.md 4), and whoever chose it is told, once. */
import { isNone, toNullable } from "fp-ts/lib/Option.js";
import type { Settings } from "../../core/model.js";
import type { ProviderName } from "../../providers/settings.js";
import type { Log } from "../log.js";

/** Gives the settings back as they are. */
export const effortWarnings = (provider: ProviderName, log: Log): ((settings: Settings) => Settings) => {
  const judged = new Set<string>();
  return (settings) => {
    const key = JSON.stringify([settings.model, settings.effort]);
    if (isNone(settings.effort) || judged.has(key)) return settings;
    judged.add(key);
    void warn(provider, settings, settings.effort.value, log);
    return settings;
  };
};

/** What becomes of a level is read when one was chosen: most sessions have none. */
const warn = async (
  provider: ProviderName,
  { model, maxOutputTokens }: Settings,
  effort: string,
  log: Log,
): Promise<void> => {
  const { isEffort, sentEffort } = await import("../../providers/effort.js");
  if (!isEffort(effort)) return;
  const sent = toNullable(sentEffort(provider, model, effort, maxOutputTokens));
  if (sent !== effort)
    log("warn", "the model does not take the thinking effort", { model, effort, sent: sent ?? "nothing" });
};
