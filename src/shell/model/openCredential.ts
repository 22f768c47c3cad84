/** The credential that the configuration stands for. */
import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import type { Config } from "../config/config.js";
import type { Log } from "../log.js";
import { staticCredential, type Credential } from "./credential.js";
import type { Send } from "./send.js";

export const openCredential = ({ credential }: Config, _send: () => Promise<Send>, _log: Log): Credential => {
  if (credential.kind !== "login") return staticCredential(credential);
  const missing = E.left({
    kind: "authentication" as const,
    message: "there is no login; run `turnfold auth databricks`, or set DATABRICKS_TOKEN",
    status: O.none,
  });
  return { headers: () => Promise.resolve(missing), renew: () => Promise.resolve(missing) };
};
