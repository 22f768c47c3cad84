/** From an effect and the session that ordered it to what a dialect encodes. */
import type { Effect } from "./effect.js";
import { historyItems } from "./historyStore.js";
import type { ModelRequest } from "./model.js";
import type { Session } from "./session.js";

/**
 * The ordinary request that `effect` orders. Must be read from the session that `step` returned together with the effect:
 * an effect of another state is our bug, and throws.
 */
export const modelRequest = (session: Session, effect: Extract<Effect, { type: "callModel" }>): ModelRequest => {
  const { phase, history } = session;
  if (
    phase.kind !== "awaitingModel" ||
    phase.sent.effect !== effect.id ||
    history.revision !== effect.history.revision ||
    history.length !== effect.history.length
  ) {
    throw new Error(`effect ${effect.id} does not belong to this state`);
  }
  return {
    settings: phase.sent.settings,
    system: session.system,
    tools: phase.sent.tools,
    history: historyItems(history),
    maxOutputTokens: phase.sent.maxOutputTokens,
  };
};
