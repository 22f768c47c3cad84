/** The values that must never be seen outside: every key and token that is set, used or not, and the passwords of proxies. */
import * as O from "fp-ts/lib/Option.js";
import { percentDecoded } from "./codecs.js";
import { raw, type Environment } from "./read.js";
import { allVariables } from "./allVariables.js";

/** The password of a URL, as it is written and as it is meant. */
export const urlPasswords = (value: string): readonly string[] => {
  const password = /\/\/[^/@]*?:([^/@]*)@/.exec(value)?.[1];
  return password === undefined ? [] : [password, percentDecoded(password) ?? password];
};

/** Of a URL its password; any other value as it is. */
const partsOf = (value: string): readonly string[] => (value.includes("://") ? urlPasswords(value) : [value]);

export const secretValues = (env: Environment): readonly string[] =>
  allVariables()
    .filter(({ secret }) => secret)
    .flatMap(({ name }) => [raw(env, name), raw(env, name.toLowerCase())])
    .flatMap((value) => (O.isSome(value) ? partsOf(value.value) : []));
