/** Calls `evict` for a session that has been idle for so many seconds; 0 means never. */
export interface IdleTimers {
  /** From now on it is idle. */
  readonly start: (sessionId: string, evict: () => void) => void;
  readonly stop: (sessionId: string) => void;
}

export const createIdleTimers = (seconds: number): IdleTimers => {
  const timers = new Map<string, NodeJS.Timeout>();
  const stop = (sessionId: string): void => {
    clearTimeout(timers.get(sessionId));
    timers.delete(sessionId);
  };
  return {
    start: (sessionId, evict) => {
      stop(sessionId);
      if (seconds > 0) timers.set(sessionId, setTimeout(evict, seconds * 1000).unref());
    },
    stop,
  };
};
