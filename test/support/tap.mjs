// Stands between a client that starts its agent itself and the agent: passes everything through, and writes what the agent says
// to files for the test to judge, its stdout to the one that is named first, its stderr to that name with ".stderr" behind it.
// Arguments: the file, then the agent's command.

import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";

const [file = "", command = "", ...args] = process.argv.slice(2);
const agent = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
process.stdin.pipe(agent.stdin);
agent.stdin.on("error", () => undefined);
/** @type {(from: import("node:stream").Readable, to: NodeJS.WritableStream, name: string) => import("node:fs").WriteStream} */
const tap = (from, to, name) => {
  const log = createWriteStream(name, { flags: "a" });
  from.on("data", (chunk) => {
    log.write(chunk);
    to.write(chunk);
  });
  return log;
};
const logs = [tap(agent.stdout, process.stdout, file), tap(agent.stderr, process.stderr, `${file}.stderr`)];
for (const signal of /** @type {const} */ (["SIGTERM", "SIGINT", "SIGHUP"]))
  process.on(signal, () => agent.kill(signal));
agent.on("close", (code) => {
  process.exitCode = code ?? 1;
  for (const log of logs) log.end();
  process.stdin.destroy();
});
