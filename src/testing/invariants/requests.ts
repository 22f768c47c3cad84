/** Invariants 1, 11 and 12 of `spec/turn-loop.md` 10: what goes to the model. */
import { modelRequest, type HistoryItem, type ModelRequest, type ToolExchange } from "../../core/index.js";
import type { Watched } from "../orders.js";
import { atEach, effectsOf, isBlank, unless, type Faults, type Invariant } from "./invariant.js";

/** The ordinary requests that a transition ordered. */
export const requestsOf = ({ effects, after }: Watched): readonly ModelRequest[] =>
  effectsOf(effects, "callModel").map((effect) => modelRequest(after, effect));

const parsesToObject = (json: string): boolean => {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

const exchangeFaults = ({ call, outcome }: ToolExchange): Faults => [
  ...unless(outcome.kind === "closed", `call ${call.key} has no result`),
  ...unless(parsesToObject(call.argumentsText), `arguments of ${call.key} are no JSON object`),
  ...(outcome.kind === "closed"
    ? unless(
        outcome.result.parts.some((part) => part.kind === "image" || !isBlank(part.text)),
        `result of ${call.key} is empty`,
      )
    : []),
];

const itemFaults = (item: HistoryItem): Faults => {
  if (item.kind !== "assistant") return unless(!isBlank(item.text), `empty ${item.kind}`);
  return [
    ...unless(item.exchanges.length > 0 || !isBlank(item.text), "empty assistant item"),
    ...item.exchanges.flatMap(exchangeFaults),
  ];
};

const keysOf = (history: readonly HistoryItem[]): readonly string[] =>
  history.flatMap((item) => (item.kind === "assistant" ? item.exchanges.map(({ call }) => call.key) : []));

const requestFaults = ({ history }: ModelRequest): Faults => {
  const keys = keysOf(history);
  return [
    ...history.flatMap(itemFaults),
    ...unless(new Set(keys).size === keys.length, "two calls have one key"),
    ...unless(
      history.some(({ kind }) => kind === "user"),
      "a request without any user item",
    ),
  ];
};

/**
 * 1. In every request each call has exactly one result and arguments that parse to an object, keys are unique, no item is
 * empty. That a result stands right behind its call is given by the type of an exchange; what dialects make of it is judged by
 * `everyRequestEncodes`.
 */
export const everyCallHasOneResult: Invariant = atEach((watched) => requestsOf(watched).flatMap(requestFaults));

/** Judges what a dialect makes of a request; empty when the provider would take it. */
export interface JudgedDialect {
  readonly name: string;
  readonly judge: (request: ModelRequest) => Faults;
}

/** 11. Every request is accepted by every dialect. */
export const everyRequestEncodes = (dialects: readonly JudgedDialect[]): Invariant =>
  atEach((watched) =>
    requestsOf(watched).flatMap((request) =>
      dialects.flatMap(({ name, judge }) => judge(request).map((fault) => `${name}: ${fault}`)),
    ),
  );

/** 12. What a request carries is within its bytes, or only the running turn and a handoff item are left. */
export const truncationFits: Invariant = atEach((watched) =>
  effectsOf(watched.effects, "callModel").flatMap(({ turn }) => {
    const { history, policy } = watched.after;
    if (history.bytes <= policy.maxHistoryBytes) return [];
    const old = history.chunks
      .flat()
      .filter((item) => item.turn !== turn && !(item.kind === "user" && item.origin === "handoff"));
    return unless(old.length === 0, `${old.length} old items stand in ${history.bytes} bytes`);
  }),
);

/** While a request is out, the history that it named stands as it was. */
export const historyStandsWhileAsked: Invariant = atEach(({ ordersAfter, after }) =>
  ordersAfter.awaited.flatMap((order) =>
    order.type === "callModel"
      ? unless(
          order.history.revision === after.history.revision && order.history.length === after.history.length,
          `history changed under request ${order.id}`,
        )
      : [],
  ),
);
