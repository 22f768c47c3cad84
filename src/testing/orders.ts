/**
 * Bookkeeping from outside: which orders are out, seen from effects and events alone. `owed` is what the shell must still answer
 * by its contract; `awaited` is the part of it that the session must still listen to. They differ after an abort: an aborted
 * order is answered all the same, and only the answer of a tool still means anything (it closes its call).
 */
import type { Effect, EffectType, Event, EventType, Session } from "../core/index.js";
import { assertNever } from "../core/never.js";
import type { Run, Transition } from "./run.js";

type AnswerableType = "callModel" | "summarise" | "callHooks" | "askPermission" | "runTool" | "startTimer";
export type Order = Extract<Effect, { readonly type: AnswerableType }>;
export type Answer = Extract<Event, { readonly effect: number }>;

export interface Orders {
  readonly owed: readonly Order[];
  readonly awaited: readonly Order[];
}

export const noOrders: Orders = { owed: [], awaited: [] };

const answers: Readonly<Record<AnswerableType, readonly EventType[]>> = {
  callModel: ["modelReplied", "modelFailed"],
  summarise: ["summaryReplied", "summaryFailed"],
  callHooks: ["hooksAnswered"],
  askPermission: ["permissionAnswered"],
  runTool: ["toolFinished"],
  startTimer: ["drainExpired"],
};

const isAnswerable = (type: EffectType): type is AnswerableType => Object.hasOwn(answers, type);
export const isOrder = (effect: Effect): effect is Order => isAnswerable(effect.type);
export const isAnswer = (event: Event): event is Answer => "effect" in event;

export const settles = (event: Event, order: Order): boolean =>
  isAnswer(event) && event.effect === order.id && event.turn === order.turn && answers[order.type].includes(event.type);

/** The order that `event` answers and that the session listens to, if there is one. */
export const awaitedBy = (orders: Orders, event: Event): Order | undefined =>
  orders.awaited.find((order) => settles(event, order));

const afterEffect = (orders: Orders, effect: Effect): Orders => {
  if (isOrder(effect)) return { owed: [...orders.owed, effect], awaited: [...orders.awaited, effect] };
  switch (effect.type) {
    case "abort":
      return {
        owed: orders.owed,
        awaited: orders.awaited.filter(({ id, type }) => id !== effect.target || type === "runTool"),
      };
    case "stopTimer":
      return {
        owed: orders.owed.filter(({ id }) => id !== effect.target),
        awaited: orders.awaited.filter(({ id }) => id !== effect.target),
      };
    case "answerPrompt":
      return { owed: orders.owed, awaited: [] };
    case "log":
    case "publish":
    case "refusePrompt":
    case "answerSteer":
      return orders;
  }
  return assertNever(effect);
};

export const afterTransition = (orders: Orders, { event, effects }: Transition): Orders =>
  effects.reduce(afterEffect, {
    owed: orders.owed.filter((order) => !settles(event, order)),
    awaited: orders.awaited.filter((order) => !settles(event, order)),
  });

/** A transition with what was out before it and is out behind it. */
export interface Watched extends Transition {
  readonly ordersBefore: Orders;
  readonly ordersAfter: Orders;
  /** The awaited order that the event answers. */
  readonly answered: Order | undefined;
}

/** One transition, when `orders` were out before it. */
export const watching = (orders: Orders, transition: Transition): Watched => ({
  ...transition,
  ordersBefore: orders,
  ordersAfter: afterTransition(orders, transition),
  answered: awaitedBy(orders, transition.event),
});

const memory = new WeakMap<Run, readonly Watched[]>();

/** The run with its bookkeeping. A run begins with nothing out. Computed once for each run. */
export const watch = (run: Run): readonly Watched[] => {
  const known = memory.get(run);
  if (known !== undefined) return known;
  const watched: Watched[] = [];
  let orders = noOrders;
  for (const transition of run) {
    const seen = watching(orders, transition);
    watched.push(seen);
    orders = seen.ordersAfter;
  }
  memory.set(run, watched);
  return watched;
};

/** The running turn of a state, if one runs. */
export const turnOf = ({ phase }: Session) => (phase.kind === "idle" ? undefined : phase.turn);
