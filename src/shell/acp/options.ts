/** One state of choices in two views: `configOptions`, and `models` for clients that know nothing newer (`spec/acp.md` 1.5). */
import type { JsonObject } from "../../core/json.js";
import type { SelectOption } from "./agent.js";

const configOption = ({ id, name, category, current, choices }: SelectOption): JsonObject => ({
  id,
  name,
  category,
  type: "select",
  currentValue: current,
  options: choices.map((choice) => ({ value: choice.value, name: choice.name })),
});

export const configOptions = (options: readonly SelectOption[]): readonly JsonObject[] => options.map(configOption);

export const configOptionUpdate = (options: readonly SelectOption[]): JsonObject => ({
  sessionUpdate: "config_option_update",
  configOptions: configOptions(options),
});

/** `models` as a member of a session response; nothing for an agent without models. */
export const legacyModels = (options: readonly SelectOption[]): JsonObject => {
  const model = options.find((option) => option.category === "model");
  if (model === undefined) return {};
  const availableModels = model.choices.map((choice) => ({ modelId: choice.value, name: choice.name }));
  return { models: { currentModelId: model.current, availableModels } };
};
