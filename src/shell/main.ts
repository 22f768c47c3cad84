#!/usr/bin/env node
// Before anything else: from here on, stdout is the writer's alone.
import { output } from "./stdio/guard.js";
import { runAgent } from "./agentMode.js";

/** Ways in which clients start an agent (`spec/acp.md` 3.3 #2). */
const AGENT_ARGUMENTS: ReadonlySet<string> = new Set(["acp", "--acp", "--experimental-acp"]);

const run = async (args: readonly string[]): Promise<number> => {
  // For a login a client starts the agent as it always does, with the arguments of the login behind (`spec/acp.md` 1.4).
  const at = args.findIndex((each) => !AGENT_ARGUMENTS.has(each));
  const name = args[at];
  if (name === undefined) return runAgent([], output);
  const { findCommand } = await import("./cli/commands.js");
  const command = findCommand(name);
  if (command !== undefined) return command(args.slice(at + 1), output);
  return runAgent(
    args.filter((each) => !AGENT_ARGUMENTS.has(each)),
    output,
  );
};

void run(process.argv.slice(2)).then((code) => process.exit(code));
