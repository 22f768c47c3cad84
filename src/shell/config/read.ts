/** One variable of the environment: set, unset, or set to what it does not accept. */
import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import type { Variable } from "./variables.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Why the program does not start. None of the texts holds a secret. */
export interface ConfigError {
  readonly variable: string;
  readonly fault: string;
  readonly accepted: string;
}

export type Judged<A> = E.Either<ConfigError, A>;

const QUOTED_CHARACTERS_MAX = 80;

/** The value as an error line may show it: one line, cut, and without what stands before the `@` of a URL. */
export const quoted = (value: string): string => {
  const safe = value.replace(/\/\/[^/@\s]*@/g, "//…@");
  const cut = Array.from(safe).slice(0, QUOTED_CHARACTERS_MAX).join("");
  return JSON.stringify(cut === safe ? cut : `${cut}…`);
};

export const configError = (variable: string, fault: string, accepted: string): ConfigError => ({
  variable,
  fault,
  accepted,
});

/** The one line of a bad environment. */
export const describeConfigError = ({ variable, fault, accepted }: ConfigError): string =>
  `turnfold: ${variable}: ${fault}; accepted: ${accepted}`;

/** The raw value, trimmed; blank counts as unset (decisions.md, Product). */
export const raw = (env: Environment, name: string): O.Option<string> => {
  const value = env[name]?.trim();
  return value === undefined || value === "" ? O.none : O.some(value);
};

export const read = <A>(env: Environment, variable: Variable<A>): Judged<O.Option<A>> => {
  const value = raw(env, variable.name);
  if (O.isNone(value)) return E.right(O.none);
  const parsed = variable.codec.parse(value.value);
  if (E.isRight(parsed)) return E.right(O.some(parsed.right));
  const subject = variable.secret ? "the value" : quoted(value.value);
  return E.left(configError(variable.name, `${subject} ${parsed.left}`, variable.codec.accepted));
};

export const readOr = <A>(env: Environment, variable: Variable<A>, fallback: A): Judged<A> =>
  E.map(O.getOrElse(() => fallback))(read(env, variable));

/** What all of them come to, or the fault of the first that has one. */
export const readAll = <T extends object>(judged: { readonly [K in keyof T]: Judged<T[K]> }): Judged<T> => {
  const values: Partial<T> = {};
  for (const key in judged) {
    const each = judged[key];
    if (E.isLeft(each)) return each;
    values[key] = each.right;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every key has been given its value
  return E.right(values as T);
};

/** `http_proxy` and its kin: the lower-case spelling wins, as it does for curl. */
export const readEitherCase = <A>(env: Environment, variable: Variable<A>): Judged<O.Option<A>> => {
  const lower = read(env, { ...variable, name: variable.name.toLowerCase() });
  return E.isRight(lower) && O.isNone(lower.right) ? read(env, variable) : lower;
};
