/**
 * Exhaustive play of a small world: at every point every choice is tried, and a state that was reached before is not gone on from
 * again. Depth first; each transition is judged once, in the light of the path that led to it.
 */
import type { Event } from "../core/index.js";
import { playEvent, type Play } from "./driver.js";
import type { Faults, Online } from "./invariants.js";
import { watching, type Watched } from "./orders.js";
import type { Run, Step, Transition } from "./run.js";

/** What can happen next, and with what the world goes on after it. `S` is what the world itself remembers. */
export interface Choice<S> {
  readonly event: Event;
  readonly world: S;
}

export interface Exploration<S> {
  readonly start: Play;
  readonly world: S;
  readonly choices: (play: Play, world: S) => readonly Choice<S>[];
  /** Names a state: equal names, equal futures. */
  readonly digest: (play: Play, world: S) => string;
  readonly judge: Online;
  readonly see: (watched: Watched) => void;
}

export interface Explored {
  readonly states: number;
  readonly transitions: number;
  /** Paths that end: where nothing can happen any more, or where a path came by before. */
  readonly paths: number;
  /** The first path with faults, if there is one. */
  readonly broken: { readonly path: Run; readonly faults: Faults } | undefined;
}

export const explore = <S>(step: Step, { start, world, choices, digest, judge, see }: Exploration<S>): Explored => {
  const seen = new Set<string>([digest(start, world)]);
  const path: Transition[] = [];
  let broken: Explored["broken"];
  let transitions = 0;
  let paths = 0;
  const visit = (play: Play, state: S, past: Online): void => {
    const open = choices(play, state);
    if (open.length === 0) paths += 1;
    for (const choice of open) {
      if (broken !== undefined) return;
      const [next, done] = playEvent(step, play, choice.event);
      const watched = watching(play.orders, done);
      const [judged, faults] = past.see(watched);
      transitions += 1;
      path.push(done);
      see(watched);
      if (faults.length > 0) broken = { path: [...path], faults };
      const name = digest(next, choice.world);
      if (seen.has(name)) paths += 1;
      else {
        seen.add(name);
        visit(next, choice.world, judged);
      }
      path.pop();
    }
  };
  visit(start, world, judge);
  return { states: seen.size, transitions, paths, broken };
};
