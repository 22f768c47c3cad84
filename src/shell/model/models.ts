/**
 * The configured provider: what can be chosen there, and whoever asks it. Nothing that asks has been read before the first
 * request, be it for a reply or for the host's list of models.
 */
import type { Config } from "../config/config.js";
import { effortChoice } from "../../providers/effortChoice.js";
import { isDatabricks } from "../../providers/settings.js";
import type { Models } from "../agent/choices.js";
import type { Log } from "../log.js";
import type { Secrets } from "../secrets.js";
import { systemClock } from "./clock.js";
import { createModelList } from "./modelList.js";
import type { Asking } from "./asking.js";
import { modelSettings } from "./settings.js";
import { effortWarnings } from "./effortWarnings.js";

/** Among `TURNFOLD_MODELS`: whatever the host lists. */
const ASK_HOST = "*";

export interface OpenedModels extends Models {
  /** Ends the connections, if there are any. */
  readonly close: () => Promise<void>;
}

export const openModels = (config: Config, secrets: Secrets, log: Log): OpenedModels => {
  const { provider, limits } = config;
  let opened: Promise<Asking> | undefined;
  const open = async (): Promise<Asking> => (await import("./asking.js")).openAsking(config, secrets, log);
  const asking = (): Promise<Asking> => (opened ??= open());
  const warned = effortWarnings(provider.name, log);
  return {
    port: {
      call: async (...order) => (await asking()).port.call(...order),
      summarise: async (...order) => (await asking()).port.summarise(...order),
    },
    configured: config.model,
    effort: config.effort,
    settings: (model, effort) => warned(modelSettings(config, model, effort)),
    efforts: (model) => effortChoice(provider.name, model),
    list: createModelList({
      configured: config.model,
      listed: config.models.filter((id) => id !== ASK_HOST),
      fetch:
        isDatabricks(provider) || config.models.includes(ASK_HOST)
          ? async () => (await asking()).listModels()
          : undefined,
      refusesSession: isDatabricks(provider) && config.credential.kind === "key",
      timeoutMs: limits.modelListMs,
      clock: systemClock,
      log,
    }),
    close: async () => {
      await (await opened)?.close();
    },
  };
};
