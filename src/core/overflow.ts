/** The overflow ladder (`spec/turn-loop.md` 4.3): what happens when the provider refuses a request for its length. */
import { startForcedHandoff, type Overflow } from "./handoffStart.js";
import { failTurn } from "./turn.js";
import { log, type OpenTurn, type Work } from "./work.js";

/**
 * The next rung: a forced handoff whose summary prompt is at most half of what was refused, then a quarter, then an eighth. No
 * gate and no handoff budget stands in its way; when the attempts are spent, or the budget is below the floor, the turn fails
 * with the provider's own error.
 */
export const climb = (work: Work, turn: OpenTurn, overflow: Overflow): void => {
  const { maxOverflowAttempts, overflowBudgetBytesMin } = work.session.policy;
  const used = turn.overflowAttempts;
  const budgetBytes = Math.floor(overflow.rejectedBytes / 2 ** (used + 1));
  const fields = {
    turn: turn.number,
    attempts: used,
    rejected_bytes: overflow.rejectedBytes,
    budget_bytes: budgetBytes,
  };
  if (used >= maxOverflowAttempts) {
    log(work, "warn", "context recovery budget spent", fields);
    return failTurn(work, turn, overflow.failure, overflow.model);
  }
  if (budgetBytes < overflowBudgetBytesMin) {
    log(work, "warn", `context recovery refused: budget is below the ${overflowBudgetBytesMin} byte floor`, fields);
    return failTurn(work, turn, overflow.failure, overflow.model);
  }
  log(work, "warn", "provider reported context overflow; forcing handoff", fields);
  startForcedHandoff(work, turn, overflow, budgetBytes);
};
