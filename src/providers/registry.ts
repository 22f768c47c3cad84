/** From a provider's settings and a model to the dialect that speaks with it (`spec/providers.md` 2, 6 and 10.2). */
import { assertNever } from "../core/never.js";
import { anthropicDialect } from "./anthropic/dialect.js";
import { chatDialect } from "./chat/dialect.js";
import type { ChatEndpoint } from "./chat/encode.js";
import { DATABRICKS_PATHS, databricksRoute } from "./databricks.js";
import type { Dialect } from "./dialect.js";
import type { Host } from "./failure.js";
import { responsesDialect } from "./responses/dialect.js";
import { type ProviderEntry, type ProviderName, PROVIDERS, type ProviderSettings } from "./settings.js";
import { isOpenAiHost } from "./upgrade.js";

/**
 * The dialect for the next request with `model`. `responsesRequired`: this host has demanded Responses before (`upgrade.ts`);
 * the shell remembers that for as long as the process lives.
 */
export const dialectFor = (provider: ProviderSettings, model: string, responsesRequired: boolean): Dialect => {
  const host = hostOf(provider);
  const base = provider.baseUrl;
  switch (provider.name) {
    case "anthropic":
      return anthropicDialect(host, {
        url: `${base}/v1/messages`,
        headers: { "anthropic-version": provider.anthropicVersion },
        promptCaching: provider.promptCaching,
      });
    case "openai":
    case "deepseek":
      return speaksResponses(provider, responsesRequired)
        ? responses(host, provider, `${base}/responses`)
        : chatDialect(host, { ...chat(provider.name, base), ...(provider.name === "deepseek" ? deepseek : {}) });
    case "openrouter":
      return chatDialect(host, { ...chat(provider.name, base), ...openrouter, cacheMarks: provider.promptCaching });
    case "databricks":
      return chatDialect(host, { ...chat(provider.name, base), sendsModel: false, url: servingEndpoint(base) });
    case "databricks_v2":
      return gatewayDialect(host, provider, model);
    case "ollama":
    case "huggingface":
      return chatDialect(host, { ...chat(provider.name, base), limitMember: "max_tokens", effort: "none" });
  }
  return assertNever(provider.name);
};

const speaksResponses = (provider: ProviderSettings, responsesRequired: boolean): boolean =>
  provider.api === "responses" || (provider.api === "auto" && (responsesRequired || isOpenAiHost(provider.baseUrl)));

const responses = (host: Host, provider: ProviderSettings, url: string): Dialect =>
  responsesDialect(host, {
    provider: provider.name,
    url,
    stateless: isOpenAiHost(provider.baseUrl),
    thinkingSummary: provider.thinkingSummary,
  });

const chat = (provider: ProviderName, base: string): ChatEndpoint => ({
  provider,
  dialect: "openai-chat",
  url: () => `${base}/chat/completions`,
  headers: {},
  sendsModel: true,
  limitMember: "max_completion_tokens",
  effort: "standard",
  replayMember: "",
  cacheMarks: false,
});

/** Its thinking models demand their own reasoning back between calls of a turn. */
const deepseek = { dialect: "deepseek-chat", replayMember: "reasoning_content" } as const;

const openrouter = {
  dialect: "openrouter-chat",
  headers: { "http-referer": "https://www.npmjs.com/package/turnfold", "x-openrouter-title": "Turnfold" },
  limitMember: "max_tokens",
  effort: "openrouter",
  replayMember: "reasoning_details",
} as const;

const servingEndpoint =
  (base: string) =>
  (model: string): string =>
    `${base}/serving-endpoints/${encodeURIComponent(model)}/invocations`;

const gatewayDialect = (host: Host, provider: ProviderSettings, model: string): Dialect => {
  const route = databricksRoute(model);
  const url = `${provider.baseUrl}${DATABRICKS_PATHS[route]}`;
  switch (route) {
    case "responses":
      return responses(host, provider, url);
    case "messages":
      return anthropicDialect(host, { url, headers: {}, promptCaching: provider.promptCaching });
    case "chat":
      return chatDialect(host, { ...chat(provider.name, provider.baseUrl), url: () => url });
  }
  return assertNever(route);
};

const hostOf = (provider: ProviderSettings): Host => {
  const entry = PROVIDERS.find(({ name }) => name === provider.name);
  return {
    title: provider.title,
    keyAdvice: entry === undefined ? "" : keyAdvice(entry),
    modelAdvice: entry === undefined ? "" : `Check BUZZ_AGENT_MODEL or ${entry.modelVariable}.`,
    routes: provider.name === "openrouter",
  };
};

const keyAdvice = ({ key }: ProviderEntry): string => {
  switch (key.kind) {
    case "required":
      return `Check ${key.variables.join(" or ")}.`;
    case "orLogin":
      return `Check ${key.variables.join(" or ")}, or sign in with \`turnfold auth databricks\`.`;
    case "none":
      return "";
  }
  return assertNever(key);
};
