/** Tools, hooks and permission questions: what the shell would do with them. */
import type { Effect } from "../core/effect.js";
import type { HookOutput, PermissionAnswer, ToolOutcome } from "../core/event.js";
import type { ResultPart } from "../core/history.js";
import { defaultShellLimits } from "../core/policy.js";
import { filler } from "./filler.js";
import { CALLS_MAX } from "./draft.js";
import { purpose, uniform } from "./random.js";
import { DRAW_LIMITS, type ToolScenario } from "./scenario.js";
import { answer, drawn, happens, type World } from "./world.js";

type RunTool = Extract<Effect, { type: "runTool" }>;
type CallHooks = Extract<Effect, { type: "callHooks" }>;
type AskPermission = Extract<Effect, { type: "askPermission" }>;

const LATENCY = purpose("tools.latencyMs");
const RESULT = purpose("tools.resultBytes");
const IMAGE = purpose("tools.imageRate");
const IMAGE_BYTES = purpose("tools.imageBytes");
const FAULTS = {
  error: purpose("faults.tool.error"),
  rejected: purpose("faults.tool.rejected"),
  crash: purpose("faults.tool.crash"),
  hang: purpose("faults.tool.hang"),
} as const;

const KEY = /^t\d+r(\d+)c(\d+)$/;

/** Tells the calls of one turn apart by round and position, whatever else went on in the turn. */
const indexOf = (key: string): number => {
  const found = KEY.exec(key);
  return found === null ? 0 : Number(found[1]) * CALLS_MAX + Number(found[2]);
};

/** Base64 comes in groups of four. */
const imagePart = (bytes: number): ResultPart => ({
  kind: "image",
  mimeType: "image/png",
  dataBase64: "A".repeat(Math.max(4, bytes - (bytes % 4))),
});

const resultParts = (world: World, tool: ToolScenario, turn: number, index: number): readonly ResultPart[] => {
  const text: ResultPart = {
    kind: "text",
    text: filler(drawn(world, tool.resultBytes, DRAW_LIMITS.textBytes, RESULT, turn, index)),
  };
  if (!happens(world, tool.imageRate, IMAGE, turn, index)) return [text];
  return [text, imagePart(drawn(world, tool.imageBytes, DRAW_LIMITS.textBytes, IMAGE_BYTES, turn, index))];
};

const outcomeOf = (world: World, tool: ToolScenario, turn: number, index: number): ToolOutcome => {
  const { tool: rates } = world.stage.scenario.faults;
  const fault = (kind: keyof typeof FAULTS): boolean => happens(world, rates[kind], FAULTS[kind], turn, index);
  if (fault("hang")) return { kind: "timedOut", message: "simulated hang" };
  if (fault("crash")) return { kind: "failed", message: "simulated crash of the server" };
  if (fault("rejected")) return { kind: "rejected", message: "simulated refusal of the call" };
  return { kind: "result", parts: resultParts(world, tool, turn, index), isError: fault("error") };
};

export const runTool = (world: World, order: RunTool): void => {
  const { id: effect, turn } = order;
  const tool = world.stage.toolByName.get(order.name);
  if (tool === undefined) throw new Error(`a tool that nobody offers was run: ${order.name}`);
  const index = indexOf(order.key);
  const outcome = outcomeOf(world, tool, turn, index);
  const delayMs =
    outcome.kind === "timedOut"
      ? defaultShellLimits.toolTimeoutSeconds * 1000
      : drawn(world, tool.latencyMs, DRAW_LIMITS.milliseconds, LATENCY, turn, index);
  answer(world, order, delayMs, { type: "toolFinished", effect, turn, outcome });
};

const HOOK_SPEAKS = purpose("hooks.textRate");
const HOOK_TEXT = purpose("hooks.textBytes");
const HOOK_LATENCY = purpose("hooks.latencyMs");

export const callHooks = (world: World, order: CallHooks): void => {
  const { id: effect, turn, point, servers } = order;
  const hook = world.stage.scenario.hooks[point];
  const index = effect;
  const [server = "server1"] = servers;
  const outputs: readonly HookOutput[] = happens(world, hook.textRate, HOOK_SPEAKS, turn, index)
    ? [{ server, text: filler(drawn(world, hook.textBytes, DRAW_LIMITS.textBytes, HOOK_TEXT, turn, index)) }]
    : [];
  // A hook that takes longer than its limit is taken to have said nothing.
  const naturalMs = drawn(world, hook.latencyMs, DRAW_LIMITS.milliseconds, HOOK_LATENCY, turn, index);
  const { hookTimeoutMs } = defaultShellLimits;
  answer(world, order, Math.min(naturalMs, hookTimeoutMs), {
    type: "hooksAnswered",
    effect,
    turn,
    outputs: naturalMs > hookTimeoutMs ? [] : outputs,
  });
};

const PERMISSION = purpose("user.permission");
const PERMISSION_MS = purpose("user.permissionMs");

export const askPermission = (world: World, order: AskPermission): void => {
  const { id: effect, turn } = order;
  const { rejectRate, allowAlwaysRate, permissionMs } = world.stage.scenario.user;
  const index = indexOf(order.key);
  const u = uniform(world.draws, PERMISSION, turn, index);
  const permission: PermissionAnswer =
    u < rejectRate ? "rejectOnce" : u > 1 - allowAlwaysRate ? "allowAlways" : "allowOnce";
  const delayMs = drawn(world, permissionMs, DRAW_LIMITS.milliseconds, PERMISSION_MS, turn, index);
  answer(world, order, delayMs, { type: "permissionAnswered", effect, turn, answer: permission });
};
