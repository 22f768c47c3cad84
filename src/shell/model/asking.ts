/** Whatever asks the configured provider, over one pool of connections, which is opened by the first request. */
import type { Either } from "fp-ts/lib/Either.js";
import type { ModelFailure } from "../../core/model.js";
import { dialectFor } from "../../providers/registry.js";
import { demandsResponses } from "../../providers/upgrade.js";
import type { ModelChoice } from "../agent/choices.js";
import { fetchCatalogue } from "../catalogue/catalogue.js";
import type { Config } from "../config/config.js";
import type { Log } from "../log.js";
import type { ModelPort } from "../ports.js";
import type { Secrets } from "../secrets.js";
import { systemClock } from "./clock.js";
import { openConnections, type Connections } from "./dispatcher.js";
import { openCredential } from "./openCredential.js";
import { createModelPort } from "./port.js";
import { createSend, type Send } from "./send.js";

export interface Asking {
  readonly port: ModelPort;
  readonly listModels: () => Promise<Either<ModelFailure, readonly ModelChoice[]>>;
  /** Ends the connections, if there are any. */
  readonly close: () => Promise<void>;
}

export const openAsking = (config: Config, { redact, add }: Secrets, log: Log): Asking => {
  const { provider, limits } = config;
  let opened: Promise<Connections> | undefined;
  const send = async (): Promise<Send> => {
    opened ??= openConnections(config.network, limits);
    return createSend(await opened, limits, redact);
  };
  const credential = openCredential(config, send, add, log);
  return {
    port: createModelPort({
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
    }),
    listModels: () =>
      fetchCatalogue({ provider, filter: config.modelFilter, credential, send, clock: systemClock, log }),
    close: async () => {
      await (await opened)?.close();
    },
  };
};
