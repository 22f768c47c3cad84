/** Where the Databricks AI gateway serves a model, told from its name (`spec/providers.md` 5.7). */

export type DatabricksRoute = "responses" | "messages" | "chat";

const GPT_CODE_NAMES = new Set(["sol", "luna", "terra"]);
const CLAUDE_NAMES = new Set(["claude", "opus", "sonnet", "haiku", "mythos", "fable"]);

/** Whole segments only, so that `octopus-model` is no Opus and `terraform-coder` no Terra. */
export const databricksRoute = (model: string): DatabricksRoute => {
  const segments = model.toLowerCase().split(/[^a-z0-9]+/);
  if (segments.some((segment) => segment.startsWith("gpt") || GPT_CODE_NAMES.has(segment))) return "responses";
  return segments.some((segment) => CLAUDE_NAMES.has(segment)) ? "messages" : "chat";
};

export const DATABRICKS_PATHS: Readonly<Record<DatabricksRoute, string>> = {
  responses: "/ai-gateway/openai/v1/responses",
  messages: "/ai-gateway/anthropic/v1/messages",
  chat: "/ai-gateway/mlflow/v1/chat/completions",
};
