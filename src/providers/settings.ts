/**
 * The providers as an operator names and sets them: pure data, and nothing but data, because the environment is judged by it
 * before the first frame is read, when no dialect has been loaded yet. Source: `spec/providers.md` 2, 3.2 and 16.7.
 */

export type ProviderName =
  "anthropic" | "openai" | "openrouter" | "databricks" | "databricks_v2" | "deepseek" | "ollama" | "huggingface";

/** Where a credential comes from. Of several variables the first one that is set counts. */
export type KeySource =
  | { readonly kind: "required"; readonly variables: readonly string[]; readonly header: KeyHeader }
  /** Without it the credential comes from an interactive login (`turnfold auth`). */
  | { readonly kind: "orLogin"; readonly variables: readonly string[] }
  | { readonly kind: "none" };

/** `bearer`: `authorization: Bearer <key>`. */
export type KeyHeader = "x-api-key" | "bearer";

export interface ProviderEntry {
  readonly name: ProviderName;
  /** As a person writes it; begins the error lines. */
  readonly title: string;
  /** Values of `BUZZ_AGENT_PROVIDER`, lower case. */
  readonly spellings: readonly string[];
  readonly key: KeySource;
  readonly modelVariable: string;
  readonly baseUrlVariable: string;
  /** "" where the operator has to name the host. */
  readonly baseUrlDefault: string;
  /** `OPENAI_COMPAT_API` is read: both Chat Completions and Responses may be spoken. */
  readonly choosesApi: boolean;
}

const openAiVariables = { modelVariable: "OPENAI_COMPAT_MODEL", baseUrlVariable: "OPENAI_COMPAT_BASE_URL" } as const;
const databricksVariables = {
  key: { kind: "orLogin", variables: ["DATABRICKS_TOKEN"] },
  modelVariable: "DATABRICKS_MODEL",
  baseUrlVariable: "DATABRICKS_HOST",
  baseUrlDefault: "",
  choosesApi: false,
} as const;

export const PROVIDERS: readonly ProviderEntry[] = [
  {
    name: "anthropic",
    title: "Anthropic",
    spellings: ["anthropic"],
    key: { kind: "required", variables: ["ANTHROPIC_API_KEY"], header: "x-api-key" },
    modelVariable: "ANTHROPIC_MODEL",
    baseUrlVariable: "ANTHROPIC_BASE_URL",
    baseUrlDefault: "https://api.anthropic.com",
    choosesApi: false,
  },
  {
    name: "openai",
    title: "OpenAI",
    spellings: ["openai", "openai-compat"],
    key: { kind: "required", variables: ["OPENAI_COMPAT_API_KEY"], header: "bearer" },
    ...openAiVariables,
    baseUrlDefault: "https://api.openai.com/v1",
    choosesApi: true,
  },
  {
    name: "openrouter",
    title: "OpenRouter",
    spellings: ["openrouter"],
    key: { kind: "required", variables: ["OPENROUTER_API_KEY"], header: "bearer" },
    modelVariable: "OPENROUTER_MODEL",
    baseUrlVariable: "OPENROUTER_BASE_URL",
    baseUrlDefault: "https://openrouter.ai/api/v1",
    choosesApi: false,
  },
  { name: "databricks", title: "Databricks", spellings: ["databricks"], ...databricksVariables },
  {
    name: "databricks_v2",
    title: "Databricks AI Gateway",
    spellings: ["databricks_v2", "databricks-v2"],
    ...databricksVariables,
  },
  {
    name: "deepseek",
    title: "DeepSeek",
    spellings: ["deepseek"],
    // Its own key counts; the shared variable stays accepted for setups made for the prior art (spec/providers.md 3.2).
    key: { kind: "required", variables: ["DEEPSEEK_API_KEY", "OPENAI_COMPAT_API_KEY"], header: "bearer" },
    ...openAiVariables,
    baseUrlDefault: "https://api.deepseek.com/v1",
    choosesApi: true,
  },
  {
    name: "ollama",
    title: "Ollama",
    spellings: ["ollama"],
    key: { kind: "none" },
    modelVariable: "OLLAMA_MODEL",
    baseUrlVariable: "OLLAMA_BASE_URL",
    baseUrlDefault: "http://127.0.0.1:11434/v1",
    choosesApi: false,
  },
  {
    name: "huggingface",
    title: "Hugging Face",
    spellings: ["huggingface", "hf"],
    key: { kind: "required", variables: ["HF_TOKEN"], header: "bearer" },
    modelVariable: "HUGGINGFACE_MODEL",
    baseUrlVariable: "HF_INFERENCE_BASE_URL",
    baseUrlDefault: "https://router.huggingface.co/v1",
    choosesApi: false,
  },
];

/** Levels of thinking effort, weakest first. */
export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof EFFORTS)[number];

/** How thinking is summarised on the Responses route. */
export const THINKING_SUMMARIES = ["auto", "concise", "detailed"] as const;
export type ThinkingSummary = (typeof THINKING_SUMMARIES)[number];

/** `auto`: Responses on OpenAI's own hosts, otherwise Chat until the host demands Responses (spec/providers.md 10.2). */
export type OpenAiApi = "auto" | "chat" | "responses";

/** Used where neither the operator nor the capability table knows better; tokens. */
export const DEFAULT_WINDOW_TOKENS = 200_000;
export const DEFAULT_OUTPUT_TOKENS = 32_768;

/** The chosen provider with everything that shapes its requests. No credential is in it. */
export interface ProviderSettings {
  readonly name: ProviderName;
  readonly title: string;
  /** Absolute http(s) URL without trailing slashes. */
  readonly baseUrl: string;
  readonly api: OpenAiApi;
  /** Value of the `anthropic-version` header. */
  readonly anthropicVersion: string;
  readonly thinkingSummary: ThinkingSummary;
  readonly promptCaching: boolean;
}

export const isDatabricks = ({ name }: ProviderSettings): boolean => name === "databricks" || name === "databricks_v2";
