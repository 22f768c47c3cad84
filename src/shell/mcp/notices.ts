/** Notices from the first moment on: what is told before anybody listens is kept for the listener. */
import type { Notice } from "../ports.js";

export interface Notices {
  readonly tell: (notice: Notice) => void;
  readonly listen: (listener: (notice: Notice) => void) => void;
}

/** Without a listener more than this would be of no use to anyone. */
const KEPT_MAX = 100;

export const noticeQueue = (): Notices => {
  let kept: Notice[] = [];
  const listeners: ((notice: Notice) => void)[] = [];
  return {
    tell: (notice) => {
      if (listeners.length === 0 && kept.length < KEPT_MAX) kept.push(notice);
      for (const listener of listeners) listener(notice);
    },
    listen: (listener) => {
      listeners.push(listener);
      for (const notice of kept) listener(notice);
      kept = [];
    },
  };
};
