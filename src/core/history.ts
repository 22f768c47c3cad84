/**
 * History: what the next request will show the model, valid by construction (`spec/turn-loop.md` 2). A tool call and its outcome
 * are one node, so an orphan result cannot be written down and an unanswered call is visible in its type.
 *
 * Items are kept in chunks of bounded length. A push copies one chunk and the list of chunks, never the whole history, so a
 * step costs the same at ten items and at ten thousand; encoders memoise per item, since an item that does not change keeps
 * its identity.
 */
import type { Option } from "fp-ts/lib/Option.js";
import type { HookPoint, ReplayData } from "./model.js";

export type UserOrigin = "prompt" | "steer" | "handoff" | "feedback";

export interface UserItem {
  readonly kind: "user";
  /** The turn it belongs to; truncation and refusal remove whole turns. */
  readonly turn: number;
  readonly origin: UserOrigin;
  readonly text: string;
}

/** A part of a tool result, already bounded, well-formed and acceptable to the model. */
export type ResultPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly mimeType: string; readonly dataBase64: string };

export interface ToolResult {
  readonly parts: readonly ResultPart[];
  readonly isError: boolean;
}

export interface ToolCall {
  /** Minted from turn, round and position; unique in the session; the client's `toolCallId`. */
  readonly key: string;
  /** The provider's own id and name, as they came. */
  readonly providerId: string;
  readonly name: string;
  /** JSON text that parses to an object, always. */
  readonly argumentsText: string;
  /** JSON text of an object with unmodelled fields to replay beside the call, or "". */
  readonly extra: string;
}

export type Outcome = { readonly kind: "open" } | { readonly kind: "closed"; readonly result: ToolResult };

export interface ToolExchange {
  readonly call: ToolCall;
  readonly outcome: Outcome;
}

/** Never without both text and exchanges; replay data never stands alone. */
export interface AssistantItem {
  readonly kind: "assistant";
  readonly turn: number;
  readonly text: string;
  readonly exchanges: readonly ToolExchange[];
  readonly replay: Option<ReplayData>;
}

/** What a `_Stop` hook or the reply guard said. The dialect renders it as a synthetic closed exchange. */
export interface HookNote {
  readonly kind: "hookNote";
  readonly turn: number;
  readonly hook: HookPoint;
  readonly server: string;
  readonly text: string;
}

export type HistoryItem = UserItem | AssistantItem | HookNote;

export interface History {
  /** Counts rewrites (handoff, truncation, refusal, image removal). With the number of items it names a content exactly. */
  readonly revision: number;
  readonly chunks: readonly (readonly HistoryItem[])[];
  /** Number of items over all chunks. */
  readonly length: number;
  /** True size in UTF-8 bytes. */
  readonly bytes: number;
  /** The same with every image counted at a flat rate: what presses on the context window. */
  readonly pressureBytes: number;
}
