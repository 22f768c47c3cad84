/**
 * The log: one line each on stderr, for people and for grep. It never ends the program, never holds it up, and never speaks
 * about itself: when nobody reads stderr any more it falls silent (`spec/acp.md` 3.8 #71).
 */
import type { Writable } from "node:stream";
import type { LogFields, LogLevel } from "../core/effect.js";
import { defaultShellLimits } from "../core/policy.js";

export type Log = (level: LogLevel, message: string, fields?: LogFields) => void;

export interface LogOptions {
  /** The least important level that is still written. */
  readonly level: LogLevel;
  /** Called for the first line. */
  readonly stream: () => Writable;
  /** Takes secrets out. */
  readonly redact: (text: string) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const importance: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3 };

/** Anything that could begin a new line, move a cursor or colour a terminal, and of surrogates those that stand alone. */
// eslint-disable-next-line no-control-regex -- control characters are what this is about
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/gu;

/** One line whatever `text` holds, readable by whoever reads JSON strings. */
export const escapeControls = (text: string): string =>
  text.replace(CONTROL, (character) => {
    if (character === "\n") return "\\n";
    return character === "\t" ? "\\t" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });

const value = (field: string | number): string => {
  const text = escapeControls(String(field));
  return /^[^\s"=]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`;
};

const { logLineCharactersMax, logQueueBytesMax } = defaultShellLimits;

const cut = (line: string): string =>
  line.length <= logLineCharactersMax ? line : `${line.slice(0, logLineCharactersMax)}…`;

export const createLog = ({ level, stream, redact, now }: LogOptions): Log => {
  let broken = false;
  let opened: Writable | undefined;
  const open = (): Writable =>
    stream().on("error", () => {
      broken = true;
    });
  return (each, message, fields = {}) => {
    if (broken || importance[each] > importance[level]) return;
    // Somebody holds the other end and does not read it: memory is worth more than what he would read later.
    opened ??= open();
    if (opened.writableLength > logQueueBytesMax) return;
    const pairs = Object.entries(fields).map(([key, field]) => ` ${key}=${value(field)}`);
    // Secrets are taken out before the line is cut, or half of one would stay.
    const text = redact(`${escapeControls(message)}${pairs.join("")}`);
    opened.write(`${new Date(now()).toISOString()} ${each} ${cut(text)}\n`);
  };
};
