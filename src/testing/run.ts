/** What a session did: one entry for each event, with the states around it and the effects that came out. */
import type { Effect, Event, Session } from "../core/index.js";

export interface Transition {
  readonly event: Event;
  readonly before: Session;
  readonly after: Session;
  readonly effects: readonly Effect[];
}

export type Run = readonly Transition[];

/** The function under test: `step`, or a mutation of it. */
export type Step = (session: Session, event: Event) => readonly [Session, readonly Effect[]];

export const transition = (step: Step, before: Session, event: Event): Transition => {
  const [after, effects] = step(before, event);
  return { event, before, after, effects };
};

/** Feeds `events` one behind the other. */
export const runEvents = (step: Step, session: Session, events: readonly Event[]): Run => {
  const run: Transition[] = [];
  let state = session;
  for (const event of events) {
    const next = transition(step, state, event);
    run.push(next);
    state = next.after;
  }
  return run;
};
