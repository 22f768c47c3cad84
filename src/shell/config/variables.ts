/**
 * The environment variables, in one table: what each accepts, what it means, and whether it is a secret. `config.ts` reads
 * through it. The variables of limits come from the limits themselves (`core/policy.ts`), those of providers from the providers
 * (`providers/settings.ts`); `allVariables.ts` has all of them.
 */
import type { Limit } from "../../core/policy.js";
import {
  DEFAULT_OUTPUT_TOKENS,
  DEFAULT_WINDOW_TOKENS,
  EFFORTS,
  PROVIDERS,
  THINKING_SUMMARIES,
  type OpenAiApi,
  type ProviderName,
} from "../../providers/settings.js";
import type { LogLevel } from "../../core/effect.js";
import type { PermissionMode } from "../../core/policy.js";
import {
  baseUrl,
  commaList,
  headerValue,
  onOff,
  oneOf,
  path,
  proxyUrl,
  text,
  wholeNumber,
  word,
  type Codec,
} from "./codecs.js";

export interface Variable<A> {
  readonly name: string;
  readonly codec: Codec<A>;
  /** As the documentation shows it; "" where there is none. */
  readonly default: string;
  readonly meaning: string;
  /** Its value is never shown, not even in part. */
  readonly secret: boolean;
}

const plain = <A>(name: string, codec: Codec<A>, shownDefault: string, meaning: string): Variable<A> => ({
  name,
  codec,
  default: shownDefault,
  meaning,
  secret: false,
});
const secret = <A>(name: string, codec: Codec<A>, meaning: string): Variable<A> => ({
  ...plain(name, codec, "", meaning),
  secret: true,
});

const providerSpellings = Object.fromEntries(
  PROVIDERS.flatMap(({ name, spellings }) => spellings.map((spelling) => [spelling, name] as const)),
) as Readonly<Record<string, ProviderName>>;

const apiSpellings: Readonly<Record<string, OpenAiApi>> = {
  auto: "auto",
  chat: "chat",
  "chat-completions": "chat",
  chat_completions: "chat",
  responses: "responses",
};

const logLevels: readonly LogLevel[] = ["error", "warn", "info", "debug"];
const permissionModes: readonly PermissionMode[] = ["never", "writes", "always"];

