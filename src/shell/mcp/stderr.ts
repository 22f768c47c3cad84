/** What a server writes to stderr: forwarded line by line, and its end kept for the message if it fails. Bounded throughout. */
import type { Readable } from "node:stream";
import { oneLine } from "../../core/text.js";

const KEPT_LINES = 3;
const LINE_CHARACTERS_MAX = 4096;
/** At least as long as any secret that is worth looking for. */
const CARRIED_CHARACTERS = 1024;
const SHOWN_BYTES_MAX = 400;

export interface StderrTail {
  /** The last lines as one, or "". */
  readonly text: () => string;
}

export const readStderr = (
  stream: Readable,
  redact: (text: string) => string,
  onLine: (line: string) => void,
): StderrTail => {
  const kept: string[] = [];
  let rest = "";
  const take = (raw: string): void => {
    const line = redact(raw).slice(0, LINE_CHARACTERS_MAX);
    if (line.trim() === "") return;
    kept.push(line);
    if (kept.length > KEPT_LINES) kept.shift();
    onLine(line);
  };
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split(/\r?\n/);
    // A line that does not end is given out in pieces.
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
    if (rest.length < LINE_CHARACTERS_MAX + CARRIED_CHARACTERS) return;
    // Cleaned as a whole, and its end kept for what comes next: a secret that lies across the cut is met whole.
    const clean = redact(rest);
    take(clean.slice(0, -CARRIED_CHARACTERS));
    rest = clean.slice(-CARRIED_CHARACTERS);
  });
  stream.on("end", () => take(rest));
  stream.on("error", () => {});
  return { text: () => oneLine([...kept].join(" | ").slice(-SHOWN_BYTES_MAX), SHOWN_BYTES_MAX) };
};
