/** Watches a session, recorded or simulated, and notes what it says about its world. */
import { isSome } from "fp-ts/lib/Option.js";
import { judgeArguments } from "../../core/arguments.js";
import type { Effect } from "../../core/effect.js";
import type { Event, ToolOutcome } from "../../core/event.js";
import type { FailureKind, ModelReply, RequestedCall } from "../../core/model.js";
import { assertNever } from "../../core/never.js";
import type { Session } from "../../core/session.js";
import { utf8Bytes } from "../../core/text.js";
import type { ReportedUsage } from "../../core/usage.js";
import { ATTEMPTS, note, tried, type Observations } from "./observations.js";

/** One event with the states around it; `atMs` since the record began, undefined where it has no times. */
export interface Observed {
  readonly atMs: number | undefined;
  readonly event: Event;
  readonly before: Session;
  readonly after: Session;
  readonly effects: readonly Effect[];
}

/** What is remembered between the events of one session. */
interface Memory {
  readonly orderedMs: Map<number, number>;
  promptMs: number | undefined;
  answeredMs: number | undefined;
  prompts: number;
  steers: number;
  toolRounds: number;
  running: boolean;
}

/** Milliseconds since `from`, if both times are known. */
const since = (from: number | undefined, atMs: number | undefined): number | undefined =>
  from === undefined || atMs === undefined ? undefined : Math.max(0, atMs - from);

const noteTime = (observations: Observations, path: string, ms: number | undefined): void => {
  if (ms !== undefined) note(observations, path, ms);
};

const onCatalog = (observations: Observations, event: Extract<Event, { type: "catalogChanged" }>): void => {
  for (const { name, description, schema, readOnly } of event.tools) {
    const tool = observations.tools.get(name) ?? { name, readOnly, definitionBytes: 0, calls: 0 };
    tool.readOnly = readOnly;
    tool.definitionBytes = utf8Bytes(name) + utf8Bytes(description) + utf8Bytes(schema);
    observations.tools.set(name, tool);
  }
};

const onUsage = (observations: Observations, usage: ReportedUsage): void => {
  const missing = usage.input.kind === "absent" && !isSome(usage.output);
  tried(observations, "faults.usage.missing", missing);
  if (!missing) tried(observations, "faults.usage.partial", !isSome(usage.cacheRead));
};

/** System text, tools and history of the request that is out. */
const requestBytes = ({ phase, systemBytes, catalog }: Session): number => {
  if (phase.kind !== "awaitingModel") return 0;
  const tools = catalog.toolBytes.slice(0, phase.sent.tools.length).reduce((a, b) => a + b, 0);
  return systemBytes + tools + phase.sent.pressureBytes;
};

const onCall = (observations: Observations, before: Session, call: RequestedCall): void => {
  const tool = observations.tools.get(call.name);
  tried(observations, "faults.model.unknownTool", tool === undefined);
  tried(observations, "faults.model.badArguments", judgeArguments(call.argumentsText)._tag === "Left");
  if (tool === undefined || before.phase.kind !== "awaitingModel") return;
  tool.calls += 1;
  note(observations, `tools.${call.name}.argumentBytes`, utf8Bytes(call.argumentsText));
};

const onReply = (observations: Observations, memory: Memory, before: Session, reply: ModelReply): void => {
  const { usage, stop, calls } = reply;
  onUsage(observations, usage);
  if (usage.input.kind === "exact" && usage.input.tokens > 0n) {
    observations.requestBytes += requestBytes(before);
    observations.requestTokens += Number(usage.input.tokens);
  }
  tried(observations, "faults.model.cutOff", stop.kind === "cutOff");
  tried(observations, "faults.model.refusal", stop.kind === "refusal");
  tried(observations, "faults.model.toolUseWithoutCalls", stop.kind === "toolUse" && calls.length === 0);
  tried(observations, "faults.model.unknownStop", stop.kind === "unknown");
  const empty = reply.text === "" && calls.length === 0 && stop.kind === "end";
  tried(observations, "faults.model.emptyReply", empty);
  if (!empty) note(observations, "model.textBytes", utf8Bytes(reply.text));
  note(observations, "model.reasoningBytes", utf8Bytes(reply.reasoning));
  note(observations, "model.replayBytes", isSome(reply.replay) ? utf8Bytes(reply.replay.value.json) : 0);
  if (calls.length === 0) return;
  memory.toolRounds += 1;
  note(observations, "model.callsPerRound", calls.length);
  for (const call of calls) onCall(observations, before, call);
};

const onTool = (observations: Observations, name: string, outcome: ToolOutcome): void => {
  if (outcome.kind === "cancelled") return;
  tried(observations, "faults.tool.hang", outcome.kind === "timedOut");
  tried(observations, "faults.tool.crash", outcome.kind === "failed");
  tried(observations, "faults.tool.rejected", outcome.kind === "rejected");
  if (outcome.kind !== "result") return;
  tried(observations, "faults.tool.error", outcome.isError);
  const images = outcome.parts.filter((part) => part.kind === "image");
  const text = outcome.parts.reduce((sum, part) => sum + (part.kind === "text" ? utf8Bytes(part.text) : 0), 0);
  note(observations, `tools.${name}.resultBytes`, text);
  tried(observations, `tools.${name}.imageRate`, images.length > 0);
  for (const { dataBase64 } of images) note(observations, `tools.${name}.imageBytes`, dataBase64.length);
};

