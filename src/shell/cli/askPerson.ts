/** The permission question to the person at the terminal. Without a terminal nobody can allow anything. */
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import type { PermissionAnswer } from "../../core/event.js";
import { elideMiddle } from "../../core/text.js";
import type { PermissionQuestion } from "../acp/agent.js";
import { escapeControls } from "../log.js";

const SHOWN_BYTES = 2000;

const ANSWERS: Readonly<Record<string, PermissionAnswer>> = {
  y: "allowOnce",
  yes: "allowOnce",
  a: "allowAlways",
  always: "allowAlways",
};

export const askPerson = async (question: PermissionQuestion, signal: AbortSignal): Promise<PermissionAnswer> => {
  if (!process.stdin.isTTY) {
    process.stderr.write(`! ${question.name} is not allowed: there is no terminal to ask at\n`);
    return "rejectOnce";
  }
  // One line of printable characters: whoever wrote the arguments must not be able to write the question anew.
  const shown = escapeControls(elideMiddle(question.argumentsText, SHOWN_BYTES, "arguments"));
  const name = escapeControls(question.name);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // While it reads, the terminal hands out no signals: Ctrl-C comes here, and Ctrl-D as the end of the line that never came.
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  const closed = once(terminal, "close").then(() => "");
  try {
    const asked = terminal.question(`? Run ${name} ${shown}? [y]es, [a]lways, [N]o `, { signal });
    const line = await Promise.race([asked, closed]);
    return ANSWERS[line.trim().toLowerCase()] ?? "rejectOnce";
  } catch {
    return "cancelled";
  } finally {
    terminal.close();
  }
};
