/** Every provider with the rule book that its requests are judged by: what `everyRequestEncodes` asks for. */
import type { ModelRequest } from "../../core/index.js";
import { dialectFor, PROVIDERS, type ProviderName, type ProviderSettings } from "../../providers/index.js";
import type { JudgedDialect } from "../invariants/requests.js";
import { anthropicFaults } from "./anthropic.js";
import { chatFaults } from "./chat.js";
import type { Fault } from "./reader.js";
import { responsesFaults } from "./responses.js";

type Rules = (body: string) => readonly Fault[];

/** By the name of the dialect that was chosen; the serving endpoints of Databricks have the model in their URL. */
const rulesOf = (dialect: string, provider: ProviderName): Rules => {
  if (dialect === "anthropic-messages") return anthropicFaults;
  if (dialect === "openai-responses") return responsesFaults;
  return (body) => chatFaults(body, provider === "databricks");
};

const judged = (name: string, settings: ProviderSettings): JudgedDialect => ({
  name,
  judge: (request: ModelRequest) => {
    const dialect = dialectFor(settings, request.settings.model, false);
    return rulesOf(dialect.name, settings.name)(dialect.encode(request).body.join(""));
  },
});

const settingsOf = (name: ProviderName, title: string, over: Partial<ProviderSettings>): ProviderSettings => ({
  name,
  title,
  baseUrl: "https://host.example/v1",
  api: "auto",
  anthropicVersion: "2023-06-01",
  thinkingSummary: "auto",
  promptCaching: true,
  ...over,
});

/** All providers, and OpenAI's Responses beside its Chat. */
export const judgedDialects: readonly JudgedDialect[] = [
  ...PROVIDERS.map(({ name, title }) => judged(name, settingsOf(name, title, {}))),
  judged(
    "openai responses",
    settingsOf("openai", "OpenAI", { api: "responses", baseUrl: "https://api.openai.com/v1" }),
  ),
];
