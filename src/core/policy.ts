/**
 * Every limit and budget, in two tables: what the reducer decides by (kept in the session, so that a recorded log replays under
 * the limits it ran with) and what the shell keeps to. The README's table is generated from here; the shell reads the variables.
 */

export interface Limit {
  readonly default: number;
  /** Accepted range, inclusive. */
  readonly min: number;
  readonly max: number;
  /** Environment variable that sets it, or "" where it is fixed. */
  readonly variable: string;
  readonly meaning: string;
}

/** The longest wait that a timer of Node's can hold: 2^31 − 1 ms. Above it a timer fires at once (F57). */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** 2^53 − 1: the largest integer that a limit can hold exactly. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

const fixed = (value: number, meaning: string): Limit => ({
  default: value,
  min: value,
  max: value,
  variable: "",
  meaning,
});
const set = (variable: string, value: number, meaning: string, min = 0, max = UNBOUNDED): Limit => ({
  default: value,
  min,
  max,
  variable,
  meaning,
});

const milliseconds = (variable: string, value: number, meaning: string, min = 0): Limit =>
  set(variable, value, meaning, min, TIMER_MS_MAX);
const seconds = (variable: string, value: number, meaning: string, min = 0): Limit =>
  set(variable, value, meaning, min, Math.floor(TIMER_MS_MAX / 1000));

const KIB = 1024;
const MIB = 1024 * 1024;

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

