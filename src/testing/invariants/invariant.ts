/**
 * The form of every invariant: a predicate over an observed run that names its faults, each with the event that showed it. The same
 * rule can be followed transition by transition (`online`), which is what a search, or a simulation without end, does.
 */
import type { Effect } from "../../core/index.js";
import { watch, type Watched } from "../orders.js";
import type { Run } from "../run.js";

/** Empty when the invariant holds. */
export type Faults = readonly string[];

/** A predicate over a whole run. */
export type RunInvariant = (run: Run) => Faults;

/** What an invariant remembers between two transitions. Never changed: several futures may follow one past. */
export interface Online {
  readonly see: (watched: Watched) => readonly [Online, Faults];
}

export interface Invariant extends RunInvariant {
  readonly online: Online;
}

/** An invariant that remembers something from transition to transition. */
export const along = <S>(start: S, judge: (state: S, watched: Watched) => readonly [S, Faults]): Invariant => {
  const from = (state: S): Online => ({
    see: (watched) => {
      const [next, faults] = judge(state, watched);
      return [from(next), faults];
    },
  });
  const predicate: RunInvariant = (run) => {
    let state = start;
    return watch(run).flatMap((watched, at) => {
      const [next, faults] = judge(state, watched);
      state = next;
      return faults.map((fault) => `event ${at} (${watched.event.type}): ${fault}`);
    });
  };
  return Object.assign(predicate, { online: from(start) });
};

/** An invariant of each transition by itself. */
export const atEach = (judge: (watched: Watched) => Faults): Invariant =>
  along(undefined, (state, watched) => [state, judge(watched)]);

export const unless = (holds: boolean, fault: string): Faults => (holds ? [] : [fault]);

export type Ordered<T extends Effect["type"]> = Extract<Effect, { readonly type: T }>;

export const effectsOf = <T extends Effect["type"]>(effects: readonly Effect[], type: T): readonly Ordered<T>[] =>
  effects.filter((effect): effect is Ordered<T> => effect.type === type);

type UpdateOf<K> = Extract<Ordered<"publish">["update"], { readonly kind: K }>;

export const updatesOf = <K extends Ordered<"publish">["update"]["kind"]>(
  effects: readonly Effect[],
  kind: K,
): readonly UpdateOf<K>[] =>
  effectsOf(effects, "publish")
    .map(({ update }) => update)
    .filter((update): update is UpdateOf<K> => update.kind === kind);

export const isBlank = (text: string): boolean => text.trim() === "";
