// Every turn ends (invariant 7). From wherever random events have brought a session, all that is out is answered in a random
// order, and the turn is over within a bound that the budgets give. The worlds are stubborn: one that always cuts off, one whose
// context always overflows, one whose hooks always object, one that only ever calls tools.
//
// Mutations that this kills, each tried: test/properties/mutations.md.

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { step, type Policy, type Session } from "../../src/core/index.js";
import {
  answers,
  begin,
  eventFor,
  faultsOf,
  moves,
  observable,
  playEvent,
  saying,
  session,
  settle,
  unusedTokens,
  type Answers,
  type Move,
  type Play,
  type Run,
  type Transition,
  type World,
} from "../../src/testing/index.js";
import { counterexample, refute } from "./checks.js";

const reached = (start: Session, played: readonly Move[]): readonly [Play, Run] => {
  const run: Transition[] = [];
  let play = begin(start);
  for (const move of played) {
    const [next, done] = playEvent(step, play, eventFor(play, move));
    run.push(done);
    play = next;
  }
  return [play, run];
};

/** Orders that one round can give: a summary and its hooks, the request, its calls with their questions, the stop hooks. */
const ordersOfRound = (policy: Policy): number => 4 + 2 * Math.min(policy.maxToolCallsPerReply, 8);

/** Rounds that the budgets of one turn allow when the model itself does not ask for more. */
const roundsOf = (policy: Policy): number =>
  3 + policy.stopMaxRejections + policy.maxCutOffRecoveries + policy.maxOverflowAttempts + policy.maxHandoffs;

const boundOf = (play: Play, moreRounds: number): number =>
  play.orders.owed.length + 10 + ordersOfRound(play.session.policy) * (roundsOf(play.session.policy) + moreRounds);

const failing = (kind: "contextExceeded" | "imageUnsupported"): Answers["model"] => ({
  kind: "failure",
  failure: { kind, message: "no", status: { _tag: "None" } },
});

const replying = (reply: Partial<ReturnType<typeof saying>>): Answers["model"] => ({
  kind: "reply",
  reply: { ...saying("so be it"), ...reply },
});

const call = { providerId: "c", name: "fs__read", argumentsText: "{}", extra: "" };

/** What the model says for ever, and how many rounds the world itself may ask for. */
const stubborn: Readonly<Record<string, Answers["model"]>> = {
  "always ends": replying({}),
  "always says nothing": replying({ text: " " }),
  "is always cut off": replying({ stop: { kind: "cutOff", by: "outputLimit" }, calls: [call] }),
  "always overflows": failing("contextExceeded"),
  "never takes images": failing("imageUnsupported"),
  "always refuses": replying({ stop: { kind: "refusal" } }),
  "always means to use a tool, and calls none": replying({ stop: { kind: "toolUse" } }),
  "always reports a full window": replying({
    usage: { ...unusedTokens, input: { kind: "exact", tokens: 1_000_000n } },
  }),
};

const unsettled = (world: (given: Answers) => World, moreRounds: number): string | undefined =>
  counterexample(
    fc.property(
      session,
      moves(0, 30),
      answers,
      fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 20 }),
      (start, played, given, picks) => {
        const [play, run] = reached(start, played);
        const settled = settle(step, play, world(given), picks, boundOf(play, moreRounds));
        if (!settled.atRest) refute([`the turn is not over: ${settled.play.session.phase.kind}`]);
        refute(faultsOf(observable, [...run, ...settled.run]));
      },
    ),
    150,
  );

describe("every turn ends", () => {
  test.each(Object.keys(stubborn))("when the model %s", (name) => {
    const model = stubborn[name] ?? replying({});
    expect(unsettled((given) => () => ({ ...given, model }), 0)).toBeUndefined();
  });

  test("when the model calls tools three times and then ends", () => {
    const world =
      (given: Answers): World =>
      (_, count) => ({ ...given, model: replying(count < 60 ? { calls: [call, call] } : {}) });
    expect(unsettled(world, 60)).toBeUndefined();
  });

  test("by the round limit when the model only ever calls tools", () => {
    const property = fc.property(session, answers, fc.integer({ min: 1, max: 5 }), (start, given, maxRounds) => {
      const policy = { ...start.policy, maxRounds, maxTurnTokens: 0 };
      const ready = { ...start, policy, catalog: { ...start.catalog, complete: true } };
      const [play] = reached(ready, [{ kind: "prompt", text: "go on" }]);
      const world: World = () => ({ ...given, model: replying({ calls: [call] }) });
      const settled = settle(step, play, world, [0], boundOf(play, maxRounds));
      expect(settled.run.at(-1)?.effects.at(-1)).toMatchObject({
        type: "answerPrompt",
        outcome: { kind: "stopped", reason: "max_turn_requests" },
      });
    });
    expect(counterexample(property, 100)).toBeUndefined();
  });
});