/** Limits of the shell and the dialects. Same sources, and `spec/server-mcp.md` 14. */
export const SHELL_LIMITS = {
  maxLineBytes: set("BUZZ_AGENT_MAX_LINE_BYTES", 4 * MIB, "one frame from the client", KIB),
  maxSessions: set("BUZZ_AGENT_MAX_SESSIONS", UNBOUNDED, "open sessions; 0 refuses all"),
  sessionIdleTimeoutSeconds: seconds(
    "BUZZ_AGENT_SESSION_IDLE_TIMEOUT_SECS",
    0,
    "idle sessions are closed after this long; 0 = never",
  ),
  systemPromptBytesMax: fixed(512 * KIB, "system prompt with project hints"),
  hintsBytesMax: fixed(128 * KIB, "all AGENTS.md files together; the nearest is the last to be cut"),
  maxSkills: fixed(128, "skills of one session"),
  maxSkillFiles: fixed(256, "supporting files of one skill"),
  skillTextBytesMax: fixed(32 * KIB, "what load_skill shows at a time"),
  sessionNewMs: fixed(8000, "answer to session/new"),
  mcpGraceMs: milliseconds("TURNFOLD_MCP_GRACE_MS", 5000, "how long session/new waits for its servers"),
  mcpInitTimeoutSeconds: seconds(
    "BUZZ_AGENT_MCP_INIT_TIMEOUT_SECS",
    30,
    "start and tool listing of one server together",
    1,
  ),
  mcpRestartMaxAttempts: set("BUZZ_AGENT_MCP_RESTART_MAX_ATTEMPTS", 3, "starts of a failing server in a row", 1),
  mcpRestartBaseMs: milliseconds("BUZZ_AGENT_MCP_RESTART_BASE_MS", 500, "first wait before a restart; doubles", 1),
  mcpRestartMaxMs: milliseconds("BUZZ_AGENT_MCP_RESTART_MAX_MS", 30_000, "longest wait before a restart", 1),
  maxMcpServers: fixed(16, "MCP servers in one session"),
  mcpLineBytesMax: set("TURNFOLD_MCP_LINE_BYTES", 16 * MIB, "one line from an MCP server", KIB),
  maxMcpPages: set("TURNFOLD_MCP_PAGES", 100, "pages of one tool listing", 1),
  maxListedTools: fixed(4096, "tools read of one listing"),
  maxTools: set("TURNFOLD_MAX_TOOLS", 128, "visible tools in one session, in server order"),
  catalogBytesMax: set("TURNFOLD_CATALOG_BYTES", 256 * KIB, "tool definitions of one session together"),
  toolSchemaBytesMax: set(
    "TURNFOLD_TOOL_SCHEMA_BYTES",
    32 * KIB,
    "schema of one tool; a larger one becomes an empty object schema",
  ),
  toolDescriptionBytesMax: set(
    "TURNFOLD_TOOL_DESCRIPTION_BYTES",
    8 * KIB,
    "description of one tool; a longer one is cut",
  ),
  toolNameBytesMax: fixed(64, "qualified tool name; a longer one is shortened"),
  toolTimeoutSeconds: seconds(
    "BUZZ_AGENT_TOOL_TIMEOUT_SECS",
    660,
    "one tool call, a restart of its server included",
    1,
  ),
  hookTimeoutMs: milliseconds("BUZZ_AGENT_HOOK_TIMEOUT_MS", 2500, "one hook call"),
  cancelDrainMs: fixed(5000, "how long a cancelled turn waits for running tools"),
  shutdownDrainMs: fixed(1000, "the same when the agent ends"),
  shutdownMs: fixed(5000, "end of the agent, everything included"),
  serverEndMs: fixed(2000, "grace before TERM, and again before KILL, when an MCP server is ended"),
  shutdownServerEndMs: fixed(1000, "the same when the agent ends"),
  heartbeatMs: milliseconds(
    "TURNFOLD_HEARTBEAT_MS",
    30_000,
    "longest silence towards the client while a turn runs",
    100,
  ),
  unsentBytesMax: fixed(8 * MIB, "unsent output above which a session starts no new call"),
  textChunkBytesMax: fixed(60 * KIB, "text in one frame to the client"),
  rawInputStringBytesMax: fixed(8 * KIB, "one string of a tool's arguments as shown to the client"),
  rawInputBytesMax: fixed(128 * KIB, "a tool's arguments as shown to the client"),
  toolContentBytesMax: fixed(128 * KIB, "a tool's result as shown to the client; the model sees all of it"),
  recordQueueBytesMax: fixed(8 * MIB, "events that wait to be written to the record"),
  recordFileBytesMax: fixed(256 * MIB, "record of one session"),
  llmTimeoutSeconds: seconds(
    "BUZZ_AGENT_LLM_TIMEOUT_SECS",
    240,
    "one HTTP attempt, first to last byte; doubles after a timeout",
    1,
  ),
  llmTimeoutSecondsMax: fixed(1200, "what doubling may reach"),
  connectTimeoutMs: fixed(10_000, "connecting to the provider"),
  llmAttempts: fixed(3, "HTTP attempts for one model request"),
  backoffBaseMs: fixed(500, "wait before the second attempt; doubles, with jitter"),
  backoffMaxMs: fixed(8000, "longest wait without Retry-After"),
  retryAfterMsMax: fixed(60_000, "longest wait with Retry-After"),
  loginCallMs: fixed(30_000, "one call to the authorization server of a login"),
  loginMs: fixed(150_000, "signing in through the browser"),
  loginLockPollMs: fixed(100, "how often a process looks whether another has renewed the login"),
  loginLockWaitMs: fixed(165_000, "how long it waits for that"),
  loginLockStaleMs: fixed(150_000, "age at which the lock of a login is taken for forgotten"),
  modelListMs: fixed(2500, "how long session/new waits for the host's list of models; it goes on for the next session"),
  catalogueCallMs: fixed(10_000, "one call for a page of the list"),
  catalogueAttempts: fixed(3, "attempts for a page of the list"),
  catalogueRetryMs: fixed(100, "wait between them"),
  maxCataloguePages: fixed(20, "pages of a list of models"),
  waitToldMs: fixed(10_000, "a wait before another attempt that is longer is told to the person"),
  stallToldMs: fixed(300_000, "time after which a failed request is logged as a stall"),
  replyBytesMax: fixed(16 * MIB, "one reply of the provider"),
  errorBodyBytesMax: fixed(4096, "what is read of an error body"),
  memoryTextBytesMax: set(
    "TURNFOLD_MEMORY_TEXT_BYTES",
    64 * MIB,
    "text of a notes folder or a knowledge graph that is indexed; the oldest is left out",
    KIB,
  ),
  memoryHeapMebibytesMax: set(
    "TURNFOLD_MEMORY_HEAP_MIB",
    2048,
    "heap of the thread that holds the index; above it the store counts as too large",
    16,
    2 ** 20,
  ),
  memoryNoteBytesMax: fixed(MIB, "one remembered text; a longer one is cut"),
  memoryFreshMs: fixed(1500, "how old the look at a store's files may be when a question is answered"),
  memoryBusyMs: fixed(1000, "how long a locked SQLite store is waited for"),
  memoryRecallMs: milliseconds("TURNFOLD_MEMORY_RECALL_MS", 300_000, "one recall, opening the store included", 1),
  memoryQueryWordsMax: fixed(64, "different words of a question that are searched for"),
  buzzProbeMs: fixed(5000, "finding out whether there is a buzz CLI"),
  buzzPostMs: fixed(30_000, "posting one reply through the buzz CLI"),
  buzzPostBytesMax: fixed(64 * KIB - 1, "one posted reply; a longer one is cut"),
  logLineCharactersMax: fixed(8192, "one log line, in characters"),
  logQueueBytesMax: fixed(MIB, "log lines that wait for a reader of stderr; further ones are dropped"),
  modelNameBytesMax: fixed(256, "a model's name inside an error line"),
  errorTextBytesMax: fixed(2048, "one error line"),
  usageFrameBytesMax: fixed(16 * MIB, "one frame that `usage record` looks into; a larger one passes unread"),
  usageOutboxMs: fixed(1000, "how long `usage record` holds the answer that ends a turn until the turn is on the disk"),
  ledgerBusyMs: fixed(5000, "how long a ledger that another program is writing is waited for"),
} as const satisfies Record<string, Limit>;

export type ReducerLimit = keyof typeof REDUCER_LIMITS;
export type ShellLimit = keyof typeof SHELL_LIMITS;
export type ShellLimits = { readonly [K in ShellLimit]: number };

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

const defaults = <K extends string>(table: Record<K, Limit>): { readonly [P in K]: number } => {
  const values = {} as { [P in K]: number };
  for (const key of Object.keys(table) as K[]) values[key] = table[key].default;
  return values;
};

export const defaultShellLimits: ShellLimits = defaults(SHELL_LIMITS);

export const defaultPolicy: Policy = {
  ...defaults(REDUCER_LIMITS),
  permissions: "never",
  requireReply: false,
  replyShape: { nameEnding: "__shell", argument: "command", fragments: ["messages send", "reactions add"] },
};
