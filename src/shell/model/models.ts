/** The configured provider, ready to be asked. Nothing is connected, and undici is not read, before the first request. */
import type { Config } from "../config/config.js";
import { dialectFor, demandsResponses, effortChoice } from "../../providers/index.js";
import { fetchCatalogue, isDatabricks } from "../catalogue/catalogue.js";
import type { Models } from "../agent/choices.js";
import type { Log } from "../log.js";
import type { Secrets } from "../secrets.js";
import { systemClock } from "./clock.js";
import { openConnections, type Connections } from "./dispatcher.js";
import { createModelList } from "./modelList.js";
import { createModelPort } from "./port.js";
import { createSend, type Send } from "./send.js";
import { modelSettings } from "./settings.js";
import { effortWarnings } from "./effortWarnings.js";
import { openCredential } from "./openCredential.js";

/** Among `TURNFOLD_MODELS`: whatever the host lists. */
const ASK_HOST = "*";

export interface OpenedModels extends Models {
  /** Ends the connections, if there are any. */
  readonly close: () => Promise<void>;
}

export const openModels = (config: Config, { redact, add }: Secrets, log: Log): OpenedModels => {
  const { provider, limits } = config;
  let opened: Promise<Connections> | undefined;
  const send = async (): Promise<Send> => {
    opened ??= openConnections(config.network, limits);
    return createSend(await opened, limits, redact);
  };
  const credential = openCredential(config, send, add, log);
  const port = createModelPort({
    title: provider.title,
    dialects: {
      dialectFor: (model, upgraded) => dialectFor(provider, model, upgraded),
      demandsUpgrade: (failure) => demandsResponses(provider, failure),
    },
    credential,
    send,
    limits,
    clock: systemClock,
    random: Math.random,
    log,
    redact,
  });
  const warned = effortWarnings(provider.name, log);
  const fetch = () =>
    fetchCatalogue({ provider, filter: config.modelFilter, credential, send, clock: systemClock, log });
  return {
    port,
    configured: config.model,
    effort: config.effort,
    settings: (model, effort) => warned(modelSettings(config, model, effort)),
    efforts: (model) => effortChoice(provider.name, model),
    list: createModelList({
      configured: config.model,
      listed: config.models.filter((id) => id !== ASK_HOST),
      fetch: isDatabricks(provider) || config.models.includes(ASK_HOST) ? fetch : undefined,
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
