/**
 * A scenario: everything that a simulated world is made of, as plain data that a file can hold. Bytes are UTF-8 bytes, times are
 * milliseconds of virtual time, rates are probabilities. Whatever a file leaves out has the value that `scenarioCodec.ts` says.
 */
import type { Option } from "fp-ts/lib/Option.js";
import type { FailureKind, HookPoint } from "../core/model.js";
import type { Policy } from "../core/policy.js";
import type { Rates } from "../usage/price.js";
import type { Distribution } from "./distribution.js";

export interface Scenario {
  readonly name: string;
  readonly policy: Policy;
  /** Length of the system text. */
  readonly systemBytes: number;
  readonly user: UserScenario;
  readonly model: ModelScenario;
  readonly summary: SummaryScenario;
  readonly tools: readonly ToolScenario[];
  readonly hooks: Readonly<Record<HookPoint, HookScenario>>;
  readonly faults: Faults;
}

export interface UserScenario {
  /** Prompts in a session. */
  readonly turns: Distribution;
  readonly promptBytes: Distribution;
  /** From the answer to the next prompt. */
  readonly pauseMs: Distribution;
  /** Steers in a turn, each so long after the prompt. */
  readonly steers: Distribution;
  readonly steerBytes: Distribution;
  readonly steerDelayMs: Distribution;
  /** Share of the turns that are cancelled, if they still run so long after the prompt. */
  readonly cancelRate: number;
  readonly cancelDelayMs: Distribution;
  /** Answers to permission questions; asked only if `policy.permissions` says so. */
  readonly permissionMs: Distribution;
  readonly rejectRate: number;
  readonly allowAlwaysRate: number;
  /** Failed turns in a row after which the user gives the session up; 0 = never. */
  readonly patience: number;
}

export interface ModelScenario {
  readonly id: string;
  /** Who bills (`openai`, `anthropic`, ...), or null. */
  readonly authority: string | null;
  /** What the session is told of the model, as its operator would configure it. */
  readonly windowTokens: number;
  readonly maxOutputTokens: number;
  /** Input and output tokens that the provider really has room for; null = the window. A smaller one makes it refuse what the session thinks will fit. */
  readonly trueWindowTokens: number | null;
  /**
   * The token law: a text of n bytes has n times this many tokens, rounded up once for the whole input and once for the whole
   * output. Input is system text, tool definitions and history; output is text, reasoning, and names and arguments of calls.
   */
  readonly tokensPerByte: number;
  /** How long the provider remembers a prefix; a request within that time reads it from the cache. 0 = no caching. */
  readonly cacheLifetimeMs: number;
  /** What the tokens cost; None is unknown, and so is then the cost of every session. */
  readonly usdPerMillionTokens: Option<Rates>;
  /** Rounds with tool calls in a turn, before the round that answers. */
  readonly toolRounds: Distribution;
  readonly callsPerRound: Distribution;
  readonly textBytes: Distribution;
  readonly reasoningBytes: Distribution;
  /** Signed reasoning that is replayed with later requests. */
  readonly replayBytes: Distribution;
  /** Until the first token, and then for each token of output. */
  readonly latencyMs: Distribution;
  readonly outputTokenMs: Distribution;
}

export interface SummaryScenario {
  readonly textBytes: Distribution;
}

export interface ToolScenario {
  readonly name: string;
  /** How often it is called, against the other tools. */
  readonly weight: number;
  readonly readOnly: boolean;
  /** Name, description and schema as the model is sent them. */
  readonly definitionBytes: number;
  readonly argumentBytes: Distribution;
  readonly resultBytes: Distribution;
  readonly latencyMs: Distribution;
  /** Share of the results that hold an image beside the text, and its base64 length. */
  readonly imageRate: number;
  readonly imageBytes: Distribution;
}

export interface HookScenario {
  /** Servers that offer it. */
  readonly servers: number;
  /** Share of its calls in which one server says something. */
  readonly textRate: number;
  readonly textBytes: Distribution;
  readonly latencyMs: Distribution;
}

export interface Faults {
  readonly model: ModelFaults;
  readonly summary: SummaryFaults;
  readonly usage: UsageFaults;
  readonly tool: ToolFaults;
  readonly shell: ShellFaults;
}

/** Failures of one HTTP attempt. Aborts are not among them: they come from cancels. */
export const ATTEMPT_FAILURES = [
  "contextExceeded",
  "imageUnsupported",
  "authentication",
  "permission",
  "payment",
  "modelNotFound",
  "requestTooLarge",
  "invalidRequest",
  "rateLimited",
  "overloaded",
  "serverError",
  "timeout",
  "transport",
  "badReply",
  "replyTooLarge",
] as const satisfies readonly FailureKind[];

/** Chance of each in one attempt. */
export type AttemptFailures = Readonly<Record<(typeof ATTEMPT_FAILURES)[number], number>>;

/** Each is drawn for every ordinary request; of several that meet, the first in this order happens. */
export interface ModelFaults {
  /** For every HTTP attempt; what may pass is tried again as the shell does. */
  readonly attemptFailures: AttemptFailures;
  readonly cutOff: number;
  readonly refusal: number;
  /** Says that it uses a tool, and calls none. */
  readonly toolUseWithoutCalls: number;
  readonly emptyReply: number;
  readonly unknownStop: number;
  /** More calls than one reply may have. */
  readonly callFlood: number;
  /** For every call: arguments that do not parse, a tool that does not exist. */
  readonly badArguments: number;
  readonly unknownTool: number;
}

export interface SummaryFaults {
  readonly failure: number;
  readonly refusal: number;
  readonly emptyText: number;
}

/** For every reply, summaries included. */
export interface UsageFaults {
  readonly missing: number;
  /** Input and output without the cache figures and the total. */
  readonly partial: number;
  readonly zeroInput: number;
  /** An input sum that no counter can hold: poisons the session's input. */
  readonly overflowed: number;
}

/** For every tool call. */
export interface ToolFaults {
  /** The tool answers that it failed. */
  readonly error: number;
  readonly rejected: number;
  /** Its server crashes. */
  readonly crash: number;
  /** No answer until the shell's time limit. */
  readonly hang: number;
  /** Cannot be left at a cancel: the drain has to run out. */
  readonly stubborn: number;
}

/** What a shell must not do, or rarely does, and the reducer must bear. */
export interface ShellFaults {
  /** For every answer: delivered twice. */
  readonly duplicateAnswer: number;
  /** For every order: an answer to an effect that never was. */
  readonly unknownAnswer: number;
  /** For every session: the catalogue is complete only some time after the first prompt. */
  readonly lateCatalog: number;
  /** For every turn: the catalogue loses its last tool, or gets it back. */
  readonly catalogChange: number;
  /** For every turn: the model changes to one with half the window, or back. */
  readonly modelChange: number;
  /** For every turn: a second prompt while the first runs. */
  readonly doublePrompt: number;
  /** For every session: closed in the middle of its last turn. */
  readonly close: number;
}

/** What no draw and no session may exceed, so that a long tail cannot ask for a gigabyte or for ever. */
export const DRAW_LIMITS = {
  /** A policy without an end (recoveries by the million) must not keep a run from ending. */
  eventsPerSession: 1_000_000,
  turns: 100_000,
  steersPerTurn: 64,
  roundsPerTurn: 100_000,
  callsPerRound: 128,
  /** One text; the shell refuses larger replies and results (`SHELL_LIMITS.replyBytesMax`). */
  textBytes: 16 * 1024 * 1024,
  /** Thirty days. */
  milliseconds: 30 * 24 * 3600 * 1000,
} as const;
