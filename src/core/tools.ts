/** The calls of a reply: judged, asked for, run in parallel, closed (`spec/turn-loop.md` 7). */
import { isLeft, type Either } from "fp-ts/lib/Either.js";
import { judgeArguments } from "./arguments.js";
import type { PermissionAnswer, ToolOutcome } from "./event.js";
import type { ToolCall, ToolResult } from "./history.js";
import { withClosedExchange } from "./historyStore.js";
import type { ModelReply, RequestedCall, Tool } from "./model.js";
import { assertNever } from "./never.js";
import type { Policy } from "./policy.js";
import { boundParts, CANCELLED, errorResult, failureParts, withText } from "./results.js";
import { beginRound } from "./round.js";
import type { CallState } from "./session.js";
import { oneLine, wellFormed } from "./text.js";
import { append } from "./turn.js";
import type { Finish } from "./update.js";
import { mintEffectId, publish, type OpenBatch, type OpenTurn, type Work } from "./work.js";

/** A call of the reply, with what its arguments came to. */
interface JudgedCall {
  readonly requested: RequestedCall;
  readonly judged: Either<string, string>;
}

/** The call as history keeps it. Arguments that are no object are kept as `{}`: its error result says what came instead. */
const keptCall = (turn: OpenTurn, { requested, judged }: JudgedCall, position: number): ToolCall => ({
  key: `t${turn.number}r${turn.round}c${position}`,
  providerId: wellFormed(requested.providerId),
  name: wellFormed(requested.name),
  argumentsText: isLeft(judged) ? "{}" : judged.right,
  extra: wellFormed(requested.extra),
});

/** Why a call is not run, or undefined. Judged against the catalogue that the request carried. */
const fault = (
  { requested: { name }, judged }: JudgedCall,
  offered: readonly Tool[],
  current: readonly Tool[],
): string | undefined => {
  const isNamed = (tool: Tool): boolean => tool.name === name;
  if (!offered.some(isNamed)) return `unknown tool: ${oneLine(name, 256)}`;
  if (!current.some(isNamed)) return `no longer available: ${oneLine(name, 256)}`;
  return isLeft(judged) ? judged.left : undefined;
};

const needsAsking = (work: Work, name: string): boolean => {
  const mode = work.session.policy.permissions;
  const tool = work.session.catalog.tools.find((candidate) => candidate.name === name);
  if (mode === "never" || tool === undefined || tool.builtIn) return false;
  if (work.session.alwaysAllowed.includes(name)) return false;
  return mode === "always" || !tool.readOnly;
};

/** Stores the reply with its calls and starts on them, whatever its stop reason says. */
export const runCalls = (work: Work, turn: OpenTurn, reply: ModelReply, offered: readonly Tool[]): void => {
  const judgedCalls = reply.calls
    .slice(0, work.session.policy.maxToolCallsPerReply)
    .map((requested): JudgedCall => ({ requested, judged: judgeArguments(requested.argumentsText) }));
  const calls = judgedCalls.map((call, position) => keptCall(turn, call, position));
  append(work, {
    kind: "assistant",
    turn: turn.number,
    text: keptText(reply.text),
    exchanges: calls.map((call) => ({ call, outcome: { kind: "open" } })),
    replay: reply.replay,
  });
  const batch: OpenBatch = {
    calls: calls.map((call) => ({
      call,
      state: needsAsking(work, call.name) ? { kind: "announced" } : { kind: "ready" },
    })),
    dropped: reply.calls.length - calls.length,
  };
  work.session.phase = { kind: "awaitingTools", turn, batch };
  const current = work.session.catalog.tools;
  judgedCalls.forEach((call, position) => {
    const { key, name, argumentsText } = calls[position] as ToolCall;
    publish(work, { kind: "toolAnnounced", key, name, argumentsText });
    const message = fault(call, offered, current);
    if (message !== undefined) closeCall(work, batch, position, { kind: "refused", message });
  });
  goOnWithTools(work, turn, batch);
};

/** Empty text is no text. */
export const keptText = (text: string): string => (text.trim() === "" ? "" : wellFormed(text));

const setState = (batch: OpenBatch, position: number, state: CallState): void => {
  const calls = batch.calls;
  const pending = calls[position];
  if (pending !== undefined) batch.calls = calls.with(position, { call: pending.call, state });
};

/** Starts what may start, asks what must be asked, and goes to the next round when every call is closed. */
export const goOnWithTools = (work: Work, turn: OpenTurn, batch: OpenBatch): void => {
  if (batch.calls.every(({ state }) => state.kind === "closed")) return beginRound(work, turn);
  askNext(work, turn, batch);
  startReady(work, turn, batch);
};

/** One question at a time, in call order; a call that waits for its answer holds no slot and holds nobody up. */
const askNext = (work: Work, turn: OpenTurn, batch: OpenBatch): void => {
  const calls = batch.calls;
  if (calls.some(({ state }) => state.kind === "asking")) return;
  const position = calls.findIndex(({ state }) => state.kind === "announced");
  const next = calls[position];
  if (next === undefined) return;
  const id = mintEffectId(work);
  setState(batch, position, { kind: "asking", ask: id });
  const { key, name, argumentsText } = next.call;
  work.emit({ type: "askPermission", id, turn: turn.number, key, name, argumentsText });
};

