/** How far a run is, on a terminal alone. */
import { duration, plain } from "./format.js";

export interface ProgressLine {
  readonly show: (done: number) => void;
  /** Takes the line away. */
  readonly clear: () => void;
}

interface ProgressOptions {
  readonly total: number;
  /** Sessions that were there before. */
  readonly from: number;
  readonly now: () => number;
  readonly write: (text: string) => void;
}

const EVERY_MS = 200;
const ERASE = "\r\u001b[2K";

export const progressLine = ({ total, from, now, write }: ProgressOptions): ProgressLine => {
  const startedMs = now();
  let shownMs = -EVERY_MS;
  return {
    show: (done) => {
      const at = now();
      if (at - shownMs < EVERY_MS) return;
      shownMs = at;
      const rate = (done - from) / Math.max(0.001, (at - startedMs) / 1000);
      const left = rate > 0 ? `, ${duration((1000 * (total - done)) / rate)} left` : "";
      write(`${ERASE}${plain(done)} of ${plain(total)} sessions, ${plain(rate)} a second${left}`);
    },
    clear: () => write(ERASE),
  };
};

export const noProgressLine: ProgressLine = { show: () => undefined, clear: () => undefined };
