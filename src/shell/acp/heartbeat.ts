/**
 * Clients give up on an agent that is silent for minutes while a slow model or tool works (`spec/acp.md` 3.8 #77). While a turn
 * runs, `beat` is called after every `ms` of silence.
 */
import type { JsonObject } from "../../core/json.js";

/** Legal for every client, and not shown by any. */
export const SIGN_OF_LIFE: JsonObject = { sessionUpdate: "session_info_update" };

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
