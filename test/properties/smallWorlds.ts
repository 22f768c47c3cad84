/**
 * Small worlds, enumerated: the model says one of eight things, each tool ends in each way, and a person cancels or steers at any
 * point. What the model may still say, and how often the person still intervenes, is counted down, so every world is finite.
 */
import {
  defaultPolicy,
  initialSession,
  step,
  type Event,
  type ModelReply,
  type Policy,
  type Settings,
  type ToolOutcome,
} from "../../src/core/index.js";
import { assertNever } from "../../src/core/never.js";
import {
  answerTo,
  begin,
  hookUniverse,
  saying,
  universe,
  unusedTokens,
  type Answers,
  type Choice,
  type Order,
  type Play,
} from "../../src/testing/index.js";
import { nameOf } from "./digest.js";

/** Replies and interventions that are left, and whether the prompt behind the turn has come. */
export interface Left {
  readonly replies: number;
  readonly interventions: number;
  readonly nextPrompt: boolean;
}

const none = { _tag: "None" } as const;

const usage = { ...unusedTokens, input: { kind: "exact", tokens: 7n }, output: { _tag: "Some", value: 1n } } as const;

const reply = (parts: Partial<ModelReply>): Answers["model"] => ({
  kind: "reply",
  reply: { ...saying("so"), usage, ...parts },
});

const failing = (kind: "contextExceeded" | "imageUnsupported" | "serverError"): Answers["model"] => ({
  kind: "failure",
  failure: { kind, message: "no", status: none },
});

const call = (name: string): ModelReply["calls"][number] => ({
  providerId: "same",
  name,
  argumentsText: "{}",
  extra: "",
});

/** The eight things that a model can do. */
export const sayings: Readonly<Record<string, Answers["model"]>> = {
  text: reply({}),
  oneCall: reply({ calls: [call("fs__read")], stop: { kind: "toolUse" } }),
  twoCalls: reply({ calls: [call("fs__read"), call("fs__write")], stop: { kind: "toolUse" } }),
  cutOff: reply({ calls: [call("fs__read")], stop: { kind: "cutOff", by: "outputLimit" } }),
  refusal: reply({ stop: { kind: "refusal" } }),
  overflow: failing("contextExceeded"),
  imageRefused: failing("imageUnsupported"),
  failure: failing("serverError"),
};

const image = { kind: "image", mimeType: "image/png", dataBase64: "AAAA" } as const;

/** The ways in which a tool can end, most telling first. */
const outcomes: readonly ToolOutcome[] = [
  { kind: "result", parts: [{ kind: "text", text: "ok" }, image], isError: false },
  { kind: "failed", message: "gone" },
  { kind: "cancelled" },
  { kind: "result", parts: [], isError: true },
  { kind: "rejected", message: "bad" },
  { kind: "timedOut", message: "late" },
];

const summaries: readonly Answers["model"][] = [
  reply({ text: "Notes." }),
  reply({ text: " " }),
  failing("serverError"),
];

type Intervention = "cancel" | "steer" | "close" | "prompt" | "catalog" | "settings";

export interface SmallWorld {
  readonly name: string;
  readonly left: Left;
  readonly policy: Partial<Policy>;
  /** How many of the outcomes are tried. */
  readonly outcomes: number;
  readonly hooks: boolean;
  readonly interventions: readonly Intervention[];
}

const cancelOrSteer = ["cancel", "steer"] as const;

export const worlds: readonly SmallWorld[] = [
  {
    name: "two replies, two interventions",
    left: { replies: 2, interventions: 2, nextPrompt: false },
    policy: {},
    outcomes: 3,
    hooks: false,
    interventions: cancelOrSteer,
  },
  {
    name: "two replies, one intervention, every outcome, hooks",
    left: { replies: 2, interventions: 1, nextPrompt: false },
    policy: { maxParallelTools: 1, stopMaxRejections: 1 },
    outcomes: outcomes.length,
    hooks: true,
    interventions: cancelOrSteer,
  },
  {
    name: "two replies, one intervention, every call asked for",
    left: { replies: 2, interventions: 1, nextPrompt: false },
    policy: { permissions: "always" },
    outcomes: 2,
    hooks: false,
    interventions: cancelOrSteer,
  },
  {
    name: "three replies, one intervention",
    left: { replies: 3, interventions: 1, nextPrompt: false },
    policy: {},
    outcomes: 2,
    hooks: false,
    interventions: cancelOrSteer,
  },
  {
    name: "one reply, two interventions of any kind, a catalogue that comes late",
    left: { replies: 1, interventions: 2, nextPrompt: false },
    policy: { stopMaxRejections: 1 },
    outcomes: 2,
    hooks: true,
    interventions: ["cancel", "steer", "close", "prompt", "catalog", "settings"],
  },
];

const settings: Settings = {
  model: "m1",
  effort: none,
  windowTokens: 200_000,
  maxOutputTokens: 1000,
  authority: none,
};

