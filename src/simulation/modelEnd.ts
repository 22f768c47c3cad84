/** The model's end of the world: what it answers to ordinary requests and to summary requests, and when. */
import { isSome, none, some } from "fp-ts/lib/Option.js";
import type { Effect } from "../core/effect.js";
import type { Event } from "../core/event.js";
import type { FailureKind, ModelFailure, ModelReply, Settings } from "../core/model.js";
import { utf8Bytes } from "../core/text.js";
import { attempt, type AttemptsMade } from "./attempts.js";
import { draftReply, fit, type Draft, type Room } from "./draft.js";
import { filler, fillerObject } from "./filler.js";
import { purpose } from "./random.js";
import { DRAW_LIMITS } from "./scenario.js";
import { rememberPrefix, reportedUsage, tokensOf } from "./tokenLaw.js";
import { answer, drawn, happens, type World } from "./world.js";

type CallModel = Extract<Effect, { type: "callModel" }>;
type Summarise = Extract<Effect, { type: "summarise" }>;

const TOKEN_MS = purpose("model.outputTokenMs");
const SUMMARY = purpose("summary.textBytes");

const SUMMARY_FAULTS = {
  failure: purpose("faults.summary.failure"),
  refusal: purpose("faults.summary.refusal"),
  emptyText: purpose("faults.summary.emptyText"),
} as const;

const failureOf = (kind: FailureKind): ModelFailure => ({ kind, message: `simulated ${kind}`, status: none });

/** Room for the reply: what was asked for, or what the input leaves of the window. */
const roomFor = (maxOutputTokens: number, windowTokens: number, inputTokens: number): Room =>
  windowTokens - inputTokens < maxOutputTokens
    ? { tokens: windowTokens - inputTokens, by: "contextWindow" }
    : { tokens: maxOutputTokens, by: "outputLimit" };

/** The true window shrinks with the configured one when the model changes. */
const trueWindow = (world: World, { windowTokens }: Settings): number =>
  Math.min(windowTokens, world.stage.scenario.model.trueWindowTokens ?? windowTokens);

const fail = (world: World, order: CallModel | Summarise, kind: FailureKind, made: AttemptsMade): void => {
  const type = order.type === "callModel" ? "modelFailed" : "summaryFailed";
  const attempts = { tries: made.tries, waitedMs: made.waitedMs };
  const event: Event = { type, effect: order.id, turn: order.turn, failure: failureOf(kind), attempts };
  answer(world, order, made.durationMs, event);
};

const reply = (
  world: World,
  order: CallModel | Summarise,
  index: number,
  made: AttemptsMade,
  draft: Draft,
  tokens: { readonly input: number; readonly output: number; readonly cached: number },
): void => {
  const { model } = world.stage.scenario;
  const type = order.type === "callModel" ? "modelReplied" : "summaryReplied";
  const body: ModelReply = {
    text: draft.text,
    reasoning: draft.reasoning,
    calls: draft.calls,
    stop: draft.stop,
    usage: reportedUsage(world, tokens, order.turn, index),
    replay:
      draft.replay === ""
        ? none
        : some({ dialect: "simulated", model: model.id, json: fillerObject(draft.replay.length) }),
  };
  const attempts = { tries: made.tries, waitedMs: made.waitedMs };
  const writingMs = tokens.output * drawnTokenMs(world, order.turn, index);
  answer(world, order, made.durationMs + Math.round(writingMs), {
    type,
    effect: order.id,
    turn: order.turn,
    reply: body,
    attempts,
  });
};

const drawnTokenMs = (world: World, turn: number, index: number): number => {
  const { outputTokenMs } = world.stage.scenario.model;
  return outputTokenMs.kind === "constant"
    ? outputTokenMs.value
    : drawn(world, outputTokenMs, DRAW_LIMITS.milliseconds, TOKEN_MS, turn, index);
};

/** Bytes of the tools that are sent: the catalogue's first ones. */
const sentToolBytes = (world: World, offered: number): number => {
  const { toolBytes } = world.session.catalog;
  let bytes = 0;
  for (let place = 0; place < offered; place++) bytes += toolBytes[place] ?? 0;
  return bytes;
};

/** Called with the session that ordered it, while it awaits the model. */
export const callModel = (world: World, order: CallModel): void => {
  const { phase, history, systemBytes } = world.session;
  if (phase.kind !== "awaitingModel") throw new Error(`a session that called the model is ${phase.kind}`);
  const { settings, tools, maxOutputTokens } = phase.sent;
  const { tokensPerByte } = world.stage.scenario.model;
  const made = attempt(world, order.turn, order.round);
  if (isSome(made.failure)) return fail(world, order, made.failure.value, made);
  const fixedBytes = systemBytes + sentToolBytes(world, tools.length);
  const bytes = fixedBytes + history.pressureBytes;
  const input = tokensOf(bytes, tokensPerByte);
  const window = trueWindow(world, settings);
  if (input >= window) return fail(world, order, "contextExceeded", made);
  const size = { model: settings.model, revision: history.revision, fixedBytes, bytes };
  const cached = Math.min(input, Math.floor(rememberPrefix(world, size) * tokensPerByte));
  const draft = draftReply(world, tools.length, order);
  const fitted = fit(draft, roomFor(maxOutputTokens, window, input), tokensPerByte);
  reply(world, order, order.round, made, fitted.draft, { input, output: fitted.tokens, cached });
};

/** Where the draws of summaries begin among those of a turn's requests. */
const SUMMARIES_FROM = 1_000_000;

/** Answers a summary request. Its prompt is new to the provider every time, so nothing of it is cached. */
export const summarise = (world: World, order: Summarise): void => {
  const { scenario } = world.stage;
  const { faults, model } = scenario;
  const { turn, request } = order;
  // Effect ids would do, but a handoff more or less elsewhere must not change what this one draws.
  const index = SUMMARIES_FROM + attemptsOf(world);
  const fault = (what: keyof typeof SUMMARY_FAULTS): boolean =>
    happens(world, faults.summary[what], SUMMARY_FAULTS[what], turn, index);
  const made = attempt(world, turn, index);
  if (isSome(made.failure)) return fail(world, order, made.failure.value, made);
  if (fault("failure")) return fail(world, order, "serverError", made);
  const input = tokensOf(utf8Bytes(request.system) + utf8Bytes(request.prompt), model.tokensPerByte);
  const window = trueWindow(world, request.settings);
  if (input >= window) return fail(world, order, "contextExceeded", made);
  const text = filler(drawn(world, scenario.summary.textBytes, DRAW_LIMITS.textBytes, SUMMARY, turn, index));
  const whole: Draft = {
    text: fault("emptyText") ? "" : text,
    reasoning: "",
    replay: "",
    calls: [],
    stop: fault("refusal") ? { kind: "refusal" } : { kind: "end" },
  };
  const fitted = fit(whole, roomFor(request.maxOutputTokens, window, input), model.tokensPerByte);
  reply(world, order, index, made, fitted.draft, { input, output: fitted.tokens, cached: 0 });
};

/** Handoff attempts of the running turn, of both kinds. */
const attemptsOf = ({ session: { phase } }: World): number =>
  phase.kind === "awaitingSummary" ? phase.turn.handoffAttempts + phase.turn.overflowAttempts : 0;
