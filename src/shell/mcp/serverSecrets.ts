/**
 * What a server must not say back: the secrets among the variables that it was started with. A server may print its token in its
 * last words, in a result or in a dump of its environment, and all of that ends in logs, records, frames and the model's context
 * (F55).
 */
import { urlPasswords } from "../config/secretValues.js";
import { looksLikeToken } from "../secrets.js";

const SECRET_NAME = /(?:SECRET|PASSWORD|PASSWD|PASSPHRASE)$/i;
/** Such names are also given to what is no secret (`SORT_KEY=customer_id`), so the value has its say. */
const PERHAPS_SECRET_NAME = /(?:KEY|TOKEN|AUTH_TAG|(?:^|_)PAT)$/i;

const isSecret = (name: string, value: string): boolean =>
  SECRET_NAME.test(name) || (PERHAPS_SECRET_NAME.test(name) && looksLikeToken(value));

/** `env`: the whole environment of one server, what was passed on to it included. */
export const serverSecrets = (env: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(env).flatMap(([name, value]) => [...urlPasswords(value), ...(isSecret(name, value) ? [value] : [])]);
