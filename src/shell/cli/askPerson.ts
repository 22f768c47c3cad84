/** The permission question to the person at the terminal. Without a terminal nobody can allow anything. */
import { createInterface } from "node:readline/promises";
import type { PermissionAnswer } from "../../core/event.js";
import { elideMiddle } from "../../core/text.js";
import type { PermissionQuestion } from "../acp/agent.js";

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
  const shown = elideMiddle(question.argumentsText, SHOWN_BYTES, "arguments");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const line = await terminal.question(`? Run ${question.name} ${shown}? [y]es, [a]lways, [N]o `, { signal });
    return ANSWERS[line.trim().toLowerCase()] ?? "rejectOnce";
  } catch {
    return "cancelled";
  } finally {
    terminal.close();
  }
};
