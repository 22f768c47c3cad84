/**
 * One session at work: pop an event, `step`, hand out the effects, repeat (`design.md`, the shell's contract). Nothing calls
 * `step` from inside an effect: what an effect brings about is put into the queue.
 */
import { none } from "fp-ts/lib/Option.js";
import type { Effect, SteerAnswer } from "../../core/effect.js";
import type { Event } from "../../core/event.js";
import { emptyHistory } from "../../core/historyStore.js";
import { assertNever } from "../../core/never.js";
import { initialSession, type Session, type SessionConfig } from "../../core/session.js";
import { step } from "../../core/step.js";
import type { PromptAnswer, SteerRequest } from "../acp/agent.js";
import { createOrders, type OrdersDeps } from "./orders.js";
import { createWaiting } from "./waiting.js";

export interface RuntimeDeps extends Omit<OrdersDeps, "post"> {
  readonly config: SessionConfig;
  /** Takes secrets out of an event before the core, the record or the client can see it. */
  readonly redact: (event: Event) => Event;
  /** Called after each step with what it returned. */
  readonly record: (event: Event, effects: readonly Effect[]) => void;
}

export interface Runtime {
  readonly post: (event: Event) => void;
  readonly prompt: (runId: string, text: string, answer: (answer: PromptAnswer) => void) => void;
  readonly steer: (steer: SteerRequest, answer: (answer: SteerAnswer) => void) => void;
  /** Resolves when no turn is running. */
  readonly idle: () => Promise<void>;
}

export const createRuntime = (deps: RuntimeDeps): Runtime => {
  const { redact, record, client, log } = deps;
  let session = initialSession(deps.config);
  let running = false;
  const queue: Event[] = [];
  const prompts = createWaiting<PromptAnswer>();
  const steers = createWaiting<SteerAnswer>();
  /** Turns that a fault of our own ends: whatever the reducer answers them with, it is an internal error. */
  const broken = new Set<number>();
  const waitingForIdle: (() => void)[] = [];

  const post = (event: Event): void => {
    queue.push(redact(event));
    if (running) return;
    running = true;
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) advance(next);
    running = false;
    if (session.phase.kind === "idle") for (const resolve of waitingForIdle.splice(0)) resolve();
  };
  const orders = createOrders({ ...deps, post });

  const advance = (event: Event): void => {
    let effects: readonly Effect[];
    try {
      [session, effects] = step(session, event);
    } catch (fault) {
      return giveUp(event, fault);
    }
    record(event, effects);
    for (const effect of effects) carryOut(effect);
    return undefined;
  };

  /** One effect that fails must not cost those behind it: the prompt's answer is the last of them. */
  const carryOut = (effect: Effect): void => {
    try {
      execute(effect);
    } catch (fault) {
      breakTurn(`effect ${effect.type}`, fault);
    }
  };

  /** The turn is ended by the reducer's own cancel, which closes what is open, so that the session can go on. */
  const breakTurn = (what: string, fault: unknown): void => {
    log("error", "a fault of our own", { session: session.id, what, fault: faultText(fault) });
    if (session.phase.kind === "idle") return;
    broken.add(session.phase.turn.number);
    queue.unshift({ type: "cancelRequested", drainMs: 0 });
  };

  /** `step` has thrown, and the state is as it was before the event. If not even a cancel can be stepped, history is given up. */
  const giveUp = (event: Event, fault: unknown): void => {
    const { phase } = session;
    if (event.type === "promptReceived") prompts.answer(event.request, internalFailure(session));
    if (event.type === "steerReceived") steers.answer(event.request, { kind: "refused", reason: { kind: "ending" } });
    if (event.type !== "cancelRequested" || phase.kind === "idle") return breakTurn(`event ${event.type}`, fault);
    log("error", "the session starts over without its history", { session: session.id, fault: faultText(fault) });
    session = startOver(session);
    return prompts.answer(phase.turn.request, internalFailure(session));
  };

  const execute = (effect: Effect): void => {
    switch (effect.type) {
      case "log":
        return log(effect.level, effect.message, effect.fields);
      case "publish":
        return client.publish(effect.update);
      case "refusePrompt":
        return prompts.answer(effect.request, { kind: "refused", reason: effect.reason });
      case "answerSteer":
        return steers.answer(effect.request, effect.answer);
      case "answerPrompt":
        return prompts.answer(effect.request, broken.has(effect.turn) ? internalFailure(session) : effect.outcome);
      case "abort":
      case "stopTimer":
      case "startTimer":
      case "callModel":
      case "summarise":
      case "callHooks":
      case "askPermission":
      case "runTool":
        return orders.carryOut(session, effect);
      default:
        return assertNever(effect);
    }
  };

  return {
    post,
    prompt: (runId, text, answer) => {
      post({ type: "promptReceived", request: prompts.add(answer), runId, text });
    },
    steer: (steer, answer) => {
      post({ type: "steerReceived", request: steers.add(answer), ...steer });
    },
    idle: async () => {
      if (session.phase.kind === "idle") return;
      await new Promise<void>((resolve) => {
        waitingForIdle.push(resolve);
      });
    },
  };
};

const faultText = (fault: unknown): string => (fault instanceof Error ? (fault.stack ?? fault.message) : String(fault));

const startOver = (session: Session): Session => ({
  ...session,
  history: { ...emptyHistory, revision: session.history.revision + 1 },
  reading: none,
  phase: { kind: "idle" },
});

const internalFailure = (session: Session): PromptAnswer => ({
  kind: "failed",
  failure: { kind: "internal", message: "an internal error ended the turn", status: none },
  model: session.settings.model,
});
