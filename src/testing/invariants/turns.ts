/** Invariants 4, 7, 8 and 13 of `spec/turn-loop.md` 10: how turns begin, go on and end. */
import type { Effect, HistoryItem, UserItem } from "../../core/index.js";
import { equal } from "../equal.js";
import { isAnswer, turnOf, type Watched } from "../orders.js";
import { along, atEach, effectsOf, unless, updatesOf, type Faults, type Invariant } from "./invariant.js";

const nothingBut = (effects: readonly Effect[], ...types: readonly Effect["type"][]): Faults =>
  unless(
    effects.every(({ type }) => type === "log" || types.includes(type)),
    `effects beside ${["log", ...types].join(" and ")}: ${effects.map(({ type }) => type).join(", ")}`,
  );

const unchanged = ({ before, after }: Watched): Faults => unless(equal(before, after), "the state changed");

/** Accepted prompts by the number of their turn, and what is not yet answered. */
interface Prompts {
  readonly open: string | undefined;
}

const promptFaults = (state: Prompts, watched: Watched): Faults => {
  const { event, effects, before } = watched;
  if (event.type !== "promptReceived") return [];
  const refusals = effectsOf(effects, "refusePrompt");
  if (refusals.length === 0) {
    return [
      ...unless(state.open === undefined && before.phase.kind === "idle", "a second turn began"),
      ...unless(updatesOf(effects, "turnStarted").length === 1, "the turn's start was not told"),
    ];
  }
  return [
    ...unless(refusals.length === 1 && refusals[0]?.request === event.request, "the refusal is not the prompt's"),
    ...unchanged(watched),
    ...nothingBut(effects, "refusePrompt"),
  ];
};

const steerFaults = (watched: Watched): Faults => {
  const { event, effects } = watched;
  const answers = effectsOf(effects, "answerSteer");
  if (event.type !== "steerReceived") return unless(answers.length === 0, "a steer was answered that nobody sent");
  const answer = answers[0];
  if (answers.length !== 1 || answer === undefined || answer.request !== event.request) {
    return ["a steer is answered once, at once"];
  }
  if (answer.answer.kind === "refused") return [...unchanged(watched), ...nothingBut(effects, "answerSteer")];
  return unless(answer.answer.runId === turnOf(watched.after)?.runId, "a steer was accepted for another run");
};

const refusedOf = ({ event, effects }: Watched): boolean =>
  event.type === "promptReceived" && effectsOf(effects, "refusePrompt").length > 0;

/** The request that waits for an answer behind this event, if one does. */
const openAfter = (state: Prompts, watched: Watched): string | undefined => {
  const { event, effects } = watched;
  if (effectsOf(effects, "answerPrompt").length > 0) return undefined;
  return event.type === "promptReceived" && !refusedOf(watched) ? event.request : state.open;
};

const answerFaults = (state: Prompts, watched: Watched): Faults => {
  const { event, effects, before, after } = watched;
  const answers = effectsOf(effects, "answerPrompt");
  const waiting = event.type === "promptReceived" && !refusedOf(watched) ? event.request : state.open;
  return [
    ...unless(answers.length <= 1, "two answers"),
    ...answers.flatMap((answer) => [
      ...unless(answer.request === waiting, `an answer to ${answer.request}, where ${String(waiting)} waits`),
      ...unless(answer.turn === after.turns, "the answer names another turn"),
      ...unless(effects.at(-1) === answer, "something comes behind the answer"),
      ...unless(updatesOf(effects, "turnEnded").length === 1, "the turn's end was not told"),
      ...unless(after.phase.kind === "idle", "answered, but not idle"),
    ]),
    ...unless(
      answers.length === 1 || before.phase.kind === "idle" || after.phase.kind !== "idle",
      "ended without an answer",
    ),
  ];
};

/** What belongs to a turn is published while it runs; only notices are about the session. */
const publishFaults = ({ before, after, effects }: Watched): Faults => {
  if (before.phase.kind !== "idle" || after.phase.kind !== "idle") return [];
  const late = effectsOf(effects, "publish").filter(({ update }) => update.kind !== "noticeTold");
  return late.map(({ update }) => `${update.kind} outside of any turn`);
};

