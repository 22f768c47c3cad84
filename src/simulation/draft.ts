/** What the model wants to say: by the plan of its turn, by chance, and by the scenario's faults; and how much of it fits. */
import type { Effect } from "../core/effect.js";
import type { RequestedCall, Stop } from "../core/model.js";
import { filler, fillerObject } from "./filler.js";
import { purpose, uniform, type Purpose } from "./random.js";
import { DRAW_LIMITS } from "./scenario.js";
import { bytesOf, tokensOf } from "./tokenLaw.js";
import { drawn, happens, type World } from "./world.js";

type CallModel = Extract<Effect, { type: "callModel" }>;

/** A reply before its length is known to fit. */
export interface Draft {
  readonly text: string;
  readonly reasoning: string;
  readonly replay: string;
  readonly calls: readonly RequestedCall[];
  readonly stop: Stop;
}

const TEXT = purpose("model.textBytes");
const REASONING = purpose("model.reasoningBytes");
const REPLAY = purpose("model.replayBytes");
const CALLS = purpose("model.callsPerRound");
const TOOL = purpose("model.tool");
const ARGUMENTS = purpose("tools.argumentBytes");

const FAULTS = {
  cutOff: purpose("faults.model.cutOff"),
  refusal: purpose("faults.model.refusal"),
  toolUseWithoutCalls: purpose("faults.model.toolUseWithoutCalls"),
  emptyReply: purpose("faults.model.emptyReply"),
  unknownStop: purpose("faults.model.unknownStop"),
  callFlood: purpose("faults.model.callFlood"),
  badArguments: purpose("faults.model.badArguments"),
  unknownTool: purpose("faults.model.unknownTool"),
} as const;

/** More than any policy keeps of one reply. */
const FLOOD_CALLS = 70;
/** Draws for the calls of one round stand this far apart. */
export const CALLS_MAX = DRAW_LIMITS.callsPerRound;

/** The tool at probability `u`, by weight, among the first `offered` of the catalogue. */
const pickTool = (world: World, offered: number, u: number): string => {
  const tools = world.stage.scenario.tools.slice(0, offered);
  let left = u * tools.reduce((sum, { weight }) => sum + weight, 0);
  const found = tools.find(({ weight }) => (left -= weight) < 0);
  return (found ?? tools.at(-1))?.name ?? "";
};

const callOf = (world: World, offered: number, turn: number, index: number): RequestedCall => {
  const { faults } = world.stage.scenario;
  const name = pickTool(world, offered, uniform(world.draws, TOOL, turn, index));
  const argumentBytes = world.stage.toolByName.get(name)?.argumentBytes;
  const bytes =
    argumentBytes === undefined ? 0 : drawn(world, argumentBytes, DRAW_LIMITS.textBytes, ARGUMENTS, turn, index);
  const bad = happens(world, faults.model.badArguments, FAULTS.badArguments, turn, index);
  const unknown = happens(world, faults.model.unknownTool, FAULTS.unknownTool, turn, index);
  return {
    providerId: `call_${index}`,
    name: unknown ? `${name}_unknown` : name,
    argumentsText: bad ? fillerObject(bytes).slice(0, -1) : fillerObject(bytes),
    extra: "",
  };
};

const callsOf = (world: World, offered: number, { turn, round }: CallModel, count: number): readonly RequestedCall[] =>
  Array.from({ length: count }, (_, position) => callOf(world, offered, turn, round * CALLS_MAX + position));

/** How many tools the model calls now, by the plan of its turn and by fault. */
const callCount = (world: World, offered: number, { turn, round }: CallModel): number => {
  const { model, faults } = world.stage.scenario;
  if (offered === 0) return 0;
  if (happens(world, faults.model.callFlood, FAULTS.callFlood, turn, round)) return FLOOD_CALLS;
  if (world.plan.toolRoundsLeft <= 0) return 0;
  world.plan = { ...world.plan, toolRoundsLeft: world.plan.toolRoundsLeft - 1 };
  return Math.max(1, drawn(world, model.callsPerRound, DRAW_LIMITS.callsPerRound, CALLS, turn, round));
};

export const draftReply = (world: World, offered: number, order: CallModel): Draft => {
  const { model, faults } = world.stage.scenario;
  const { turn, round } = order;
  const bytes = (what: Purpose, distribution: typeof model.textBytes): string =>
    filler(drawn(world, distribution, DRAW_LIMITS.textBytes, what, turn, round));
  const fault = (kind: keyof typeof FAULTS, rate: number): boolean => happens(world, rate, FAULTS[kind], turn, round);
  const said = { text: bytes(TEXT, model.textBytes), reasoning: bytes(REASONING, model.reasoningBytes), replay: "" };
  if (fault("cutOff", faults.model.cutOff)) {
    return { ...said, calls: [], stop: { kind: "cutOff", by: "outputLimit" } };
  }
  if (fault("refusal", faults.model.refusal)) return { ...said, calls: [], stop: { kind: "refusal" } };
  if (fault("toolUseWithoutCalls", faults.model.toolUseWithoutCalls)) {
    return { ...said, calls: [], stop: { kind: "toolUse" } };
  }
  if (fault("emptyReply", faults.model.emptyReply)) {
    return { text: "", reasoning: "", replay: "", calls: [], stop: { kind: "end" } };
  }
  const calls = callsOf(world, offered, order, callCount(world, offered, order));
  const replay = bytes(REPLAY, model.replayBytes);
  if (fault("unknownStop", faults.model.unknownStop)) {
    return { ...said, replay, calls, stop: { kind: "unknown", raw: "simulated" } };
  }
  return { ...said, replay, calls, stop: { kind: calls.length > 0 ? "toolUse" : "end" } };
};

const callBytes = ({ name, argumentsText }: RequestedCall): number => name.length + argumentsText.length;

const draftBytes = ({ text, reasoning, replay, calls }: Draft): number =>
  text.length + reasoning.length + replay.length + calls.reduce((sum, call) => sum + callBytes(call), 0);

export interface Room {
  readonly tokens: number;
  readonly by: "outputLimit" | "contextWindow";
}

/** The reply and its output tokens; one that is too long is cut where the room ends, reasoning first, and loses its calls. */
export const fit = (
  draft: Draft,
  room: Room,
  tokensPerByte: number,
): { readonly draft: Draft; readonly tokens: number } => {
  const tokens = tokensOf(draftBytes(draft), tokensPerByte);
  if (tokens <= room.tokens) return { draft, tokens };
  const bytes = bytesOf(room.tokens, tokensPerByte);
  const reasoning = draft.reasoning.slice(0, bytes);
  const text = draft.text.slice(0, bytes - reasoning.length);
  return {
    draft: { text, reasoning, replay: "", calls: [], stop: { kind: "cutOff", by: room.by } },
    tokens: room.tokens,
  };
};
