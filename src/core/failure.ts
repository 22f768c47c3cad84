/** What a failed request does (the table in `spec/turn-loop.md` 3). */
import { castDraft, produce, type Draft } from "immer";
import type { HistoryItem, ToolExchange } from "./history.js";
import { historyItems } from "./historyStore.js";
import type { ModelFailure } from "./model.js";
import { climb } from "./overflow.js";
import { withoutImages } from "./results.js";
import { beginRound } from "./round.js";
import { failTurn, rewrite } from "./turn.js";
import { log, type PhaseOf, type Work } from "./work.js";

type AwaitingModel = PhaseOf<"awaitingModel">;

export const onModelFailed = (work: Work, phase: AwaitingModel, failure: ModelFailure): void => {
  const { settings, pressureBytes: rejectedBytes } = phase.sent;
  const { model } = settings;
  if (failure.kind === "contextExceeded") return climb(work, phase.turn, { rejectedBytes, failure, model });
  if (failure.kind === "imageUnsupported" && removeImages(work, model)) return beginRound(work, phase.turn);
  failTurn(work, phase.turn, failure, model);
};

const removeFrom = ({ outcome }: Draft<ToolExchange>): void => {
  if (outcome.kind === "open") return;
  const result = withoutImages(outcome.result);
  if (result !== undefined) outcome.result = castDraft(result);
};

/** The item itself when nothing changes, so that its encoding is kept. */
const strip = (item: HistoryItem): HistoryItem =>
  item.kind === "assistant" ? produce(item, ({ exchanges }) => exchanges.forEach(removeFrom)) : item;

/** Takes every image out of history, for good, and remembers the model. False when there was none: then nothing can be recovered. */
const removeImages = (work: Work, model: string): boolean => {
  const { session } = work;
  const items = historyItems(session.history);
  const stripped = items.map(strip);
  if (stripped.every((item, index) => item === items[index])) return false;
  rewrite(work, stripped);
  const known = session.imagelessModels;
  if (!known.includes(model)) session.imagelessModels = [...known, model];
  log(work, "warn", "model does not support image input; images removed from history", { model });
  return true;
};
