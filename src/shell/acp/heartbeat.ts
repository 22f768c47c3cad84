/**
 * Clients give up on an agent that is silent for minutes while a slow model or tool works (`spec/acp.md` 3.8 #77). While a turn
 * runs, `beat` is called after every `ms` of silence.
 */
export interface Heartbeat {
  readonly start: () => void;
  readonly stop: () => void;
  /** Something was sent: the silence begins anew. */
  readonly sent: () => void;
}

export const createHeartbeat = (ms: number, beat: () => void): Heartbeat => {
  let timer: NodeJS.Timeout | undefined;
  return {
    start: () => {
      timer ??= setInterval(beat, ms).unref();
    },
    stop: () => {
      clearInterval(timer);
      timer = undefined;
    },
    sent: () => {
      timer?.refresh();
    },
  };
};
