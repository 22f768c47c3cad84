/** What providers with signed reasoning demand of a request (`decisions.md`, Model replies). */
import type { AssistantItem, HistoryItem } from "../core/history.js";

/**
 * Whether the newest calls stand behind the reasoning that a thinking request demands of them. A turn of the provider goes on
 * for as long as results come back, user texts beside them included, and must have begun with reasoning that can be replayed.
 */
export const reasoningLeads = (
  history: readonly HistoryItem[],
  hasReasoning: (item: AssistantItem) => boolean,
): boolean => {
  let first: AssistantItem | undefined;
  for (let at = history.length - 1; at >= 0; at -= 1) {
    const item = history[at];
    if (item?.kind !== "assistant") continue;
    // Without calls, and with no other reply joined to it, it ended an earlier turn.
    if (item.exchanges.length === 0 && history[at + 1]?.kind !== "assistant") break;
    first = item;
  }
  return first === undefined || hasReasoning(first);
};
