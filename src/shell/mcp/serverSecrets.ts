/**
 * What a server must not say back: the secrets among the variables that it was started with. A server may print its token in its
 * last words, in a result or in a dump of its environment, and all of that ends in logs, records, frames and the model's context
 * (F55).
 */
import { urlPasswords } from "../config/secretValues.js";

const SECRET_NAME = /(?:SECRET|PASSWORD|PASSWD|PASSPHRASE)$/i;
/** Such names are also given to what is no secret (`SORT_KEY=customer_id`), so the value has its say. */
const PERHAPS_SECRET_NAME = /(?:KEY|TOKEN|AUTH_TAG|(?:^|_)PAT)$/i;

/** Longer than a word, with a digit, and neither a number nor a path. */
const isNoPlainValue = (value: string): boolean =>
  value.length >= TOKEN_CHARACTERS_MIN && /\d/.test(value) && /[^\d.,:+-]/.test(value) && !/^[/~.]/.test(value);
const TOKEN_CHARACTERS_MIN = 12;

/** A word or a number, such as the usual password of a database on one's own machine: it stands everywhere, and hiding it hides all else. */
const isOrdinary = (value: string): boolean => /^(?:[a-z]+|\d+)$/.test(value);

const isSecret = (name: string, value: string): boolean =>
  SECRET_NAME.test(name) || (PERHAPS_SECRET_NAME.test(name) && isNoPlainValue(value));

/** A key of several lines is met line by line on stderr; its first and last line are those of every key. */
const linesOf = (value: string): readonly string[] =>
  value.includes("\n")
    ? [value, ...value.split(/\r?\n/).filter((line) => line.length >= 16 && !line.startsWith("-----"))]
    : [value];

/** `env`: the whole environment of one server, what was passed on to it included. */
export const serverSecrets = (env: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(env)
    .flatMap(([name, value]) => [...urlPasswords(value), ...(isSecret(name, value) ? linesOf(value) : [])])
    .filter((value) => !isOrdinary(value));
