/**
 * Turns of the event loop are shared. To read a large reply or to encode a large request takes milliseconds, and for many sessions
 * it comes up at once: all in one turn of the loop, it would keep the client's frames, the timers and every other session waiting.
 * So whoever begins such work queues for a turn, and the queue moves on only while the turn is young.
 */
import { defaultShellLimits } from "../core/policy.js";

/** When the first work of the present turn began. */
let begunAt: number | undefined;
let last: Promise<void> = Promise.resolve();

const isYoung = (): boolean => {
  if (begunAt === undefined) {
    begunAt = performance.now();
    // Two, since the first may run at the end of this very turn.
    setImmediate(() => setImmediate(() => (begunAt = undefined)));
  }
  return performance.now() - begunAt < defaultShellLimits.loopTurnMs;
};

/** A tick comes when all that the one before has begun, and what follows from it at once, is done. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    const begin = (): void => {
      if (isYoung()) resolve();
      else setImmediate(begin);
    };
    process.nextTick(begin);
  });

/** Resolves when the work may begin, in the order of the calls. */
export const takeLoopTurn = (): Promise<void> => (last = last.then(turn));
