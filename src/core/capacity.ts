/** How much of the context window there is, and how much of it the next request is taken to need (`spec/turn-loop.md` 4.1). */
import { isSome } from "fp-ts/lib/Option.js";
import type { Settings, Tool } from "./model.js";
import type { Session } from "./session.js";

/** Dense text and schemas never have fewer bytes to a token. */
const FIXED_BYTES_PER_TOKEN = 3;

/** Tokens that one reply may take: the configured limit, cut to a quarter of a window that is smaller than four times it. */
export const outputLimit = (settings: Settings): number =>
  Math.min(settings.maxOutputTokens, Math.floor(settings.windowTokens / 4));

/** Tokens from which on history is handed over: nine tenths of the window, and room for a reply. */
export const handoffThreshold = (settings: Settings): number =>
  Math.min(Math.floor(settings.windowTokens / 10) * 9, settings.windowTokens - outputLimit(settings));

const fixedTokens = (systemBytes: number, toolBytes: number): number =>
  Math.ceil((systemBytes + toolBytes) / FIXED_BYTES_PER_TOKEN);

export interface FixedPart {
  /** The tools that are sent, in catalogue order. */
  readonly tools: readonly Tool[];
  readonly leftOut: number;
  /** System text and those tools, in tokens. */
  readonly tokens: number;
}

/** What every request carries beside history. If it alone reaches half the threshold, the last tools stay behind until it does not. */
export const fixedPart = (session: Pick<Session, "systemBytes" | "catalog" | "settings">): FixedPart => {
  const { tools, toolBytes } = session.catalog;
  const half = handoffThreshold(session.settings) / 2;
  let bytes = toolBytes.reduce((a, b) => a + b, 0);
  let kept = tools.length;
  while (kept > 0 && fixedTokens(session.systemBytes, bytes) >= half) {
    kept -= 1;
    bytes -= toolBytes[kept] ?? 0;
  }
  return {
    tools: kept === tools.length ? tools : tools.slice(0, kept),
    leftOut: tools.length - kept,
    tokens: fixedTokens(session.systemBytes, bytes),
  };
};

export interface Projection {
  /** Upper bound for the next request's input: one byte of growth counts as one token. */
  readonly tokens: number;
  readonly due: boolean;
}

/** Whether the next request would be too long, by the last reading if there is one, otherwise by size. */
export const project = (
  session: Pick<Session, "settings" | "policy" | "history" | "reading">,
  fixed: FixedPart,
): Projection => {
  const threshold = handoffThreshold(session.settings);
  const pressure = session.history.pressureBytes;
  if (isSome(session.reading)) {
    const { inputTokens, pressureBytes } = session.reading.value;
    // A reading may be any counter that a provider made up; the sum stays one that a number holds.
    const tokens = Math.min(Number.MAX_SAFE_INTEGER, inputTokens + Math.max(0, pressure - pressureBytes));
    return { tokens, due: tokens >= threshold };
  }
  const tokens = fixed.tokens + pressure;
  return { tokens, due: tokens > Math.min(threshold, Math.floor(session.policy.maxHistoryBytes / 10) * 9) };
};
