/** The provider's part of the environment: who answers, where, as whom, with which model (`spec/providers.md` 3.2). */
import { sequenceS } from "fp-ts/lib/Apply.js";
import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as O from "fp-ts/lib/Option.js";
import { PROVIDERS, type KeyHeader, type ProviderEntry, type ProviderSettings } from "../../providers/settings.js";
import { configError, read, readOr, type Environment, type Judged } from "./read.js";
import { SETTINGS, baseUrlVariable, keyVariable, modelVariable } from "./variables.js";

/** What proves who we are. The only place that holds a key; it is added to a request at the last moment. */
export type CredentialSettings =
  | { readonly kind: "none" }
  | { readonly kind: "key"; readonly header: KeyHeader; readonly key: string; readonly variable: string }
  /** An interactive login at the provider's host, done once by `turnfold auth`. */
  | { readonly kind: "login" };

export interface ChosenProvider {
  readonly provider: ProviderSettings;
  readonly credential: CredentialSettings;
  readonly model: string;
}

const struct = sequenceS(E.Applicative);

/** No inference from which keys exist, and no fallback to another provider. */
export const readEntry = (env: Environment): Judged<ProviderEntry> =>
  pipe(
    read(env, SETTINGS.provider),
    E.chain((name) => {
      const entry = O.isSome(name) ? PROVIDERS.find((each) => each.name === name.value) : undefined;
      const { name: variable, codec } = SETTINGS.provider;
      return entry === undefined ? E.left(configError(variable, "is required", codec.accepted)) : E.right(entry);
    }),
  );

const firstKey = (env: Environment, variables: readonly string[]): Judged<O.Option<readonly [string, string]>> => {
  for (const name of variables) {
    const key = read(env, keyVariable(name));
    if (E.isLeft(key)) return key;
    if (O.isSome(key.right)) return E.right(O.some([name, key.right.value]));
  }
  return E.right(O.none);
};

const readCredential = (env: Environment, { key, name }: ProviderEntry): Judged<CredentialSettings> => {
  if (key.kind === "none") return E.right({ kind: "none" });
  return pipe(
    firstKey(env, key.variables),
    E.chain((found): Judged<CredentialSettings> => {
      if (O.isSome(found)) {
        const [variable, value] = found.value;
        return E.right({ kind: "key", header: key.kind === "required" ? key.header : "bearer", key: value, variable });
      }
      if (key.kind === "orLogin") return E.right({ kind: "login" });
      const variable = key.variables[0] ?? SETTINGS.provider.name;
      return E.left(configError(variable, `is required for provider ${name}`, "a key"));
    }),
  );
};

const readModel = (env: Environment, entry: ProviderEntry): Judged<string> =>
  pipe(
    struct({ general: read(env, SETTINGS.model), own: read(env, modelVariable(entry.modelVariable)) }),
    E.chain(({ general, own }) =>
      pipe(
        general,
        O.alt(() => own),
        E.fromOption(() =>
          configError(entry.modelVariable, `or ${SETTINGS.model.name} is required`, "the model's id at the provider"),
        ),
      ),
    ),
  );

const readBaseUrl = (env: Environment, entry: ProviderEntry): Judged<string> => {
  const variable = baseUrlVariable(entry.baseUrlVariable);
  return pipe(
    readOr(env, variable, entry.baseUrlDefault),
    E.filterOrElse(
      (url) => url !== "",
      () => configError(variable.name, `is required for provider ${entry.name}`, variable.codec.accepted),
    ),
  );
};

/** In the order key, model, base URL, the rest: the first fault is the one that is told. */
export const readProvider = (env: Environment): Judged<ChosenProvider> =>
  pipe(
    readEntry(env),
    E.chain((entry) =>
      pipe(
        struct({
          credential: readCredential(env, entry),
          model: readModel(env, entry),
          baseUrl: readBaseUrl(env, entry),
          // A bad value must not break the providers that never read it.
          api: entry.choosesApi ? readOr(env, SETTINGS.openAiApi, "auto" as const) : E.right("chat" as const),
          anthropicVersion: readOr(env, SETTINGS.anthropicVersion, "2023-06-01"),
          thinkingSummary: readOr(env, SETTINGS.thinkingSummary, "auto" as const),
          promptCaching: readOr(env, SETTINGS.promptCaching, true),
        }),
        E.map(({ credential, model, ...settings }) => ({
          provider: { name: entry.name, title: entry.title, ...settings },
          credential,
          model,
        })),
      ),
    ),
  );
