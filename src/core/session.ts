/**
 * The state: one ACP session. Immutable plain data; `codec.ts` makes it JSON and back. The phase says what the session waits
 * for, and a field that exists in one phase only lives in that variant.
 */
import { none, type Option } from "fp-ts/lib/Option.js";
import { emptyHistory } from "./historyStore.js";
import type { AnswerTo } from "./event.js";
import type { History, ToolCall, UserItem } from "./history.js";
import type { Hook, ModelFailure, Settings, Tool } from "./model.js";
import type { Policy } from "./policy.js";
import { utf8Bytes } from "./text.js";
import { unseenTotals, type Identity, type UsageTotals } from "./usage.js";

export interface Catalog {
  /** In server order; the built-ins last. */
  readonly tools: readonly Tool[];
  /** UTF-8 bytes of each tool's definition, at the same index. */
  readonly toolBytes: readonly number[];
  readonly hooks: readonly Hook[];
  /** Every server has come up or been given up. */
  readonly complete: boolean;
}

/** The last measurement of the provider: replaced whole, cleared whole. */
export interface Reading {
  /** Input tokens of the last successful ordinary request. */
  readonly inputTokens: number;
  /** Pressure bytes of the history of that request. */
  readonly pressureBytes: number;
}

export interface Steer {
  readonly messageId: string;
  readonly text: string;
}

/** Everything that lives from an accepted prompt to its one answer. */
export interface Turn {
  readonly number: number;
  readonly runId: string;
  /** The shell's name for whoever waits for the answer. */
  readonly request: string;
  readonly prompt: UserItem;
  /** Steers that have reached history in this turn, in order. */
  readonly delivered: readonly UserItem[];
  /** Accepted steers that wait for the next round. */
  readonly steers: readonly Steer[];
  /** Rounds that count against the limit; an overflow refunds one. */
  readonly roundsUsed: number;
  /** Rounds begun; never refunded, so that keys and message ids are unique. */
  readonly round: number;
  readonly handoffAttempts: number;
  readonly overflowAttempts: number;
  readonly cutOffRecoveries: number;
  readonly rejections: number;
  readonly reminders: number;
  /** A reply-shaped call was kept in this turn (reply guard). */
  readonly replied: boolean;
  /** That a handoff cannot help, and that the budget is spent, is logged once per turn. */
  readonly logged: readonly GateNote[];
  readonly usage: UsageTotals;
  readonly identity: Identity;
  /** Settings of the last usage-bearing request: what the turn's last report names. */
  readonly reportedSettings: Option<Settings>;
}

export type GateNote = "notDue" | "capReached";

/** The request that is out: what it was sent with is what its reply is judged and reported by. */
export interface SentRequest extends AnswerTo {
  readonly settings: Settings;
  readonly tools: readonly Tool[];
  readonly maxOutputTokens: number;
  readonly pressureBytes: number;
}

/** Where one call stands. A closed call keeps nothing here: its result is in history. */
export type CallState =
  | { readonly kind: "announced" }
  | { readonly kind: "asking"; readonly ask: number }
  | { readonly kind: "ready" }
  | { readonly kind: "running"; readonly run: number }
  | { readonly kind: "closed" };

export interface PendingCall {
  readonly call: ToolCall;
  readonly state: CallState;
}

/** The calls of the last reply, in call order. */
export interface Batch {
  readonly calls: readonly PendingCall[];
  /** Calls beyond the limit that were not kept. */
  readonly dropped: number;
}

/** Why history is being summarised. */
export type HandoffCause =
  | { readonly kind: "proactive" }
  | {
      readonly kind: "overflow";
      /** Pressure bytes of the history that the provider refused. */
      readonly rejectedBytes: number;
      /** The provider's own error: what the turn fails with when the ladder is spent. */
      readonly failure: ModelFailure;
      readonly model: string;
    };

/** A handoff on its way. */
export interface Handoff {
  /** Number in the session, from 1. */
  readonly number: number;
  readonly cause: HandoffCause;
  /** Estimate for the next request before it, in tokens; for the log. */
  readonly tokensBefore: number;
}

export type Phase =
  | { readonly kind: "idle" }
  | { readonly kind: "awaitingCatalog"; readonly turn: Turn }
  | { readonly kind: "awaitingModel"; readonly turn: Turn; readonly sent: SentRequest }
  | { readonly kind: "awaitingSummary"; readonly turn: Turn; readonly handoff: Handoff; readonly sent: SentSummary }
  | { readonly kind: "awaitingCompactHooks"; readonly turn: Turn; readonly handoff: Handoff; readonly hooks: number }
  | { readonly kind: "awaitingTools"; readonly turn: Turn; readonly batch: Batch }
  | { readonly kind: "awaitingStopHooks"; readonly turn: Turn; readonly hooks: number }
  /** Cancelled; tools that could not be left at once have until the timer fires. */
  | { readonly kind: "draining"; readonly turn: Turn; readonly batch: Batch; readonly timer: number };

export interface SentSummary extends AnswerTo {
  readonly settings: Settings;
}

export type PhaseKind = Phase["kind"];

export interface Session {
  /** The client's name for it; appears in logs only. */
  readonly id: string;
  readonly policy: Policy;
  /** System text of every ordinary request. */
  readonly system: string;
  /** Its length in UTF-8 bytes. */
  readonly systemBytes: number;
  readonly settings: Settings;
  readonly catalog: Catalog;
  readonly history: History;
  readonly reading: Option<Reading>;
  /** Session-cumulative, all finished turns. */
  readonly usage: UsageTotals;
  /** First prompt of the session; what a summary calls the original task. */
  readonly originalTask: Option<string>;
  /** Handoff attempts so far, over all turns. */
  readonly handoffs: number;
  /** Items that some request has carried; what lies behind them is new to the model. */
  readonly carriedLength: number;
  /** Qualified names that were allowed for the rest of the session. */
  readonly alwaysAllowed: readonly string[];
  /** Models that refused an image: their tool results carry none from then on. */
  readonly imagelessModels: readonly string[];
  /** How many tools the last request left out for want of room; told when it changes. */
  readonly toolsLeftOut: number;
  /** Turns begun. */
  readonly turns: number;
  readonly nextEffect: number;
  readonly closing: boolean;
  readonly phase: Phase;
}

export interface SessionConfig {
  readonly id: string;
  readonly policy: Policy;
  readonly system: string;
  readonly settings: Settings;
}

/** A fresh session: idle, with no history, and with a catalogue that is not complete yet. */
export const initialSession = (config: SessionConfig): Session => ({
  id: config.id,
  policy: config.policy,
  system: config.system,
  systemBytes: utf8Bytes(config.system),
  settings: config.settings,
  catalog: { tools: [], toolBytes: [], hooks: [], complete: false },
  history: emptyHistory,
  reading: none,
  usage: unseenTotals,
  originalTask: none,
  handoffs: 0,
  carriedLength: 0,
  alwaysAllowed: [],
  imagelessModels: [],
  toolsLeftOut: 0,
  turns: 0,
  nextEffect: 1,
  closing: false,
  phase: { kind: "idle" },
});
