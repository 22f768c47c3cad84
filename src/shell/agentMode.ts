/** `turnfold` as an ACP agent: the environment is judged, then stdin is served until its end. */
import { isLeft } from "fp-ts/lib/Either.js";
import type { AgentIdentity } from "./acp/agent.js";
import { readConfig } from "./config/config.js";
import { describeConfigError } from "./config/read.js";
import { readFile } from "./config/files.js";
import { BAD_USE, refuseTerminal, serveAgent, type AgentProcess } from "./serveAgent.js";
import type { Output } from "./stdio/guard.js";
import { version } from "./version.js";

export const identity: AgentIdentity = { name: "turnfold", title: "Turnfold", version, authMethods: [] };

/** Ways in which clients start an agent (`spec/acp.md` 3.3 #2). */
const AGENT_ARGUMENTS = new Set(["acp", "--acp", "--experimental-acp"]);

export const runAgent = async (argv: readonly string[], output: Output): Promise<number> => {
  for (const argument of argv.filter((each) => !AGENT_ARGUMENTS.has(each))) {
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
  return serveAgent({ identity, limits, logLevel, load }, output);
};
