/** `turnfold` as an ACP agent: the environment is judged, then stdin is served until its end. */
import { isLeft } from "fp-ts/lib/Either.js";
import type { AgentIdentity, TerminalLogin } from "./acp/agent.js";
import { readConfig, type Config } from "./config/config.js";
import { describeConfigError } from "./config/read.js";
import { readFile } from "./config/files.js";
import { BAD_USE, refuseTerminal, serveAgent, type AgentProcess } from "./serveAgent.js";
import type { Output } from "./stdio/guard.js";
import { version } from "./version.js";

/** `credential`: a login is offered where nothing else proves who we are. */
const identityFor = ({ credential, provider }: Config): AgentIdentity => ({
  name: "turnfold",
  title: "Turnfold",
  version,
  authMethods: credential.kind === "login" ? [databricksLogin(provider.baseUrl)] : [],
});

const databricksLogin = (host: string): TerminalLogin => ({
  id: "databricks",
  name: "Sign in to Databricks",
  description: `Signs in at ${host} through the browser`,
  args: ["auth", "databricks"],
});

/** `unknown`: arguments that mean nothing to an agent. */
export const runAgent = async (unknown: readonly string[], output: Output): Promise<number> => {
  for (const argument of unknown) {
    process.stderr.write(
      `turnfold: ignoring unknown argument ${JSON.stringify(argument)}; serving ACP on stdin (see turnfold --help)\n`,
    );
  }
  if (refuseTerminal('try: turnfold ask "what is in this folder?"')) return BAD_USE;
  const config = readConfig(process.env, readFile);
  if (isLeft(config)) {
    process.stderr.write(`${describeConfigError(config.left)}\n`);
    return BAD_USE;
  }
  const { limits, logLevel } = config.right;
  const load: AgentProcess["load"] = async ({ secrets, log }) => {
    const { createMainAgent } = await import("./agent/main.js");
    return createMainAgent({ config: config.right, secrets, log, environment: process.env, version });
  };
  return serveAgent({ identity: identityFor(config.right), limits, logLevel, load }, output);
};
