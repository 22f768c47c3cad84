// A client between a test and the agent: starts the program that its arguments name and passes bytes both ways. Killed, it takes
// its ends of the agent's pipes with it and does nothing else, as an editor does that crashes.
import { spawn } from "node:child_process";

const child = spawn(process.execPath, process.argv.slice(2), { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
child.on("exit", (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
