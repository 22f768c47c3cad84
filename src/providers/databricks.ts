/** Where the Databricks AI gateway serves a model, told from its name (`spec/providers.md` 5.7 and 16.3). */
import { familyOf, ownName, unityService } from "./capabilities.js";
import type { Family } from "./capabilitySchema.js";

export type DatabricksRoute = Family["route"];

/** By the model's family; whatever has none, by Chat Completions. */
export const databricksRoute = (model: string): DatabricksRoute => {
  const service = unityService(model);
  if (service._tag === "Some") return isNewGpt(service.value) ? "responses" : "chat";
  const family = familyOf(model);
  return family._tag === "Some" ? family.value.route : "chat";
};

/** GPT 5 and later; the only thing that the name of an operator's own service tells. */
const isNewGpt = (service: string): boolean => Number(/^gpt-([0-9]+)/.exec(ownName(service))?.[1] ?? 0) >= 5;

export const DATABRICKS_PATHS: Readonly<Record<DatabricksRoute, string>> = {
  responses: "/ai-gateway/openai/v1/responses",
  messages: "/ai-gateway/anthropic/v1/messages",
  chat: "/ai-gateway/mlflow/v1/chat/completions",
};
