/** What the core stops waiting for it also stops: part of `spec/turn-loop.md` 9. */
import type { Order, Watched } from "../orders.js";
import { atEach, unless, type Faults, type Invariant } from "./invariant.js";

const isStopped = ({ effects }: Watched, { id }: Order): boolean =>
  effects.some((effect) => (effect.type === "abort" || effect.type === "stopTimer") && effect.target === id);

/** Orders that were awaited before, were not answered, and are awaited no more. */
const dropped = ({ ordersBefore, ordersAfter, answered }: Watched): readonly Order[] =>
  ordersBefore.awaited.filter((order) => order !== answered && !ordersAfter.awaited.includes(order));

/** When a drain begins, every tool that runs is told to end; it is still awaited. */
const drainFaults = (watched: Watched): Faults => {
  if (watched.before.phase.kind === "draining" || watched.after.phase.kind !== "draining") return [];
  const running = watched.ordersAfter.awaited.filter(({ type }) => type === "runTool");
  return running.flatMap((order) =>
    unless(isStopped(watched, order), `the drain began without an abort of ${order.id}`),
  );
};

/** Nothing goes on behind the back of a session: an order that is given up is aborted, a timer that is not needed is stopped. */
export const whatIsDroppedIsAborted: Invariant = atEach((watched) => {
  // Tools were aborted when the drain began.
  const aborted = watched.before.phase.kind === "draining" ? "runTool" : undefined;
  const leftAlone = dropped(watched).filter((order) => order.type !== aborted && !isStopped(watched, order));
  return [...leftAlone.map(({ type, id }) => `${type} ${id} was dropped and not stopped`), ...drainFaults(watched)];
});
