/** A complete environment for each provider, and readers that say what became of one. */
import * as E from "fp-ts/lib/Either.js";
import { readConfig, type Config } from "../../../src/shell/config/config.js";
import { describeConfigError, type Environment } from "../../../src/shell/config/read.js";
import type { ReadFile } from "../../../src/shell/config/files.js";

export const anthropic: Environment = {
  BUZZ_AGENT_PROVIDER: "anthropic",
  ANTHROPIC_API_KEY: "sk-ant-1",
  ANTHROPIC_MODEL: "claude-opus-4-8",
};
export const openai: Environment = {
  BUZZ_AGENT_PROVIDER: "openai",
  OPENAI_COMPAT_API_KEY: "sk-oa-1",
  OPENAI_COMPAT_MODEL: "gpt-5.5",
};
export const databricks: Environment = {
  BUZZ_AGENT_PROVIDER: "databricks",
  DATABRICKS_HOST: "https://dbc.example",
  DATABRICKS_MODEL: "goose-opus",
};

const noFiles: ReadFile = () => E.left("ENOENT");

export const files =
  (contents: Readonly<Record<string, string>>): ReadFile =>
  (path) =>
    E.map((content: string) => new TextEncoder().encode(content))(E.fromNullable("ENOENT")(contents[path]));

/** The configuration of an environment that must be good. */
export const config = (env: Environment, readFile: ReadFile = noFiles): Config => {
  const judged = readConfig(env, readFile);
  if (E.isLeft(judged)) throw new Error(describeConfigError(judged.left));
  return judged.right;
};

/** The line of an environment that must be bad. */
export const fault = (env: Environment, readFile: ReadFile = noFiles): string => {
  const judged = readConfig(env, readFile);
  if (E.isRight(judged)) throw new Error("the environment was accepted");
  return describeConfigError(judged.left);
};
