/** What the client may choose in a session, model and thinking effort, and the settings that follow from it. */
import type { Either } from "fp-ts/lib/Either.js";
import { getOrElse, isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import type { ModelFailure, Settings } from "../../core/model.js";
import type { SelectOption } from "../acp/agent.js";
import type { ModelPort } from "../ports.js";

export interface ModelChoice {
  readonly id: string;
  readonly name: string;
}

/** The configured provider. */
export interface Models {
  readonly port: ModelPort;
  /** The model of a fresh session. */
  readonly configured: string;
  /** The operator's effort. */
  readonly effort: Option<string>;
  readonly settings: (model: string, effort: Option<string>) => Settings;
  /** Levels that the model takes, none where there is nothing to choose, and the one that it uses by itself. */
  readonly efforts: (model: string) => { readonly efforts: readonly string[]; readonly default: Option<string> };
  /** The configured model and whatever else there is to choose. Left: the provider refuses us, no session would get an answer. Never rejects. */
  readonly list: (signal: AbortSignal) => Promise<Either<ModelFailure, readonly ModelChoice[]>>;
}

export interface Choices {
  readonly options: () => readonly SelectOption[];
  /** The settings after the choice. */
  readonly choose: (optionId: string, value: string) => Settings;
  readonly settings: () => Settings;
}

/** The choice of no level, where the model has none of its own: no reasoning field is sent. */
const NO_EFFORT = "default";

export const createChoices = (models: Models, listed: readonly ModelChoice[]): Choices => {
  let model = models.configured;
  let effort = models.effort;

  const modelOption = (): SelectOption => ({
    id: "model",
    name: "Model",
    category: "model",
    current: model,
    choices: withCurrent(
      listed.map(({ id, name }) => ({ value: id, name })),
      model,
    ),
  });

  const effortOption = (): readonly SelectOption[] => {
    const offered = models.efforts(model);
    if (offered.efforts.length === 0) return [];
    const own = getOrElse(() => NO_EFFORT)(offered.default);
    const current = getOrElse(() => own)(effort);
    const levels = isSome(offered.default) ? offered.efforts : [NO_EFFORT, ...offered.efforts];
    const choices = withCurrent(
      levels.map((value) => ({ value, name: titled(value) })),
      current,
    );
    return [{ id: "thought_level", name: "Thinking", category: "thought_level", current, choices }];
  };

  const settings = (): Settings => models.settings(model, effort);

  return {
    options: () => [modelOption(), ...effortOption()],
    choose: (optionId, value) => {
      if (optionId === "model") model = value;
      else effort = value === NO_EFFORT ? none : some(value);
      return settings();
    },
    settings,
  };
};

/** A client that does not find the current value among the choices is at a loss, so it is always there. */
const withCurrent = (choices: SelectOption["choices"], current: string): SelectOption["choices"] =>
  choices.some(({ value }) => value === current) ? choices : [{ value: current, name: current }, ...choices];

const titled = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
