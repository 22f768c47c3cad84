/** The credential that the configuration stands for. */
import * as O from "fp-ts/lib/Option.js";
import type { Config } from "../config/config.js";
import type { Log } from "../log.js";
import { loginCredential } from "../oauth/credential.js";
import { defaultConfigDirectory, loginIdentity } from "../oauth/identity.js";
import { staticCredential, type Credential } from "./credential.js";
import type { Send } from "./send.js";

export const openCredential = (
  { credential, provider, configDirectory }: Config,
  send: () => Promise<Send>,
  addSecret: (value: string) => void,
  log: Log,
): Credential =>
  credential.kind === "login"
    ? loginCredential({
        identity: loginIdentity(provider.baseUrl, O.getOrElse(defaultConfigDirectory)(configDirectory)),
        send,
        addSecret,
        log,
      })
    : staticCredential(credential);
