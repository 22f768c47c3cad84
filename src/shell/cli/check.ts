/** `turnfold check`: is everything there that a session needs? One page for a person; exit code 0 if so, else 1. */
import * as E from "fp-ts/lib/Either.js";
import { readConfig, type Config } from "../config/config.js";
import { readFile } from "../config/files.js";
import { describeConfigError, type Environment } from "../config/read.js";
import { secretValues } from "../config/secretValues.js";
import { createLog, escapeControls } from "../log.js";
import { createSecrets, type Secrets } from "../secrets.js";
import { version } from "../version.js";
import { checkModel } from "./checkModel.js";
import { checkServers } from "./checkServers.js";
import { environmentLines } from "./checkEnvironment.js";
import type { CliOutput } from "./replay.js";

const USAGE = "usage: turnfold check";

/** What one part found out. */
export interface Finding {
  readonly ok: boolean;
  readonly lines: readonly string[];
}

const BAD_USE = 2;

export const runCheck = async (argv: readonly string[], cli: CliOutput): Promise<number> => {
  if (argv.length > 0) {
    cli.err(`turnfold: check takes no arguments; ${USAGE}`);
    return BAD_USE;
  }
  return check(process.env, cli.out);
};

/** `env` as the agent would be started with it. */
export const check = async (env: Environment, out: (line: string) => void): Promise<number> => {
  const secrets = createSecrets(secretValues(env));
  const say = (title: string, { lines }: Finding): void => {
    for (const line of [title, ...lines.map((each) => `  ${each}`), ""]) out(secrets.redact(escapeControls(line)));
  };
  out(`turnfold ${version}\n`);
  say("Environment", { ok: true, lines: environmentLines(env) });
  const config = readConfig(env, readFile);
  if (E.isLeft(config)) {
    out(describeConfigError(config.left));
    return 1;
  }
  const { model, servers } = await findings(config.right, secrets, env);
  say("Model", model);
  say("MCP servers", servers);
  const ok = model.ok && servers.ok;
  out(ok ? "All is well." : "Not all is well: see above.");
  return ok ? 0 : 1;
};

const findings = async (config: Config, secrets: Secrets, env: Environment) => {
  // What would be logged is on the page; only with TURNFOLD_LOG=debug is the way to it shown as well.
  const level = config.logLevel === "debug" ? "debug" : "error";
  const log = createLog({ level, stream: () => process.stderr, redact: secrets.redact, now: Date.now });
  const [model, servers] = await Promise.all([checkModel(config, secrets, log), checkServers(config, env, log)]);
  return { model, servers };
};
