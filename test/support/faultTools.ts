/** A session's tools with the fault server in them, and everything a test wants to see of it. */
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { isLeft } from "fp-ts/lib/Either.js";
import type { ToolOutcome } from "../../src/core/event.js";
import { defaultShellLimits, type ShellLimits } from "../../src/core/policy.js";
import { openTools, type OpenToolsFailure, type OpenToolsOptions } from "../../src/shell/mcp/index.js";
import type { Notice, ToolsPort } from "../../src/shell/ports.js";
import { processesWith } from "./processes.js";
import { within } from "./slowness.js";
import { until } from "./until.js";

const FAULT_SERVER = fileURLToPath(new URL("faultServer.mjs", import.meta.url));

/** Never fires. */
export const noSignal = new AbortController().signal;

/** An entry of `mcpServers` that starts the fault server. */
export const faultEntry = (name: string, env: Readonly<Record<string, string>> = {}): object => ({
  name,
  command: process.execPath,
  args: [FAULT_SERVER],
  env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
});

/** Restarts come fast, so that tests do; a busy machine may take its time to start a server. */
const LIMITS: ShellLimits = { ...defaultShellLimits, mcpRestartBaseMs: 1, mcpRestartMaxMs: 5, mcpGraceMs: 30_000 };

export interface Opening {
  readonly entries: readonly unknown[];
  readonly limits?: Partial<ShellLimits>;
  readonly options?: Partial<OpenToolsOptions>;
}

export interface Opened {
  readonly port: ToolsPort;
  readonly notices: readonly Notice[];
  /** Every log line so far, as one text each. */
  readonly logged: readonly string[];
  /** In the environment of everything that the servers start. */
  readonly mark: string;
  readonly run: (tool: string, args?: object, signal?: AbortSignal) => Promise<ToolOutcome>;
  /** Resolves when the server has said on its stderr that a call of this tool has arrived for the nth time. */
  readonly received: (tool: string, times?: number) => Promise<unknown>;
  /** Ends all servers and fails if anything of them is left. */
  readonly close: (graceMs?: number) => Promise<void>;
}

export const tryOpen = async (opening: Opening): Promise<OpenToolsFailure | Opened> => {
  const mark = `TURNFOLD_TEST_MARK=${randomUUID()}`;
  const logged: string[] = [];
  const opened = await openTools({
    entries: opening.entries.map((entry) => marked(entry, mark)),
    ownEntries: [],
    cwd: process.cwd(),
    environment: process.env,
    limits: { ...LIMITS, ...opening.limits },
    hookServers: { kind: "none" },
    builtIns: [],
    log: (level, message, fields) => void logged.push(`${level} ${message} ${JSON.stringify(fields)}`),
    signal: noSignal,
    ...opening.options,
  });
  if (isLeft(opened)) {
    await nothingLeft(mark);
    return opened.left;
  }
  const port = opened.right;
  const notices: Notice[] = [];
  port.onNotice((notice) => notices.push(notice));
  return {
    port,
    notices,
    logged,
    mark,
    run: (tool, args = {}, signal = new AbortController().signal) => port.run(tool, JSON.stringify(args), signal),
    received: (tool, times = 1) =>
      until(`${tool} received`, () => logged.filter((line) => line.includes(`"received ${tool}"`)).length >= times),
    close: async (graceMs = 1000) => {
      await port.close(graceMs);
      await nothingLeft(mark);
    },
  };
};

export const open = async (opening: Opening): Promise<Opened> => {
  const opened = await tryOpen(opening);
  if ("port" in opened) return opened;
  throw new Error(`not opened: ${JSON.stringify(opened)}`);
};

const marked = (entry: unknown, mark: string): unknown => {
  if (typeof entry !== "object" || entry === null || !("env" in entry) || !Array.isArray(entry.env)) return entry;
  const [name, value] = mark.split("=");
  return { ...entry, env: [...entry.env, { name, value }] };
};

/** The kernel may take a moment to take a killed process away. */
const nothingLeft = (mark: string): Promise<unknown> =>
  until("every process of the servers gone", () => processesWith(mark).length === 0, within(500));

/** The text parts of a result as one text, or the outcome's kind and message. */
export const textOf = (outcome: ToolOutcome): string => {
  if (outcome.kind !== "result") return "message" in outcome ? `${outcome.kind}: ${outcome.message}` : outcome.kind;
  return outcome.parts.map((part) => (part.kind === "text" ? part.text : `[${part.mimeType}]`)).join("\n");
};