const catalogOf = ({ hooks }: SmallWorld) => ({ tools: universe.slice(0, 2), hooks: hooks ? hookUniverse : [] });

/** Idle; the catalogue is there unless it may come late. */
export const startOf = (world: SmallWorld): Play => {
  const policy = { ...defaultPolicy, overflowBudgetBytesMin: 1024, ...world.policy };
  const session = initialSession({ id: "s1", policy, system: "You are a test.", settings });
  if (world.interventions.includes("catalog")) return begin(session);
  const [ready] = step(session, { type: "catalogChanged", ...catalogOf(world), complete: true });
  return begin(ready);
};

const attempts = { tries: 1, waitedMs: 0 };
const plain: Answers = { model: reply({}), tool: { kind: "cancelled" }, permission: "allowOnce", hooks: [], attempts };

const isOut = (play: Play, order: Order): boolean => play.orders.awaited.some(({ id }) => id === order.id);

/** All that the world can answer to an order; an aborted one is answered once, as aborted. */
const answersTo = (world: SmallWorld, play: Play, order: Order, left: Left): readonly (readonly [Answers, Left])[] => {
  if (!isOut(play, order)) return [[{ ...plain, model: failing("serverError") }, left]];
  switch (order.type) {
    case "callModel":
      if (left.replies === 0) return [[plain, left]];
      return Object.values(sayings).map((model) => [
        { ...plain, model },
        { ...left, replies: left.replies - 1 },
      ]);
    case "summarise":
      return summaries.map((model) => [{ ...plain, model }, left]);
    case "callHooks":
      return [[], [{ server: "fs", text: "not yet" }]].map((hooks) => [{ ...plain, hooks }, left]);
    case "askPermission":
      return (["allowOnce", "allowAlways", "rejectOnce", "failed"] as const).map((permission) => [
        { ...plain, permission },
        left,
      ]);
    case "runTool":
      return outcomes.slice(0, world.outcomes).map((tool) => [{ ...plain, tool }, left]);
    case "startTimer":
      return [[plain, left]];
  }
  return assertNever(order);
};

const interventionEvent = (world: SmallWorld, play: Play, kind: Intervention): Event => {
  switch (kind) {
    case "cancel":
      return { type: "cancelRequested", drainMs: 5000 };
    case "close":
      return { type: "closeRequested", drainMs: 5000 };
    case "steer": {
      const name = { request: `s${play.count}`, messageId: `m${play.count}` };
      return { type: "steerReceived", ...name, expectedRunId: "run-1", text: "and this" };
    }
    case "prompt":
      return { type: "promptReceived", request: `p${play.count}`, runId: `run-${play.count}`, text: "me too" };
    case "catalog":
      return { type: "catalogChanged", ...catalogOf(world), complete: false };
    case "settings":
      return { type: "settingsChanged", settings: { ...settings, model: "m2" } };
  }
  return assertNever(kind);
};

const intervene = (world: SmallWorld, play: Play, left: Left): readonly Choice<Left>[] => {
  if (left.interventions === 0) return [];
  return world.interventions.map((kind) => ({
    event: interventionEvent(world, play, kind),
    world: { ...left, interventions: left.interventions - 1 },
  }));
};

/** A late catalogue comes at any time, and is complete then. */
const completed = (world: SmallWorld, { session }: Play, left: Left): readonly Choice<Left>[] =>
  session.catalog.complete
    ? []
    : [{ event: { type: "catalogChanged", ...catalogOf(world), complete: true }, world: left }];

const promptText = "Read it. ".repeat(500);

const prompt = (number: string, text: string): Event => ({
  type: "promptReceived",
  request: `p${number}`,
  runId: `run-${number}`,
  text,
});

/** The turn is over and nothing is owed any more. */
const isAtRest = ({ session, orders }: Play): boolean => session.phase.kind === "idle" && orders.owed.length === 0;

/** One prompt; then whatever is owed is answered in any order, and the person may intervene. At the end comes one more prompt. */
export const choicesOf =
  (world: SmallWorld) =>
  (play: Play, left: Left): readonly Choice<Left>[] => {
    if (play.session.turns === 0) return [{ event: prompt("1", promptText), world: left }];
    if (isAtRest(play) && !left.nextPrompt) {
      return [{ event: prompt("2", "again"), world: { ...left, nextPrompt: true } }];
    }
    if (left.nextPrompt && play.session.turns > 1) return [];
    const answered = play.orders.owed.flatMap((order) =>
      answersTo(world, play, order, left).map(([answers, rest]) => ({ event: answerTo(order, answers), world: rest })),
    );
    return [...answered, ...intervene(world, play, left), ...completed(world, play, left)];
  };

/** States are equal when session, debts and what is left are; how the events were numbered is not looked at. */
export const digestOf = (play: Play, left: Left): string =>
  [nameOf(play.session), nameOf(play.orders.owed), nameOf(left)].join(" ");
