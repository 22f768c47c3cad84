/**
 * One session at work: pop an event, `step`, hand out the effects, repeat (`design.md`, the shell's contract). Nothing calls
 * `step` from inside an effect: what an effect brings about is put into the queue.
 */
import { none } from "fp-ts/lib/Option.js";
import type { Effect, SteerAnswer } from "../../core/effect.js";
import type { Event } from "../../core/event.js";
import { emptyHistory } from "../../core/historyStore.js";
import { assertNever } from "../../core/never.js";
import type { Session } from "../../core/session.js";
import { step } from "../../core/step.js";
import type { PromptAnswer, SteerRequest } from "../acp/agent.js";
import { createOrders, type OrdersDeps } from "./orders.js";

export interface RuntimeDeps extends Omit<OrdersDeps, "post"> {
  readonly initial: Session;
  /** Takes secrets out of an event before the core, the record or the client can see it. */
  readonly redact: (event: Event) => Event;
  /** Called after each step with what it returned. */
  readonly record: (event: Event, effects: readonly Effect[]) => void;
}

export interface Runtime {
  readonly post: (event: Event) => void;
  readonly prompt: (runId: string, text: string, answer: (answer: PromptAnswer) => void) => void;
  readonly steer: (steer: SteerRequest, answer: (answer: SteerAnswer) => void) => void;
  readonly session: () => Session;
  /** Resolves when no turn is running. */
  readonly idle: () => Promise<void>;
}

export const createRuntime = (deps: RuntimeDeps): Runtime => {
  const { redact, record, client, log } = deps;
  let session = deps.initial;
  let running = false;
  let requests = 0;
  const queue: Event[] = [];
  const prompts = new Map<string, (answer: PromptAnswer) => void>();
  const steers = new Map<string, (answer: SteerAnswer) => void>();
  /** Turns that a fault of our own ended: whatever they are answered with, it is an internal error. */
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
    try {
      take(event);
    } catch (fault) {
      recover(event, fault);
    }
  };

  const take = (event: Event): void => {
    const [next, effects] = step(session, event);
    session = next;
    record(event, effects);
    effects.forEach(execute);
  };

  /**
   * A fault of our own. The turn is ended by the reducer's own cancel, which closes what is open, and answered as an internal
   * error; the session goes on. If even that is impossible the history is given up, never the session.
   */
  const recover = (event: Event, fault: unknown): void => {
    log("error", "a fault of our own", { session: session.id, event: event.type, fault: faultText(fault) });
    const turn = session.phase.kind === "idle" ? undefined : session.phase.turn;
    // A prompt or steer that the reducer never got to see whole is answered here; one that it did is answered by the cancel.
    if (event.type === "promptReceived" && event.request !== turn?.request)
      answerPrompt(event.request, internalFailure(session));
    if (event.type === "steerReceived") answerSteer(event.request, { kind: "refused", reason: { kind: "ending" } });
    if (turn === undefined) return;
    broken.add(turn.number);
    try {
      take({ type: "cancelRequested", drainMs: 0 });
    } catch (again) {
      log("error", "the session starts over without its history", { session: session.id, fault: faultText(again) });
      session = startOver(session);
      answerPrompt(turn.request, internalFailure(session));
    }
  };

  const answerPrompt = (request: string, answer: PromptAnswer): void => {
    const reply = prompts.get(request);
    prompts.delete(request);
    reply?.(answer);
  };

  const answerSteer = (request: string, answer: SteerAnswer): void => {
    const reply = steers.get(request);
    steers.delete(request);
    reply?.(answer);
  };

  const execute = (effect: Effect): void => {
    switch (effect.type) {
      case "log":
        return log(effect.level, effect.message, effect.fields);
      case "publish":
        return client.publish(effect.update);
      case "refusePrompt":
        return answerPrompt(effect.request, { kind: "refused", reason: effect.reason });
      case "answerSteer":
        return answerSteer(effect.request, effect.answer);
      case "answerPrompt":
        return answerPrompt(effect.request, broken.has(effect.turn) ? internalFailure(session) : effect.outcome);
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

  const nextRequest = (): string => {
    requests += 1;
    return `request-${requests}`;
  };

  return {
    post,
    prompt: (runId, text, answer) => {
      const request = nextRequest();
      prompts.set(request, answer);
      post({ type: "promptReceived", request, runId, text });
    },
    steer: (steer, answer) => {
      const request = nextRequest();
      steers.set(request, answer);
      post({ type: "steerReceived", request, ...steer });
    },
    session: () => session,
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
