/**
 * What will happen, ordered by virtual time in milliseconds; what is due at the same time happens in the order in which it was
 * entered. A session has a handful of entries at a time, so a sorted list beats a heap.
 */
import type { EffectId, Event } from "../core/event.js";

export interface Entry {
  readonly atMs: number;
  readonly happening: Happening;
}

/** `made` when it is due rather than when it is entered: what a user does depends on what there is then. */
export type Happening =
  | { readonly kind: "event"; readonly event: Event }
  /** The answer to an effect; an abort can still take it back. */
  | { readonly kind: "answer"; readonly effect: EffectId; readonly event: Event }
  | { readonly kind: "act"; readonly act: UserAct };

/** What the user has made up their mind to do in a turn. */
export type UserAct =
  | { readonly kind: "prompt"; readonly turn: number }
  | { readonly kind: "steer"; readonly turn: number; readonly index: number }
  | { readonly kind: "cancel"; readonly turn: number }
  /** Another prompt before the first is answered: a client's fault. */
  | { readonly kind: "promptAgain"; readonly turn: number }
  | { readonly kind: "close" };

export interface Agenda {
  readonly enter: (atMs: number, happening: Happening) => void;
  /** Takes the next entry out. */
  readonly next: () => Entry | undefined;
  /** Takes the pending answer to an effect back; undefined when there is none. */
  readonly withdraw: (effect: EffectId) => Entry | undefined;
}

export const newAgenda = (): Agenda => {
  // Latest first, so that the next entry is popped from the end.
  const entries: Entry[] = [];
  return {
    enter: (atMs, happening) => {
      let place = entries.length;
      while (place > 0 && (entries[place - 1]?.atMs ?? 0) <= atMs) place -= 1;
      entries.splice(place, 0, { atMs, happening });
    },
    next: () => entries.pop(),
    withdraw: (effect) => {
      const place = entries.findIndex(({ happening }) => happening.kind === "answer" && happening.effect === effect);
      return place < 0 ? undefined : entries.splice(place, 1)[0];
    },
  };
};