export const SETTINGS = {
  provider: plain(
    "BUZZ_AGENT_PROVIDER",
    oneOf(providerSpellings, Object.keys(providerSpellings).join(", ")),
    "",
    "who answers; required",
  ),
  model: plain("BUZZ_AGENT_MODEL", text, "", "model id; wins over the provider's own model variable"),
  models: plain(
    "TURNFOLD_MODELS",
    commaList,
    "",
    "models offered to the client beside the configured one; * asks the host",
  ),
  anthropicVersion: plain("ANTHROPIC_API_VERSION", headerValue, "2023-06-01", "header anthropic-version"),
  openAiApi: plain(
    "OPENAI_COMPAT_API",
    oneOf(apiSpellings, "auto, chat, responses"),
    "auto",
    "Chat Completions or Responses; auto: Responses on OpenAI's own hosts and where a host demands it",
  ),
  modelFilter: plain(
    "DATABRICKS_MODEL_FILTER",
    commaList,
    "",
    "models that the Databricks catalogue shows: patterns with * and ?, separated by commas",
  ),
  configDirectory: plain("BUZZ_AGENT_CONFIG_DIR", path, "~/.config", "where logins are kept"),
  effort: plain("BUZZ_AGENT_THINKING_EFFORT", word(EFFORTS), "", "thinking effort; unset: no reasoning field is sent"),
  thinkingSummary: plain(
    "BUZZ_AGENT_THINKING_SUMMARY",
    word(THINKING_SUMMARIES),
    "auto",
    "how the Responses API summarises thinking",
  ),
  promptCaching: plain("BUZZ_AGENT_PROMPT_CACHING", onOff, "1", "cache breakpoints where the provider has them"),
  outputTokens: plain(
    "BUZZ_AGENT_MAX_OUTPUT_TOKENS",
    wholeNumber(1, Number.MAX_SAFE_INTEGER),
    `${DEFAULT_OUTPUT_TOKENS} where the model's own is not known`,
    "tokens of one reply",
  ),
  windowTokens: plain(
    "BUZZ_AGENT_MAX_CONTEXT_TOKENS",
    wholeNumber(2, Number.MAX_SAFE_INTEGER),
    `${DEFAULT_WINDOW_TOKENS} where the model's own is not known`,
    "context window of the model in tokens; must exceed the tokens of one reply",
  ),
  systemPrompt: plain("BUZZ_AGENT_SYSTEM_PROMPT", text, "a short one", "system prompt where the client brings none"),
  systemPromptFile: plain("BUZZ_AGENT_SYSTEM_PROMPT_FILE", path, "", "file (UTF-8) with the system prompt"),
  hookServers: plain(
    "MCP_HOOK_SERVERS",
    commaList,
    "",
    "servers whose hooks may be called; * alone: all of them; unset: none",
  ),
  requireReply: plain(
    "BUZZ_AGENT_REQUIRE_REPLY",
    onOff,
    "0",
    "reminds the model of its reply when a turn ends without a message sent",
  ),
  noHints: plain("BUZZ_AGENT_NO_HINTS", onOff, "0", "leaves AGENTS.md files and skills out of the system prompt"),
  permissions: plain(
    "TURNFOLD_PERMISSIONS",
    word(permissionModes),
    "never",
    "when the client is asked before a tool runs; writes: all but tools that call themselves read-only",
  ),
  mcpServers: plain("TURNFOLD_MCP_SERVERS", path, "", "file with MCP servers for every session (mcpServers JSON)"),
  logLevel: plain("TURNFOLD_LOG", word(logLevels), "info", "what goes to stderr"),
  record: plain("TURNFOLD_RECORD", path, "", "directory for the events of each session, for turnfold replay"),
  ledger: plain("TURNFOLD_LEDGER", path, "", "ledger of turnfold usage where there is no --ledger"),
  memoryStore: plain("TURNFOLD_MEMORY_STORE", path, "", "store of turnfold memory where there is no --store"),
  buzzCli: plain("BUZZ_CLI", path, "buzz", "program by which turnfold memory posts its replies"),
  buzzKey: secret("BUZZ_PRIVATE_KEY", text, "key of the buzz CLI; passed on to it, never read"),
  buzzAuthTag: secret("BUZZ_AUTH_TAG", text, "the same"),
  httpProxy: secret("HTTP_PROXY", proxyUrl, "proxy for http URLs; lower case wins"),
  httpsProxy: secret("HTTPS_PROXY", proxyUrl, "proxy for https URLs; lower case wins"),
  allProxy: secret("ALL_PROXY", proxyUrl, "proxy for both where theirs is unset; lower case wins"),
  noProxy: plain("NO_PROXY", text, "", "hosts that are reached without a proxy; lower case wins"),
  certificates: plain(
    "SSL_CERT_FILE",
    path,
    "",
    "file (PEM) with the certificate authorities to trust, instead of Node's",
  ),
  extraCertificates: plain("NODE_EXTRA_CA_CERTS", path, "", "file (PEM) with further certificate authorities"),
} as const;

export const keyVariable = (name: string): Variable<string> => secret(name, headerValue, "key");
export const modelVariable = (name: string): Variable<string> => plain(name, text, "", "model id");
export const baseUrlVariable = (name: string): Variable<string> => plain(name, baseUrl, "", "base URL");

export const limitVariable = (limit: Limit): Variable<number> =>
  plain(limit.variable, wholeNumber(limit.min, limit.max), String(limit.default), limit.meaning);
