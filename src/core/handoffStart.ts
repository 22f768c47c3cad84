/** Asks for the summary that will replace the history. An attempt counts from here, whatever becomes of it. */
import { getOrElse } from "fp-ts/lib/Option.js";
import { outputLimit } from "./capacity.js";
import { historyItems } from "./historyStore.js";
import type { ModelFailure } from "./model.js";
import type { HandoffCause } from "./session.js";
import { SUMMARY_SYSTEM, summaryPrompt } from "./summaryPrompt.js";
import { mintEffectId, publish, type OpenTurn, type Work } from "./work.js";

/** Output limit of the summary, in tokens. */
const summaryOutputTokens = (work: Work): number =>
  Math.min(work.session.policy.summaryOutputTokensMax, outputLimit(work.session.settings));

/** The gate's own: what is to be summarised may fill the window up to the summary itself. */
export const startProactiveHandoff = (work: Work, turn: OpenTurn, projectedTokens: number): void => {
  turn.handoffAttempts += 1;
  const budgetBytes = work.session.settings.windowTokens - summaryOutputTokens(work);
  startHandoff(work, turn, { kind: "proactive" }, projectedTokens, budgetBytes);
};

export interface Overflow {
  /** Pressure bytes of the history that the provider refused. */
  readonly rejectedBytes: number;
  readonly failure: ModelFailure;
  /** The model that refused it. */
  readonly model: string;
}

/** A rung of the overflow ladder; `budgetBytes` is its budget for the whole summary prompt. */
export const startForcedHandoff = (work: Work, turn: OpenTurn, overflow: Overflow, budgetBytes: number): void => {
  turn.overflowAttempts += 1;
  startHandoff(work, turn, { kind: "overflow", ...overflow }, overflow.rejectedBytes, budgetBytes);
};

const startHandoff = (
  work: Work,
  turn: OpenTurn,
  cause: HandoffCause,
  tokensBefore: number,
  budgetBytes: number,
): void => {
  const { session } = work;
  session.handoffs += 1;
  const id = mintEffectId(work);
  const settings = session.settings;
  const number = session.handoffs;
  const prompt = summaryPrompt(
    {
      number,
      originalTask: getOrElse(() => "")(session.originalTask),
      toolNames: session.catalog.tools.map(({ name }) => name),
      items: historyItems(session.history),
      carriedLength: session.carriedLength,
      budgetBytes,
    },
    work.session.policy,
  );
  session.phase = {
    kind: "awaitingSummary",
    turn,
    handoff: { number, cause, tokensBefore },
    sent: { effect: id, turn: turn.number, settings },
  };
  publish(work, { kind: "handoffStarted", handoff: number });
  work.emit({
    type: "summarise",
    id,
    turn: turn.number,
    request: { settings, system: SUMMARY_SYSTEM, prompt, maxOutputTokens: summaryOutputTokens(work) },
  });
};
