/** What a reply does (`spec/turn-loop.md` 3), in the order of that section. */
import { isRight } from "fp-ts/lib/Either.js";
import { isSome, none, some } from "fp-ts/lib/Option.js";
import { judgeArguments } from "./arguments.js";
import type { HistoryItem } from "./history.js";
import { historyItems } from "./historyStore.js";
import type { ModelReply, Tool } from "./model.js";
import type { ReplyShape } from "./policy.js";
import { foldReply } from "./report.js";
import { beginRound } from "./round.js";
import type { SentRequest } from "./session.js";
import { enterStopGate } from "./stopGate.js";
import { wellFormed } from "./text.js";
import { keptText, runCalls } from "./tools.js";
import { append, deliverSteers, failTurn, rewrite, stopTurn } from "./turn.js";
import { publish, type OpenTurn, type PhaseOf, type Work } from "./work.js";

export const onModelReplied = (work: Work, phase: PhaseOf<"awaitingModel">, reply: ModelReply): void => {
  const { turn } = phase;
  const sent = phase.sent;
  foldReply(work, turn, sent.settings, reply.usage);
  measure(work, sent, reply);
  say(work, turn, reply);
  if (isCutOff(reply, sent)) return continueAfterCut(work, turn, reply);
  if (reply.calls.length > 0) {
    turn.replied ||= hasReplyShape(reply, sent.tools, work);
    return runCalls(work, turn, reply, sent.tools);
  }
  if (reply.stop.kind === "refusal") return refuse(work, turn);
  if (reply.stop.kind === "toolUse") return failWithoutCalls(work, turn, sent);
  store(work, turn, reply);
  enterStopGate(work, turn);
};

/** Reading and occupancy. A reply without usage, with zero input or with an overflowed sum keeps the last reading. */
const measure = (work: Work, sent: SentRequest, { usage }: ModelReply): void => {
  const { windowTokens } = sent.settings;
  if (usage.input.kind === "overflowed") {
    return publish(work, { kind: "contextMeasured", usedTokens: windowTokens, windowTokens });
  }
  if (usage.input.kind === "absent") return;
  const { tokens } = usage.input;
  const output = isSome(usage.output) ? usage.output.value : 0n;
  publish(work, { kind: "contextMeasured", usedTokens: atMost(tokens + output, windowTokens), windowTokens });
  if (tokens <= 0n) return;
  const inputTokens = atMost(tokens, Number.MAX_SAFE_INTEGER);
  work.session.reading = some({ inputTokens, pressureBytes: sent.pressureBytes });
};

const atMost = (tokens: bigint, limit: number): number => (tokens < BigInt(limit) ? Number(tokens) : limit);

const say = (work: Work, turn: OpenTurn, { reasoning, text }: ModelReply): void => {
  if (keptText(reasoning) !== "") {
    publish(work, {
      kind: "thoughtSaid",
      messageId: `${turn.runId}-thought-${turn.round}`,
      text: wellFormed(reasoning),
    });
  }
  if (keptText(text) !== "") {
    publish(work, { kind: "messageSaid", messageId: `${turn.runId}-message-${turn.round}`, text: wellFormed(text) });
  }
};

/** An assistant item without text is not stored, and replay data never stands alone. */
const store = (work: Work, turn: OpenTurn, { text, replay }: Pick<ModelReply, "text" | "replay">): void => {
  const kept = keptText(text);
  if (kept === "") return;
  append(work, { kind: "assistant", turn: turn.number, text: kept, exchanges: [], replay });
};

/** Cut off: said so by the provider, or labelled complete although the limit was reached and the last call does not parse. */
const isCutOff = ({ stop, calls, usage }: ModelReply, { maxOutputTokens }: SentRequest): boolean => {
  if (stop.kind === "cutOff") return true;
  const last = calls.at(-1);
  const full = isSome(usage.output) && usage.output.value >= BigInt(maxOutputTokens);
  return full && last !== undefined && !isRight(judgeArguments(last.argumentsText));
};

const CONTINUE =
  "Your answer was cut off at the output token limit. No tool call of it was run, since it may have been incomplete. " +
  "Go on from where the text ends, in smaller steps: one short tool call at a time.";

/** The text stays; calls and replay data of a cut-off reply are never run and never replayed (F25). */
const continueAfterCut = (work: Work, turn: OpenTurn, reply: ModelReply): void => {
  store(work, turn, { text: reply.text, replay: none });
  if (turn.cutOffRecoveries < work.session.policy.maxCutOffRecoveries) {
    turn.cutOffRecoveries += 1;
    append(work, { kind: "user", turn: turn.number, origin: "feedback", text: CONTINUE });
    return beginRound(work, turn);
  }
  if (turn.steers.length > 0) return beginRound(work, turn);
  stopTurn(work, turn, "max_tokens");
};

/** The client drops the turn, so history does as well; only a summary of earlier turns and steers that still wait stay. */
const refuse = (work: Work, turn: OpenTurn): void => {
  const { session } = work;
  const stays = (item: HistoryItem): boolean =>
    item.turn !== turn.number || (item.kind === "user" && item.origin === "handoff");
  const items = historyItems(session.history).filter(stays);
  rewrite(work, items);
  deliverSteers(work, turn);
  stopTurn(work, turn, "refusal");
};

const failWithoutCalls = (work: Work, turn: OpenTurn, sent: SentRequest): void =>
  failTurn(
    work,
    turn,
    {
      kind: "badReply",
      message: "the model stopped to use a tool but called none; prompt again, or choose another model",
      status: none,
    },
    sent.settings.model,
  );

/** Whether a kept call of a registered tool counts as the turn's reply to the outside world (reply guard). */
const hasReplyShape = (reply: ModelReply, offered: readonly Tool[], work: Work): boolean => {
  const { replyShape, maxToolCallsPerReply } = work.session.policy;
  return reply.calls
    .slice(0, maxToolCallsPerReply)
    .some(
      ({ name, argumentsText }) =>
        name.endsWith(replyShape.nameEnding) &&
        offered.some((tool) => tool.name === name) &&
        saysFragment(argumentsText, replyShape),
    );
};

const saysFragment = (argumentsText: string, { argument, fragments }: ReplyShape): boolean => {
  const judged = judgeArguments(argumentsText);
  if (!isRight(judged)) return false;
  const value = (JSON.parse(judged.right) as Readonly<Record<string, unknown>>)[argument];
  return typeof value === "string" && fragments.some((fragment) => value.includes(fragment));
};
