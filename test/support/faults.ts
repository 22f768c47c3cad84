/** What the fault server can do wrong in a call, and what such a call ends with. */
import type { ToolOutcome } from "../../src/core/event.js";
import type { ShellLimits } from "../../src/core/policy.js";
import { within } from "./slowness.js";

export interface Fault {
  readonly tool: string;
  readonly args?: object;
  /** What the call ends with when nothing else happens. */
  readonly kind: ToolOutcome["kind"];
  readonly words: RegExp;
  /** The server has ended, or was ended, by this. */
  readonly dies?: true;
  /** The result says of itself that it is an error. */
  readonly isError?: true;
}

const DIES = { kind: "failed", dies: true } as const;

export const FAULTS: readonly Fault[] = [
  { tool: "echo", kind: "result", words: /^ok$/ },
  { tool: "hang", kind: "timedOut", words: /timed out after [\d.]+ s.*MCP server f was stopped/, dies: true },
  { tool: "crash", ...DIES, words: /MCP server f: exited with code 3/ },
  { tool: "crashWithWords", ...DIES, words: /exited with code 4: .*the disk is on fire/ },
  { tool: "kill", ...DIES, words: /was ended by SIGKILL/ },
  { tool: "crashAfterAnswer", kind: "result", words: /^last words$/, dies: true },
  { tool: "crashSoon", args: { ms: 1 }, kind: "result", words: /^soon$/, dies: true },
  { tool: "halfLine", ...DIES, words: /exited with code 7/ },
  { tool: "endlessLine", ...DIES, words: /sent a line over 2097152 bytes/ },
  { tool: "closeStdout", ...DIES, words: /closed its output/ },
  { tool: "closeStdin", kind: "timedOut", words: /timed out after [\d.]+ s/, dies: true },
  { tool: "noise", kind: "result", words: /^after the noise$/ },
  { tool: "wrongId", kind: "result", words: /^right$/ },
  { tool: "stringId", kind: "result", words: /^as a string$/ },
  { tool: "duplicate", kind: "result", words: /^first$/ },
  { tool: "crlf", kind: "result", words: /^crlf$/ },
  { tool: "bytewise", kind: "result", words: /^naïve 💡$/ },
  { tool: "rejects", kind: "rejected", words: /^rejected: no such flavour$/ },
  { tool: "connectionClosedError", kind: "rejected", words: /Connection closed, says the server/ },
  { tool: "strangeError", kind: "rejected", words: /no reason given/ },
  { tool: "isError", kind: "result", words: /^it did not work$/, isError: true },
  { tool: "stringResult", kind: "failed", words: /the answer holds no result/ },
  { tool: "noResult", kind: "failed", words: /the answer holds no result/ },
  { tool: "emptyResult", kind: "result", words: /^$/ },
  { tool: "strangeMeta", kind: "result", words: /^meta$/ },
  { tool: "content", kind: "result", words: /inside y[\s\S]*unreadable content block: of type hologram/ },
  { tool: "structured", kind: "result", words: /^\{"n":18446744073709551615\}$/ },
  { tool: "both", kind: "result", words: /^for people$/ },
  { tool: "asks", kind: "result", words: /"roots":\[\].*"action":"decline".*-32601/ },
  { tool: "changes", kind: "result", words: /^\d+$/ },
  { tool: "stderr", kind: "result", words: /^loud$/ },
  { tool: "grandchild", kind: "result", words: /^\d+$/ },
];

/** What a call may end with that a dying server takes along, or that is made when there is no server any more. */
export const LOST = /^(?:failed|timedOut): .*(?:MCP server f|no longer available)/;

/** The same as the model reads it. */
export const LOST_WORDS = /^(?:[^:]*timed out|MCP server f|no longer available)/;

/** The fault's own end, or one of others; joined for one expectation. */
export const acceptable = (fault: Fault, ...others: readonly RegExp[]): RegExp =>
  RegExp([fault.words, ...others].map(({ source }) => source).join("|"));

/**
 * A fault that only the time limit ends takes all of it; everything else has time, on a busy machine too. `failures`: more than the
 * test will cause, so that none of them exhausts the server by the way.
 */
export const limitsFor = ({ kind }: Fault, failures: number): Partial<ShellLimits> => ({
  toolTimeoutSeconds: kind === "timedOut" ? within(1000) / 1000 : 120,
  mcpLineBytesMax: 2 * 1024 * 1024,
  mcpRestartMaxAttempts: failures,
});
