/**
 * Plays a turn to its end: every order that is out is answered, one at a time, in an order that `picks` decides. A session
 * whose turns end by themselves comes to rest; one that does not is caught by the bound.
 */
import type { Answers } from "./arbitraries/moves.js";
import { wholeCatalog } from "./arbitraries/tools.js";
import { answerTo, playEvent, type Play } from "./driver.js";
import type { Order } from "./orders.js";
import type { Step, Transition } from "./run.js";

export interface Settled {
  readonly run: readonly Transition[];
  readonly play: Play;
  /** The turn was over, and nothing was owed, before the bound. */
  readonly atRest: boolean;
}

/** What the world says to an order; `count` orders were answered before it. */
export type World = (order: Order, count: number) => Answers;

export const settle = (step: Step, start: Play, world: World, picks: readonly number[], bound: number): Settled => {
  const run: Transition[] = [];
  let play = start;
  for (let count = 0; count < bound; count += 1) {
    const { owed } = play.orders;
    const order = owed[(picks[count % Math.max(1, picks.length)] ?? 0) % Math.max(1, owed.length)];
    const waits = play.session.phase.kind === "awaitingCatalog" && !play.session.catalog.complete;
    if (order === undefined && !waits) return { run, play, atRest: play.session.phase.kind === "idle" };
    const [next, done] = playEvent(
      step,
      play,
      order === undefined ? { type: "catalogChanged", ...wholeCatalog } : answerTo(order, world(order, count)),
    );
    run.push(done);
    play = next;
  }
  return { run, play, atRest: false };
};