/** Ready calls start in call order while there are slots. */
const startReady = (work: Work, turn: OpenTurn, batch: OpenBatch): void => {
  let slots = work.session.policy.maxParallelTools - running(batch).length;
  batch.calls.forEach(({ call: { key, name, argumentsText }, state }, position) => {
    if (state.kind !== "ready" || slots <= 0) return;
    slots -= 1;
    const id = mintEffectId(work);
    setState(batch, position, { kind: "running", run: id });
    publish(work, { kind: "toolStarted", key });
    work.emit({ type: "runTool", id, turn: turn.number, key, name, argumentsText });
  });
};

export const running = (batch: OpenBatch): readonly number[] =>
  batch.calls.flatMap(({ state }) => (state.kind === "running" ? [state.run] : []));

/** What the model reads of a finished call whose parts are bounded. */
const resultOf = (finish: Finish, policy: Policy): ToolResult => {
  switch (finish.kind) {
    case "result":
      return finish.isError ? errorResult(finish.parts) : { parts: finish.parts, isError: false };
    case "rejected":
      return errorResult(failureParts(`Tool call rejected: ${finish.message}`, policy));
    case "failed":
    case "timedOut":
    case "refused":
      return errorResult(failureParts(finish.message, policy));
    case "cancelled":
      return CANCELLED;
  }
  return assertNever(finish);
};

/** The client sees the result as the model does, bounded, but without the texts that are added for the model. */
const boundedFinish = (finish: Finish, policy: Policy, acceptsImages: boolean): Finish =>
  finish.kind === "result"
    ? { kind: "result", parts: boundParts(finish.parts, policy, acceptsImages), isError: finish.isError }
    : finish;

/** Closes one call: its result enters history as it arrives, and the client hears of it exactly once. */
export const closeCall = (work: Work, batch: OpenBatch, position: number, finish: Finish): void => {
  const calls = batch.calls;
  const pending = calls[position];
  if (pending === undefined || pending.state.kind === "closed") return;
  const { session } = work;
  const { policy } = session;
  const acceptsImages = !session.imagelessModels.includes(session.settings.model);
  const bounded = boundedFinish(finish, policy, acceptsImages);
  const isLast = position === calls.length - 1;
  const result = resultOf(bounded, policy);
  const told = isLast && batch.dropped > 0 ? withText(result, droppedText(batch)) : result;
  session.history = withClosedExchange(session.history, position, told, policy.imagePressureBytes);
  setState(batch, position, { kind: "closed" });
  publish(work, { kind: "toolFinished", key: pending.call.key, finish: bounded });
};

const droppedText = ({ calls, dropped }: OpenBatch): string =>
  `Only the first ${calls.length} tool calls of that reply were kept; ${dropped} more were dropped and not run. Ask for fewer at a time.`;

/** Position of the call that waits for this effect, or -1. */
export const awaitedRun = (batch: OpenBatch, effect: number): number =>
  batch.calls.findIndex(({ state }) => state.kind === "running" && state.run === effect);

export const awaitedAsk = (batch: OpenBatch, effect: number): number =>
  batch.calls.findIndex(({ state }) => state.kind === "asking" && state.ask === effect);

export const onToolFinished = (
  work: Work,
  turn: OpenTurn,
  batch: OpenBatch,
  position: number,
  outcome: ToolOutcome,
): void => {
  closeCall(work, batch, position, outcome);
  goOnWithTools(work, turn, batch);
};

/** From now on nobody is asked about this tool, and calls of it that wait to be asked about may start. */
const allowAlways = ({ session }: Work, batch: OpenBatch, name: string): void => {
  const allowed = session.alwaysAllowed;
  if (!allowed.includes(name)) session.alwaysAllowed = [...allowed, name];
  batch.calls = batch.calls.map((pending) =>
    pending.state.kind === "announced" && pending.call.name === name
      ? { ...pending, state: { kind: "ready" } }
      : pending,
  );
};

/** Anything but an allow fails that call; the turn goes on. An allow-always settles the waiting questions for the same tool. */
export const onPermissionAnswered = (
  work: Work,
  turn: OpenTurn,
  batch: OpenBatch,
  position: number,
  answer: PermissionAnswer,
): void => {
  const name = batch.calls[position]?.call.name ?? "";
  switch (answer) {
    case "allowOnce":
      setState(batch, position, { kind: "ready" });
      break;
    case "allowAlways":
      setState(batch, position, { kind: "ready" });
      allowAlways(work, batch, name);
      break;
    case "rejectOnce":
      closeCall(work, batch, position, { kind: "refused", message: "The user did not permit this tool call." });
      break;
    case "cancelled":
    case "failed":
      closeCall(work, batch, position, { kind: "refused", message: "Permission for this tool call was not obtained." });
      break;
  }
  goOnWithTools(work, turn, batch);
};