/** Name of the tool that the running effect belongs to. */
const toolNameOf = ({ phase }: Session, effect: number): string | undefined =>
  phase.kind === "awaitingTools" || phase.kind === "draining"
    ? phase.batch.calls.find(({ state }) => state.kind === "running" && state.run === effect)?.call.name
    : undefined;

const onAttempts = (observations: Observations, tries: number, kind: FailureKind, failures: number): void => {
  tried(observations, ATTEMPTS, false, tries);
  for (let failed = 0; failed < failures; failed++) {
    tried(observations, `faults.model.attemptFailures.${kind}`, true, 0);
  }
};

const onAnswer = (observations: Observations, memory: Memory, { event, before, atMs }: Observed): void => {
  if (!("effect" in event)) return;
  const took = since(memory.orderedMs.get(event.effect), atMs);
  const awaited = before.phase.kind === "awaitingModel" || before.phase.kind === "awaitingSummary";
  switch (event.type) {
    case "modelReplied":
      if (!awaited) return;
      // Why earlier attempts failed is not recorded, only that they did; most often a provider is overloaded.
      onAttempts(observations, event.attempts.tries, "overloaded", event.attempts.tries - 1);
      // Of several attempts only the sum is known.
      if (event.attempts.tries === 1) noteTime(observations, "model.latencyMs", took);
      return onReply(observations, memory, before, event.reply);
    case "modelFailed":
      if (!awaited || event.failure.kind === "aborted" || event.failure.kind === "internal") return;
      return onAttempts(observations, event.attempts.tries, event.failure.kind, event.attempts.tries);
    case "summaryReplied":
      onUsage(observations, event.reply.usage);
      tried(observations, "faults.summary.failure", false);
      tried(observations, "faults.summary.refusal", event.reply.stop.kind === "refusal");
      tried(observations, "faults.summary.emptyText", event.reply.text.trim() === "");
      return note(observations, "summary.textBytes", utf8Bytes(event.reply.text));
    case "summaryFailed":
      if (event.failure.kind !== "aborted") tried(observations, "faults.summary.failure", true);
      return;
    case "toolFinished": {
      const name = toolNameOf(before, event.effect);
      if (name === undefined) return;
      if (event.outcome.kind === "result") noteTime(observations, `tools.${name}.latencyMs`, took);
      return onTool(observations, name, event.outcome);
    }
    case "permissionAnswered":
      if (event.answer === "cancelled" || event.answer === "failed") return;
      tried(observations, "user.rejectRate", event.answer === "rejectOnce");
      tried(observations, "user.allowAlwaysRate", event.answer === "allowAlways");
      return noteTime(observations, "user.permissionMs", took);
    case "hooksAnswered":
    case "drainExpired":
      return;
  }
  return assertNever(event);
};

const onRequest = (observations: Observations, memory: Memory, { event, effects, atMs }: Observed): void => {
  const refused = effects.some(({ type }) => type === "refusePrompt");
  switch (event.type) {
    case "promptReceived":
      if (refused) return;
      noteTime(observations, "user.pauseMs", since(memory.answeredMs, atMs));
      memory.promptMs = atMs;
      memory.running = true;
      memory.steers = 0;
      memory.toolRounds = 0;
      memory.prompts += 1;
      return note(observations, "user.promptBytes", utf8Bytes(event.text));
    case "steerReceived":
      if (!memory.running) return;
      memory.steers += 1;
      noteTime(observations, "user.steerDelayMs", since(memory.promptMs, atMs));
      return note(observations, "user.steerBytes", utf8Bytes(event.text));
    case "cancelRequested":
      if (memory.running) noteTime(observations, "user.cancelDelayMs", since(memory.promptMs, atMs));
      return;
    case "catalogChanged":
      return onCatalog(observations, event);
    case "closeRequested":
    case "settingsChanged":
    case "modelReplied":
    case "modelFailed":
    case "summaryReplied":
    case "summaryFailed":
    case "hooksAnswered":
    case "permissionAnswered":
    case "toolFinished":
    case "drainExpired":
      return;
  }
  return assertNever(event);
};

const onEffects = (observations: Observations, memory: Memory, { effects, atMs }: Observed): void => {
  for (const effect of effects) {
    if ("id" in effect && atMs !== undefined) memory.orderedMs.set(effect.id, atMs);
    if (effect.type !== "answerPrompt") continue;
    const cancelled = effect.outcome.kind === "stopped" && effect.outcome.reason === "cancelled";
    tried(observations, "user.cancelRate", cancelled);
    note(observations, "user.steers", memory.steers);
    if (effect.outcome.kind === "stopped" && effect.outcome.reason === "end_turn") {
      note(observations, "model.toolRounds", memory.toolRounds);
    }
    memory.running = false;
    memory.answeredMs = atMs;
  }
};

/** Adds one session, event by event: call it with each, and `end` behind the last. */
export const observeSession = (
  observations: Observations,
): { readonly see: (observed: Observed) => void; readonly end: () => void } => {
  const memory: Memory = {
    orderedMs: new Map(),
    promptMs: undefined,
    answeredMs: undefined,
    prompts: 0,
    steers: 0,
    toolRounds: 0,
    running: false,
  };
  let first = true;
  return {
    see: (observed) => {
      if (first) observations.start = observed.before;
      first = false;
      onRequest(observations, memory, observed);
      onAnswer(observations, memory, observed);
      onEffects(observations, memory, observed);
    },
    end: () => {
      observations.sessions += 1;
      note(observations, "user.turns", memory.prompts);
    },
  };
};
