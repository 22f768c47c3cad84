/** Truncation (`spec/turn-loop.md` 5): the last resort against a history that outgrows its bytes. */
import type { HistoryItem } from "./history.js";
import { historyItems, knownSize } from "./historyStore.js";
import { rewrite } from "./turn.js";
import { log, publish, type OpenTurn, type Work } from "./work.js";

const isHandoff = (item: HistoryItem): boolean => item.kind === "user" && item.origin === "handoff";

/** Drops whole oldest turns until history fits; never the running turn, and never the handoff item that stands for what came before. */
export const truncate = (work: Work, turn: OpenTurn): void => {
  const { session } = work;
  const { history, policy } = session;
  const { maxHistoryBytes, imagePressureBytes } = policy;
  if (history.bytes <= maxHistoryBytes) return;
  const items = historyItems(history);
  const turns = new Map<number, number>();
  for (const item of items) {
    if (item.turn === turn.number || isHandoff(item)) continue;
    turns.set(item.turn, (turns.get(item.turn) ?? 0) + knownSize(item, imagePressureBytes).bytes);
  }
  const dropped = new Set<number>();
  let excess = history.bytes - maxHistoryBytes;
  let bytesDropped = 0;
  for (const [number, bytes] of turns) {
    if (excess <= 0) break;
    dropped.add(number);
    excess -= bytes;
    bytesDropped += bytes;
  }
  if (dropped.size === 0) return;
  rewrite(
    work,
    items.filter((item) => isHandoff(item) || !dropped.has(item.turn)),
  );
  log(work, "warn", "history truncated", {
    turn: turn.number,
    turns_dropped: dropped.size,
    bytes_dropped: bytesDropped,
  });
  publish(work, { kind: "historyTruncated", turnsDropped: dropped.size, bytesDropped });
};
