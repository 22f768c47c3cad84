/**
 * A naive model of history and of a turn's ends, written from `spec/turn-loop.md` 1 to 3, 7 to 9 and nothing else: lists that are
 * appended to, and a few counters. It says what the next request must show. What it does not decide (whether a handoff is due,
 * what is truncated, how texts of ours are worded) it takes from what was told.
 */
import type { HistoryItem, ModelReply, Policy, Tool } from "../../src/core/index.js";

/** One thing that the model has been shown, without the words that are ours. */
export type Shown =
  | { readonly kind: "user"; readonly origin: string; readonly text: string; readonly turn: number }
  | { readonly kind: "note"; readonly server: string; readonly text: string; readonly turn: number }
  | {
      readonly kind: "assistant";
      readonly text: string;
      readonly calls: readonly ShownCall[];
      readonly replay: boolean;
      readonly turn: number;
    };

export interface ShownCall {
  readonly name: string;
  /** Undefined while it is open; otherwise whether its result is an error. */
  error: boolean | undefined;
}

const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd");
const isBlank = (text: string): boolean => text.trim() === "";

/** History as the naive model would write it down; texts of ours (feedback, handoff) are left out. */
export const shownOf = (item: HistoryItem): Shown => {
  if (item.kind === "hookNote")
    return { kind: "note", server: item.server, text: ourText(item.server, item.text), turn: item.turn };
  if (item.kind === "user") {
    const ours = item.origin === "feedback" || item.origin === "handoff";
    return { kind: "user", origin: item.origin, text: ours ? "" : item.text, turn: item.turn };
  }
  const calls = item.exchanges.map(({ call, outcome }) => ({
    name: call.name,
    error: outcome.kind === "open" ? undefined : outcome.result.isError,
  }));
  return { kind: "assistant", text: item.text, calls, replay: item.replay._tag === "Some", turn: item.turn };
};

const ourText = (server: string, text: string): string => (server === "turnfold" ? "" : text);

/** Changed in place: it belongs to one run of commands. */
export interface Naive {
  history: Shown[];
  turn: number;
  /** Steers that no request has carried yet. */
  waiting: string[];
  prompt: string;
  recoveries: number;
  /** The calls of the last reply, which are also in history. */
  calls: ShownCall[];
}

export const nothing = (): Naive => ({ history: [], turn: 0, waiting: [], prompt: "", recoveries: 0, calls: [] });

const say = (naive: Naive, origin: string, text: string): void => {
  naive.history.push({ kind: "user", origin, text, turn: naive.turn });
};

export const onPrompt = (naive: Naive, text: string): void => {
  naive.turn += 1;
  naive.waiting = [];
  naive.recoveries = 0;
  naive.prompt = wellFormed(text);
  say(naive, "prompt", naive.prompt);
};

export const onSteer = (naive: Naive, text: string): void => {
  naive.waiting.push(wellFormed(text));
};

/** Steers reach history at the head of a round, in order of arrival. */
export const deliver = (naive: Naive): void => {
  for (const text of naive.waiting) say(naive, "steer", text);
  naive.waiting = [];
};

const keptText = (text: string): string => (isBlank(text) ? "" : wellFormed(text));

const isObject = (json: string): boolean => {
  const text = json.trim();
  if (text === "" || text === "null") return true;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

/** Cut off: by its own word, or because it is full and its last call does not parse. */
export const isCutOff = (reply: ModelReply, maxOutputTokens: number): boolean => {
  const last = reply.calls.at(-1);
  const { output } = reply.usage;
  const full = output._tag === "Some" && output.value >= BigInt(maxOutputTokens);
  return reply.stop.kind === "cutOff" || (full && last !== undefined && !isObject(last.argumentsText));
};

/** What a reply makes of the turn. */
export type Verdict = "calls" | "continue" | "maxTokens" | "refusal" | "failed" | "gate";

export const onReply = (
  naive: Naive,
  reply: ModelReply,
  sent: { readonly maxOutputTokens: number; readonly tools: readonly Tool[] },
  now: readonly Tool[],
  policy: Policy,
): Verdict => {
  const text = keptText(reply.text);
  const store = (calls: ShownCall[], replay: boolean): void => {
    if (text !== "" || calls.length > 0)
      naive.history.push({ kind: "assistant", text, calls, replay, turn: naive.turn });
  };
  const replay = reply.replay._tag === "Some";
  if (isCutOff(reply, sent.maxOutputTokens)) {
    store([], false);
    if (naive.recoveries >= policy.maxCutOffRecoveries) return naive.waiting.length > 0 ? "continue" : "maxTokens";
    naive.recoveries += 1;
    say(naive, "feedback", "");
    return "continue";
  }
  if (reply.calls.length > 0) {
    const known = (name: string): boolean =>
      sent.tools.some((tool) => tool.name === name) && now.some((tool) => tool.name === name);
    naive.calls = reply.calls.slice(0, policy.maxToolCallsPerReply).map(({ name, argumentsText }) => ({
      name,
      error: known(name) && isObject(argumentsText) ? undefined : true,
    }));
    store(naive.calls, replay);
    return "calls";
  }
  if (reply.stop.kind === "refusal") {
    naive.history = naive.history.filter(
      (item) => item.turn !== naive.turn || (item.kind === "user" && item.origin === "handoff"),
    );
    deliver(naive);
    return "refusal";
  }
  if (reply.stop.kind === "toolUse") return "failed";
  store([], replay);
  return "gate";
};

/** A summary takes the place of everything; the turn's prompt and its delivered steers come back behind it. */
export const onHandoff = (naive: Naive): void => {
  const steers = naive.history.filter(
    (item) => item.kind === "user" && item.origin === "steer" && item.turn === naive.turn,
  );
  naive.history = [
    { kind: "user", origin: "handoff", text: "", turn: naive.turn },
    { kind: "user", origin: "prompt", text: naive.prompt, turn: naive.turn },
    ...steers,
  ];
};

/** Whole oldest turns go; a handoff item stays. */
export const onTruncation = (naive: Naive, turns: number): void => {
  const old = [...new Set(naive.history.map(({ turn }) => turn))].filter((turn) => turn !== naive.turn);
  const gone = new Set(
    old.filter((turn) => naive.history.some((item) => item.turn === turn && !isHandoff(item))).slice(0, turns),
  );
  naive.history = naive.history.filter((item) => isHandoff(item) || !gone.has(item.turn));
};

const isHandoff = (item: Shown): boolean => item.kind === "user" && item.origin === "handoff";
