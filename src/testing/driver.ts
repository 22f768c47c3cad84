/**
 * Plays moves against a session: it knows what is out, and makes of each move the event that it means in this state. What the
 * shell would mint (run ids, message ids, request names) is numbered by the events played so far.
 */
import type { Event, Session } from "../core/index.js";
import { assertNever } from "../core/never.js";
import type { Answers, Move } from "./arbitraries/moves.js";
import { wholeCatalog } from "./arbitraries/tools.js";
import { afterTransition, isAnswer, noOrders, turnOf, type Answer, type Order, type Orders } from "./orders.js";
import { transition, type Run, type Step, type Transition } from "./run.js";

/** Where a play stands. */
export interface Play {
  readonly session: Session;
  readonly orders: Orders;
  readonly given: readonly Answer[];
  readonly count: number;
}

export const begin = (session: Session): Play => ({ session, orders: noOrders, given: [], count: 0 });

/** The answer to `order` out of `answers`. */
export const answerTo = (order: Order, answers: Answers): Answer => {
  const to = { effect: order.id, turn: order.turn };
  const { model, attempts } = answers;
  switch (order.type) {
    case "callModel":
      return model.kind === "reply"
        ? { type: "modelReplied", reply: model.reply, attempts, ...to }
        : { type: "modelFailed", failure: model.failure, attempts, ...to };
    case "summarise":
      return model.kind === "reply"
        ? { type: "summaryReplied", reply: model.reply, attempts, ...to }
        : { type: "summaryFailed", failure: model.failure, attempts, ...to };
    case "callHooks":
      return { type: "hooksAnswered", outputs: answers.hooks, ...to };
    case "askPermission":
      return { type: "permissionAnswered", answer: answers.permission, ...to };
    case "runTool":
      return { type: "toolFinished", outcome: answers.tool, ...to };
    case "startTimer":
      return { type: "drainExpired", ...to };
  }
  return assertNever(order);
};

const pickFrom = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)];

const prompt = (play: Play, text: string): Event => ({
  type: "promptReceived",
  request: `p${play.count}`,
  runId: `run-${play.count}`,
  text,
});

const isComplete = ({ session }: Play): boolean => session.catalog.complete;

/** Without anything out, what brings the session on: a catalogue, or a prompt. */
const onward = (play: Play): Event =>
  isComplete(play) ? prompt(play, "go on") : { type: "catalogChanged", ...wholeCatalog };

const stray = (play: Play, move: Extract<Move, { readonly kind: "stray" }>): Event => {
  const order = pickFrom(play.orders.owed, move.pick);
  if (order === undefined) return { type: "drainExpired", effect: move.pick, turn: move.pick };
  const answer = answerTo(order, move.answers);
  switch (move.fault) {
    case "effect":
      return { ...answer, effect: order.id + 1000 + move.pick };
    case "turn":
      return { ...answer, turn: order.turn + (move.pick % 2 === 0 ? -1 : 1) };
    case "kind":
      return order.type === "startTimer"
        ? { type: "toolFinished", outcome: { kind: "cancelled" }, effect: order.id, turn: order.turn }
        : { type: "drainExpired", effect: order.id, turn: order.turn };
  }
  return assertNever(move.fault);
};

/** What `move` means now. */
export const eventFor = (play: Play, move: Move): Event => {
  const { session, orders } = play;
  switch (move.kind) {
    case "prompt":
      return prompt(play, move.text);
    case "steer": {
      const runId = move.run === "current" ? turnOf(session)?.runId : undefined;
      const name = { request: `s${play.count}`, messageId: `steer-${play.count}` };
      return { type: "steerReceived", ...name, expectedRunId: runId ?? "run-other", text: move.text };
    }
    case "cancel":
      return { type: "cancelRequested", drainMs: move.drainMs };
    case "close":
      return { type: "closeRequested", drainMs: move.drainMs };
    case "catalog":
      return { type: "catalogChanged", ...move.catalog };
    case "settings":
      return { type: "settingsChanged", settings: move.settings };
    case "answer": {
      const order = pickFrom(orders.owed, move.pick);
      return order === undefined ? onward(play) : answerTo(order, move.answers);
    }
    case "repeat":
      return pickFrom(play.given, move.pick) ?? onward(play);
    case "stray":
      return stray(play, move);
  }
  return assertNever(move);
};

/** Plays one event, whatever it is. */
export const playEvent = (step: Step, play: Play, event: Event): readonly [Play, Transition] => {
  const done = transition(step, play.session, event);
  const next: Play = {
    session: done.after,
    orders: afterTransition(play.orders, done),
    given: isAnswer(event) ? [...play.given.slice(-6), event] : play.given,
    count: play.count + 1,
  };
  return [next, done];
};

/** Plays all moves from `session` on. */
export const playMoves = (step: Step, session: Session, moves: readonly Move[]): Run => {
  const run: Transition[] = [];
  let play = begin(session);
  for (const move of moves) {
    const [next, done] = playEvent(step, play, eventFor(play, move));
    run.push(done);
    play = next;
  }
  return run;
};
