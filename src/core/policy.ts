/**
 * Every limit and budget, in two tables: what the reducer decides by (here; kept in the session, so that a recorded log replays
 * under the limits it ran with) and what the shell keeps to (`shellLimits.ts`). The README's table is generated from both.
 */
import { defaults, fixed, KIB, MIB, set, type Limit } from "./limit.js";

export type { Limit } from "./limit.js";
export { defaultShellLimits, SHELL_LIMITS, type ShellLimit, type ShellLimits } from "./shellLimits.js";

/** Limits of the reducer. Sources: `decisions.md`, `spec/turn-loop.md`, `spec/providers.md` 3.3 and 3.4. */
export const REDUCER_LIMITS = {
  maxRounds: set("BUZZ_AGENT_MAX_ROUNDS", 0, "model requests in one turn; 0 = no limit"),
  maxTurnTokens: set("TURNFOLD_MAX_TURN_TOKENS", 0, "input + output tokens of one turn; 0 = no limit"),
  maxHandoffs: set("BUZZ_AGENT_MAX_HANDOFFS", 10, "handoff attempts in one turn, failed ones included"),
  maxOverflowAttempts: fixed(3, "forced handoffs in one turn after the provider refused the context for its length"),
  overflowBudgetBytesMin: fixed(4096, "smallest summary prompt that is still tried after an overflow"),
  maxCutOffRecoveries: fixed(2, "continuations in one turn after a reply was cut off"),
  stopMaxRejections: set(
    "BUZZ_AGENT_STOP_MAX_REJECTIONS",
    3,
    "objections of _Stop hooks and reply guard in one turn; 0 = hooks off",
  ),
  maxReplyReminders: fixed(2, "reminders of the reply guard in one turn"),
  maxToolCallsPerReply: fixed(64, "tool calls of one reply that are run; the rest is dropped and the model is told"),
  maxParallelTools: set("BUZZ_AGENT_MAX_PARALLEL_TOOLS", 8, "tool calls that run at the same time in one session", 1),
  maxHistoryBytes: set(
    "BUZZ_AGENT_MAX_HISTORY_BYTES",
    16 * MIB,
    "history kept in a session; oldest turns go first",
    MIB,
  ),
  promptBytesMax: fixed(MIB, "one prompt"),
  maxSteersWaiting: fixed(32, "steers that wait for the next round"),
  steerBytesMax: fixed(MIB, "all waiting steers together"),
  toolResultTextBytesMax: set(
    "BUZZ_AGENT_MAX_TOOL_RESULT_TEXT_BYTES",
    50 * KIB,
    "text of one tool result; more is elided in the middle",
    KIB,
    8 * MIB,
  ),
  toolResultBytesMax: fixed(8 * MIB, "text and images of one tool result together"),
  markerFieldBytesMax: fixed(256, "a name, mime type or uri inside a marker of ours"),
  imagePressureBytes: fixed(16 * KIB, "what an image counts for in the handoff gate"),
  summaryOutputTokensMax: fixed(8192, "output limit of a summary request"),
  summaryTextBytesMax: fixed(64 * KIB, "summary that replaces the history"),
  summaryTaskBytesMax: fixed(16 * KIB, "original task inside a summary prompt"),
  maxSummaryToolNames: fixed(20, "tool names inside a summary prompt"),
  summaryToolResultBytesMin: fixed(512, "what a tool result may always take inside a summary prompt"),
  hookTextBytesMax: fixed(16 * KIB, "hook texts that join the history at once"),
} as const satisfies Record<string, Limit>;

export type ReducerLimit = keyof typeof REDUCER_LIMITS;

/** When the client is asked before a tool runs. `writes`: all but tools that their server calls read-only. */
export type PermissionMode = "never" | "writes" | "always";

/** A kept call that counts as the turn's reply to the outside world (reply guard). */
export interface ReplyShape {
  readonly nameEnding: string;
  readonly argument: string;
  readonly fragments: readonly string[];
}

/** What one session is held to. */
export type Policy = { readonly [K in ReducerLimit]: number } & {
  readonly permissions: PermissionMode;
  readonly requireReply: boolean;
  readonly replyShape: ReplyShape;
};

export const defaultPolicy: Policy = {
  ...defaults(REDUCER_LIMITS),
  permissions: "never",
  requireReply: false,
  replyShape: { nameEnding: "__shell", argument: "command", fragments: ["messages send", "reactions add"] },
};
