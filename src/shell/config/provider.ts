/** The provider's part of the environment: who answers, where, as whom, with which model (`spec/providers.md` 3.2). */
import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import { PROVIDERS, type KeyHeader, type ProviderEntry, type ProviderSettings } from "../../providers/settings.js";
import { configError, read, readAll, readOr, type Environment, type Judged } from "./read.js";
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

/** No inference from which keys exist, and no fallback to another provider. */
export const readEntry = (env: Environment): Judged<ProviderEntry> => {
  const { provider } = SETTINGS;
  const name = read(env, provider);
  if (E.isLeft(name)) return name;
  const chosen = O.toUndefined(name.right);
  const entry = PROVIDERS.find((each) => each.name === chosen);
  return entry === undefined
    ? E.left(configError(provider.name, "is required", provider.codec.accepted))
    : E.right(entry);
};

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
  const found = firstKey(env, key.variables);
  if (E.isLeft(found)) return found;
  if (O.isSome(found.right)) {
    const [variable, value] = found.right.value;
    return E.right({ kind: "key", header: key.kind === "required" ? key.header : "bearer", key: value, variable });
  }
  if (key.kind === "orLogin") return E.right({ kind: "login" });
  return E.left(configError(key.variables[0] ?? SETTINGS.provider.name, `is required for provider ${name}`, "a key"));
};

const readModel = (env: Environment, entry: ProviderEntry): Judged<string> => {
  const found = readAll({ general: read(env, SETTINGS.model), own: read(env, modelVariable(entry.modelVariable)) });
  if (E.isLeft(found)) return found;
  const { general, own } = found.right;
  const model = O.toUndefined(O.isSome(general) ? general : own);
  return model === undefined
    ? E.left(
        configError(entry.modelVariable, `or ${SETTINGS.model.name} is required`, "the model's id at the provider"),
      )
    : E.right(model);
};

const readBaseUrl = (env: Environment, entry: ProviderEntry): Judged<string> => {
  const variable = baseUrlVariable(entry.baseUrlVariable);
  const url = readOr(env, variable, entry.baseUrlDefault);
  return E.isLeft(url) || url.right !== ""
    ? url
    : E.left(configError(variable.name, `is required for provider ${entry.name}`, variable.codec.accepted));
};

/** In the order key, model, base URL, the rest: the first fault is the one that is told. */
export const readProvider = (env: Environment): Judged<ChosenProvider> => {
  const entry = readEntry(env);
  if (E.isLeft(entry)) return entry;
  const { name, title, choosesApi } = entry.right;
  const found = readAll({
    credential: readCredential(env, entry.right),
    model: readModel(env, entry.right),
    baseUrl: readBaseUrl(env, entry.right),
    // A bad value must not break the providers that never read it.
    api: choosesApi ? readOr(env, SETTINGS.openAiApi, "auto" as const) : E.right("chat" as const),
    anthropicVersion: readOr(env, SETTINGS.anthropicVersion, "2023-06-01"),
    thinkingSummary: readOr(env, SETTINGS.thinkingSummary, "auto" as const),
    promptCaching: readOr(env, SETTINGS.promptCaching, true),
  });
  if (E.isLeft(found)) return found;
  const { credential, model, ...settings } = found.right;
  return E.right({ provider: { name, title, ...settings }, credential, model });
};
