/** Every environment variable that the program knows. `turnfold check` shows them, and the README's table is generated from them. */
import { REDUCER_LIMITS, SHELL_LIMITS, type Limit } from "../../core/policy.js";
import { PROVIDERS } from "../../providers/settings.js";
import { SETTINGS, baseUrlVariable, keyVariable, limitVariable, modelVariable, type Variable } from "./variables.js";

/** Variables of the providers; one that several of them share appears once, with all of them named. */
const providerVariables = (): readonly Variable<string>[] => {
  const found = new Map<string, Variable<string>>();
  const add = (variable: Variable<string>, title: string, shownDefault: string): void => {
    const known = found.get(variable.name) ?? { ...variable, meaning: "" };
    const meaning = known.meaning === "" ? `${variable.meaning} for ${title}` : `${known.meaning}, ${title}`;
    const shown = [known.default, shownDefault].filter((each) => each !== "").join(" / ");
    found.set(variable.name, { ...known, meaning, default: shown });
  };
  for (const provider of PROVIDERS) {
    const keys = provider.key.kind === "none" ? [] : provider.key.variables;
    for (const name of keys) add(keyVariable(name), provider.title, "");
    add(modelVariable(provider.modelVariable), provider.title, "");
    add(baseUrlVariable(provider.baseUrlVariable), provider.title, provider.baseUrlDefault);
  }
  return [...found.values()];
};

const limitVariables = (): readonly Variable<number>[] =>
  [...Object.values<Limit>(REDUCER_LIMITS), ...Object.values<Limit>(SHELL_LIMITS)]
    .filter((limit) => limit.variable !== "")
    .map(limitVariable);

/** Made anew at each call: a start has no use for it. */
export const allVariables = (): readonly Variable<unknown>[] => [
  ...Object.values<Variable<unknown>>(SETTINGS),
  ...providerVariables(),
  ...limitVariables(),
];
