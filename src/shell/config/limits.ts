/** The limits' part of the environment: both tables of `core/policy.ts`, and what must hold between limits. */
import * as E from "fp-ts/lib/Either.js";
import { defaults, keysOf } from "../../core/limit.js";
import { REDUCER_LIMITS, SHELL_LIMITS, type Limit, type ShellLimits } from "../../core/policy.js";
import { configError, readOr, type Environment, type Judged } from "./read.js";
import { limitVariable } from "./variables.js";

const readLimit = (env: Environment, limit: Limit): Judged<number> =>
  // Most are not set, and then there is nothing to judge.
  env[limit.variable] === undefined ? E.right(limit.default) : readOr(env, limitVariable(limit), limit.default);

const readTable = <K extends string>(
  env: Environment,
  table: Readonly<Record<K, Limit>>,
): Judged<Record<K, number>> => {
  const values = defaults(table);
  for (const key of keysOf(table)) {
    const value = readLimit(env, table[key]);
    if (E.isLeft(value)) return value;
    values[key] = value.right;
  }
  return E.right(values);
};

export const readReducerLimits = (env: Environment): Judged<{ readonly [K in keyof typeof REDUCER_LIMITS]: number }> =>
  readTable(env, REDUCER_LIMITS);

export const readShellLimits = (env: Environment): Judged<ShellLimits> => {
  const limits = readTable(env, SHELL_LIMITS);
  if (E.isLeft(limits)) return limits;
  const { mcpRestartBaseMs, mcpRestartMaxMs } = limits.right;
  if (mcpRestartMaxMs >= mcpRestartBaseMs) return limits;
  const base = SHELL_LIMITS.mcpRestartBaseMs.variable;
  return E.left(
    configError(
      SHELL_LIMITS.mcpRestartMaxMs.variable,
      `${mcpRestartMaxMs} is below ${base} (${mcpRestartBaseMs})`,
      `${mcpRestartBaseMs} or more`,
    ),
  );
};
