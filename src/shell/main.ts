#!/usr/bin/env node
// Before anything else: from here on, stdout is the writer's alone.
import { output } from "./stdio/guard.js";
import { findCommand } from "./cli/commands.js";

const { argv } = process;
const command = findCommand(argv[2]);
const code = await (command === undefined
  ? (await import("./agentMode.js")).runAgent(argv.slice(2), output)
  : command(argv.slice(3), output));
process.exit(code);
