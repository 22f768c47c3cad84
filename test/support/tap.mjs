// Stands between a client that starts its agent itself and the agent: passes everything through, and writes every line of the
// agent's stdout to a file for the test to judge. Arguments: the file, then the agent's command.

import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";

const [file = "", command = "", ...args] = process.argv.slice(2);
const log = createWriteStream(file, { flags: "a" });
const agent = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(agent.stdin);
agent.stdin.on("error", () => undefined);
agent.stdout.on("data", (chunk) => {
  log.write(chunk);
  process.stdout.write(chunk);
});
for (const signal of /** @type {const} */ (["SIGTERM", "SIGINT", "SIGHUP"]))
  process.on(signal, () => agent.kill(signal));
agent.on("exit", (code) => log.end(() => process.exit(code ?? 1)));
