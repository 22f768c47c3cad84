/** Builds and reads `History`. */
import type { History, HistoryItem } from "./history.js";

export const emptyHistory: History = { revision: 0, chunks: [], length: 0, bytes: 0, pressureBytes: 0 };

/** All items, oldest first. */
export const historyItems = (history: History): readonly HistoryItem[] => history.chunks.flat();
