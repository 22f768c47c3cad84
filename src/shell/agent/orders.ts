/**
 * Carries out the effects that reach into the world. Every answerable one is answered by exactly one event, whatever happens:
 * finished, failed, timed out or aborted.
 */
import { none } from "fp-ts/lib/Option.js";
import type { Answerable, Effect } from "../../core/effect.js";
import type { AnswerTo, EffectId, Event } from "../../core/event.js";
import { assertNever } from "../../core/never.js";
import { modelRequest } from "../../core/request.js";
import type { Session } from "../../core/session.js";
import type { SessionClient } from "../acp/agent.js";
import type { Log } from "../log.js";
import type { ModelAnswer, ModelPort, OnWait, ToolsPort } from "../ports.js";

export interface OrdersDeps {
  readonly model: ModelPort;
  readonly tools: ToolsPort;
  readonly client: SessionClient;
  readonly log: Log;
  readonly post: (event: Event) => void;
}

export type Order = Extract<Effect, Answerable | { type: "abort" | "stopTimer" }>;

export interface Orders {
  /** `session`: the state that came together with the order. */
  readonly carryOut: (session: Session, order: Order) => void;
}

export const createOrders = ({ model, tools, client, log, post }: OrdersDeps): Orders => {
  const outstanding = new Map<EffectId, AbortController>();
  const timers = new Map<EffectId, NodeJS.Timeout>();

  /** The ports promise not to throw. Should one, that is our fault, and `failed` still answers the effect. */
  const start = (
    { id, turn }: Answerable,
    work: (to: AnswerTo, signal: AbortSignal) => Promise<Event>,
    failed: (to: AnswerTo) => Event,
  ): void => {
    const to: AnswerTo = { effect: id, turn };
    const abort = new AbortController();
    outstanding.set(id, abort);
    const answer = work(to, abort.signal).catch((fault: unknown) => {
      log("error", "an effect failed in our own code", { effect: id, turn, fault: String(fault) });
      return failed(to);
    });
    void answer.then((event) => {
      outstanding.delete(id);
      post(event);
      return undefined;
    });
  };

  const tellWait =
    (signal: AbortSignal): OnWait =>
    ({ ms, reason }) => {
      if (signal.aborted) return;
      const title = `Waiting ${Math.round(ms / 1000)} s for the provider`;
      client.publish({ kind: "noticeTold", severity: "info", title, detail: reason });
    };

  const callModel = (session: Session, order: Extract<Order, { type: "callModel" }>): void => {
    const request = modelRequest(session, order);
    const work = async (to: AnswerTo, signal: AbortSignal): Promise<Event> => {
      await client.whenDrained(signal);
      return modelAnswered(await model.call(request, signal, tellWait(signal)), to);
    };
    start(order, work, (to) => modelAnswered(internalFailure, to));
  };

  const summarise = (order: Extract<Order, { type: "summarise" }>): void => {
    const work = async (to: AnswerTo, signal: AbortSignal): Promise<Event> => {
      await client.whenDrained(signal);
      return summaryAnswered(await model.summarise(order.request, signal, tellWait(signal)), to);
    };
    start(order, work, (to) => summaryAnswered(internalFailure, to));
  };

  const callHooks = (order: Extract<Order, { type: "callHooks" }>): void => {
    const work = async (to: AnswerTo, signal: AbortSignal): Promise<Event> => {
      const outputs = await tools.callHooks(order.point, order.servers, signal);
      return { type: "hooksAnswered", outputs, ...to };
    };
    start(order, work, (to) => ({ type: "hooksAnswered", outputs: [], ...to }));
  };

  const askPermission = (order: Extract<Order, { type: "askPermission" }>): void => {
    const work = async (to: AnswerTo, signal: AbortSignal): Promise<Event> => {
      const answer = await client.askPermission(order, signal);
      return { type: "permissionAnswered", answer, ...to };
    };
    start(order, work, (to) => ({ type: "permissionAnswered", answer: "failed", ...to }));
  };

  const runTool = (order: Extract<Order, { type: "runTool" }>): void => {
    const work = async (to: AnswerTo, signal: AbortSignal): Promise<Event> => {
      await client.whenDrained(signal);
      const outcome = await tools.run(order.name, order.argumentsText, signal);
      return { type: "toolFinished", outcome, ...to };
    };
    start(order, work, (to) => ({
      type: "toolFinished",
      outcome: { kind: "failed", message: "internal error" },
      ...to,
    }));
  };

  const startTimer = ({ id, turn, ms }: Extract<Order, { type: "startTimer" }>): void => {
    const fire = (): void => {
      timers.delete(id);
      post({ type: "drainExpired", effect: id, turn });
    };
    timers.set(id, setTimeout(fire, ms));
  };

  const carryOut = (session: Session, order: Order): void => {
    switch (order.type) {
      case "abort":
        return outstanding.get(order.target)?.abort();
      case "stopTimer":
        clearTimeout(timers.get(order.target));
        return void timers.delete(order.target);
      case "startTimer":
        return startTimer(order);
      case "callModel":
        return callModel(session, order);
      case "summarise":
        return summarise(order);
      case "callHooks":
        return callHooks(order);
      case "askPermission":
        return askPermission(order);
      case "runTool":
        return runTool(order);
      default:
        return assertNever(order);
    }
  };

  return { carryOut };
};

const modelAnswered = (answer: ModelAnswer, to: AnswerTo): Event =>
  answer.kind === "replied"
    ? { type: "modelReplied", reply: answer.reply, attempts: answer.attempts, ...to }
    : { type: "modelFailed", failure: answer.failure, attempts: answer.attempts, ...to };

const summaryAnswered = (answer: ModelAnswer, to: AnswerTo): Event =>
  answer.kind === "replied"
    ? { type: "summaryReplied", reply: answer.reply, attempts: answer.attempts, ...to }
    : { type: "summaryFailed", failure: answer.failure, attempts: answer.attempts, ...to };

const internalFailure: ModelAnswer = {
  kind: "failed",
  failure: { kind: "internal", message: "internal error", status: none },
  attempts: { tries: 0, waitedMs: 0 },
};