/**
 * 4. An accepted prompt gets exactly one answer, and nothing for its turn comes after it; a refused prompt changes nothing and
 * gets its refusal. A steer is answered at once, and a refused one changes nothing either.
 */
export const everyPromptHasOneAnswer: Invariant = along<Prompts>({ open: undefined }, (state, watched) => {
  const open = openAfter(state, watched);
  return [
    { open },
    [
      ...promptFaults(state, watched),
      ...steerFaults(watched),
      ...answerFaults(state, watched),
      ...publishFaults(watched),
      ...unless(
        (open === undefined) === (watched.after.phase.kind === "idle"),
        "idle and an open prompt exclude each other",
      ),
    ],
  ];
});

/**
 * 7. A session that is not idle waits for something that will come: an order that is out, or a catalogue that is not complete.
 * That turns end within a bound is shown by playing answers (`settle`); this is the half that a run shows by itself.
 */
export const nothingWaitsForNothing: Invariant = atEach(({ after, ordersAfter }) => {
  if (after.phase.kind === "idle") return unless(ordersAfter.awaited.length === 0, "idle, and something is awaited");
  if (after.phase.kind === "awaitingCatalog") {
    return unless(!after.catalog.complete && ordersAfter.awaited.length === 0, "waits for a catalogue that is there");
  }
  return unless(ordersAfter.awaited.length > 0, `${after.phase.kind} waits for nothing`);
});

const isIdleCancel = ({ event, before }: Watched): boolean =>
  event.type === "cancelRequested" && before.phase.kind === "idle";

/** 8. Answers to what is not awaited, and a cancel without a turn, change nothing and cause nothing except log lines. */
export const unawaitedAnswersChangeNothing: Invariant = atEach((watched) => {
  const unawaited = isAnswer(watched.event) && watched.answered === undefined;
  if (!unawaited && !isIdleCancel(watched)) return [];
  return [
    ...unchanged(watched),
    ...nothingBut(watched.effects),
    ...(unawaited ? unless(watched.effects.length === 1, "an ignored answer is logged once") : []),
  ];
});

const steersOf = (history: readonly HistoryItem[], turn: number): readonly UserItem[] =>
  history.filter((item): item is UserItem => item.kind === "user" && item.origin === "steer" && item.turn === turn);

const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd");

/** Steers accepted in the running turn, by text; and those of them that no request has carried when the event came. */
interface Accepted {
  readonly texts: readonly string[];
  readonly waiting: readonly string[];
}

const acceptedBy = ({ event, effects }: Watched): readonly string[] =>
  event.type === "steerReceived" && effectsOf(effects, "answerSteer").some(({ answer }) => answer.kind === "accepted")
    ? [wellFormed(event.text)]
    : [];

const ended = (accepted: Accepted, { effects, before, after }: Watched): Faults =>
  effectsOf(effects, "answerPrompt").flatMap(({ outcome, turn }) => {
    const lost = outcome.kind === "failed" || outcome.reason === "cancelled";
    if (lost) {
      const waiting = turnOf(before)?.steers.length ?? 0;
      return unless(effectsOf(effects, "log").length >= waiting, "a steer was dropped without a log line");
    }
    // A refused turn leaves history; what the model has not seen yet stays for the next request.
    const expected = outcome.reason === "refusal" ? accepted.waiting : accepted.texts;
    const found = steersOf(after.history.chunks.flat(), turn).map(({ text }) => text);
    return unless(
      equal(found, expected),
      `steers in history ${JSON.stringify(found)}, accepted ${JSON.stringify(expected)}`,
    );
  });

/** 13. When a turn ends, unless cancelled or failed, every accepted steer is in history exactly once, in order. */
export const acceptedSteersArriveOnce: Invariant = along<Accepted>({ texts: [], waiting: [] }, (state, watched) => {
  const fresh = watched.before.turns === watched.after.turns ? state : { texts: [], waiting: [] };
  const more = acceptedBy(watched);
  const accepted = { texts: [...fresh.texts, ...more], waiting: [...fresh.waiting, ...more] };
  const asked = effectsOf(watched.effects, "callModel").length > 0;
  return [asked ? { ...accepted, waiting: [] } : accepted, ended(accepted, watched)];
});
