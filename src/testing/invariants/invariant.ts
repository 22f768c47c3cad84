/** The form of every invariant: a predicate over an observed run that names its faults, each with the event that showed it. */
import type { Effect } from "../../core/index.js";
import type { Run } from "../run.js";
import { watch, type Watched } from "../orders.js";

/** Empty when the invariant holds. */
export type Faults = readonly string[];
export type Invariant = (run: Run) => Faults;

/** Faults of each transition, numbered by the event's place in the run. */
export const atEach =
  (judge: (watched: Watched) => Faults): Invariant =>
  (run) =>
    watch(run).flatMap((watched, at) => judge(watched).map((fault) => `event ${at} (${watched.event.type}): ${fault}`));

/** The same with something remembered from event to event. */
export const along =
  <S>(start: S, judge: (state: S, watched: Watched) => readonly [S, Faults]): Invariant =>
  (run) => {
    let state = start;
    const faults: string[] = [];
    for (const [at, watched] of watch(run).entries()) {
      const [next, found] = judge(state, watched);
      state = next;
      faults.push(...found.map((fault) => `event ${at} (${watched.event.type}): ${fault}`));
    }
    return faults;
  };

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
