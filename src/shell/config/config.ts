/**
 * The environment as a whole, judged before the first frame is read: either everything the program runs by, or the one fault
 * to tell. Loads no provider code, no HTTP client and no MCP SDK.
 */
import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import type { LogLevel } from "../../core/effect.js";
import { defaultPolicy, type Policy, type ShellLimits } from "../../core/policy.js";
import { DEFAULT_OUTPUT_TOKENS, DEFAULT_WINDOW_TOKENS, type Effort } from "../../providers/settings.js";
import { utf8, type ReadFile } from "./files.js";
import { hookServers, type HookServers } from "./hookServers.js";
import { readReducerLimits, readShellLimits } from "./limits.js";
import { parseMcpServersFile } from "./mcpServersFile.js";
import { readNetwork, type NetworkSettings } from "./network.js";
import { readProvider, type ChosenProvider } from "./provider.js";
import { configError, quoted, read, readAll, readOr, type Environment, type Judged } from "./read.js";
import { builtInSystemPrompt } from "./systemPrompt.js";

import { SETTINGS } from "./variables.js";

export interface Config extends ChosenProvider {
  /** Models offered beside the configured one; `*` among them asks the host. */
  readonly models: readonly string[];
  readonly modelFilter: readonly string[];
  readonly configDirectory: O.Option<string>;
  readonly effort: O.Option<Effort>;
  /** None: the capability table's value for the model, then the default. */
  readonly windowTokens: O.Option<number>;
  readonly outputTokens: O.Option<number>;
  readonly systemPrompt: string;
  readonly hookServers: HookServers;
  readonly hints: boolean;
  readonly policy: Policy;
  readonly limits: ShellLimits;
  /** Servers for every session in the form of `session/new`, each still to be judged. */
  readonly mcpServers: readonly unknown[];
  readonly logLevel: LogLevel;
  readonly recordDirectory: O.Option<string>;
  readonly network: NetworkSettings;
}

const readTextOf = (variable: string, path: string, readFile: ReadFile): Judged<string> => {
  const bytes = readFile(path);
  const text = E.isLeft(bytes) ? bytes : utf8(bytes.right);
  return E.mapLeft((why: string) =>
    configError(variable, `${quoted(path)} cannot be read: ${why}`, "a readable UTF-8 file"),
  )(text);
};

const readSystemPrompt = (env: Environment, readFile: ReadFile): Judged<string> => {
  const { systemPrompt, systemPromptFile } = SETTINGS;
  const prompt = read(env, systemPrompt);
  const file = read(env, systemPromptFile);
  if (E.isLeft(prompt)) return prompt;
  if (E.isLeft(file)) return file;
  if (O.isNone(file.right)) return E.right(O.getOrElse(() => builtInSystemPrompt)(prompt.right));
  if (O.isNone(prompt.right)) return readTextOf(systemPromptFile.name, file.right.value, readFile);
  return E.left(configError(systemPromptFile.name, `is set beside ${systemPrompt.name}`, "one of the two"));
};

const readMcpServers = (env: Environment, readFile: ReadFile): Judged<readonly unknown[]> => {
  const { mcpServers } = SETTINGS;
  const path = read(env, mcpServers);
  if (E.isLeft(path)) return path;
  if (O.isNone(path.right)) return E.right([]);
  const file = path.right.value;
  const explain = (fault: string) =>
    configError(mcpServers.name, `${quoted(file)} ${fault}`, 'a file {"mcpServers": {…}}');
  const content = readTextOf(mcpServers.name, file, readFile);
  return E.isLeft(content) ? content : E.mapLeft(explain)(parseMcpServersFile(content.right));
};

const readPolicy = (env: Environment): Judged<Policy> => {
  const policy = readAll({
    limits: readReducerLimits(env),
    permissions: readOr(env, SETTINGS.permissions, defaultPolicy.permissions),
    requireReply: readOr(env, SETTINGS.requireReply, defaultPolicy.requireReply),
  });
  if (E.isLeft(policy)) return policy;
  const { limits, ...rest } = policy.right;
  return E.right({ ...defaultPolicy, ...limits, ...rest });
};

/** A window that one reply fills leaves no room for a question, so the gate of the handoff could never be satisfied. */
const checkTokens = (config: Config): Judged<Config> => {
  const window = O.getOrElse(() => DEFAULT_WINDOW_TOKENS)(config.windowTokens);
  const output = O.getOrElse(() => DEFAULT_OUTPUT_TOKENS)(config.outputTokens);
  if (window > output) return E.right(config);
  const { windowTokens, outputTokens } = SETTINGS;
  return E.left(
    configError(
      O.isSome(config.windowTokens) ? windowTokens.name : outputTokens.name,
      `the context window (${window}) does not exceed one reply (${output})`,
      `${windowTokens.name} above ${outputTokens.name}`,
    ),
  );
};

/** Only the direct Anthropic route is judged here: elsewhere the model decides, and it may change later (spec/providers.md 3.3). */
const checkEffort = (config: Config): Judged<Config> => {
  const { effort, provider } = config;
  if (provider.name !== "anthropic" || O.isNone(effort)) return E.right(config);
  if (effort.value !== "none" && effort.value !== "minimal") return E.right(config);
  return E.left(
    configError(SETTINGS.effort.name, `"${effort.value}" is not valid for Anthropic`, "low, medium, high, xhigh, max"),
  );
};

/** `env` is the process environment, `readFile` reads the files it names. The first fault wins. */
export const readConfig = (env: Environment, readFile: ReadFile): Judged<Config> => {
  const settings = readAll({
    chosen: readProvider(env),
    systemPrompt: readSystemPrompt(env, readFile),
    policy: readPolicy(env),
    limits: readShellLimits(env),
    models: readOr(env, SETTINGS.models, []),
    modelFilter: readOr(env, SETTINGS.modelFilter, []),
    configDirectory: read(env, SETTINGS.configDirectory),
    effort: read(env, SETTINGS.effort),
    windowTokens: read(env, SETTINGS.windowTokens),
    outputTokens: read(env, SETTINGS.outputTokens),
    hookNames: readOr(env, SETTINGS.hookServers, []),
    noHints: readOr(env, SETTINGS.noHints, false),
    mcpServers: readMcpServers(env, readFile),
    logLevel: readOr(env, SETTINGS.logLevel, "info" as const),
    recordDirectory: read(env, SETTINGS.record),
    network: readNetwork(env, readFile),
  });
  if (E.isLeft(settings)) return settings;
  const { chosen, hookNames, noHints, ...rest } = settings.right;
  const config = checkTokens({ ...chosen, ...rest, hookServers: hookServers(hookNames), hints: !noHints });
  return E.isLeft(config) ? config : checkEffort(config.right);
};
