/**
 * The client's side of usage accounting, as a reducer (`spec/usage.md` 3): cumulative notifications of any number of sessions go
 * in, one record for each turn comes out. What it refuses to guess is unknown in the record.
 *
 * Where the prior art knows one turn in flight, any number of sessions may have one here. Two producers feed it: the goose-style
 * notification, which wins, and standard ACP. Both draw from one sequence per session (decision 15).
 */
import { alt, isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import { assertNever } from "../core/never.js";
import { sameTokenCounts, unknownCounts, zeroCounts, zipCounts, type Counts } from "./counts.js";
import { absenceOf, eitherAbsent, present, turnCounts, type Absence } from "./delta.js";
import { foldIdentity, provenIdentity, type IdentityFold, type PricingIdentity } from "./identity.js";
import type { Snapshot } from "./notification.js";
import { chargeTurn, unknownCharge, zeroCharge, type Charge } from "./standardTurn.js";

export type UsageEvent =
  /** This client's `session/new` succeeded: the session's counters began at zero. Not for a session that was loaded. */
  | { readonly kind: "sessionCreated"; readonly session: string }
  /** A prompt is about to be sent. */
  | { readonly kind: "turnStarted"; readonly session: string }
  | { readonly kind: "usageNotified"; readonly session: string; readonly snapshot: Snapshot }
  /** A goose-style notification that could not be read: its counters are lost, and nobody knows what they were for. */
  | { readonly kind: "notificationRefused"; readonly session: string }
  /** Cumulative cost of the session in US dollars, from a standard `usage_update`. */
  | { readonly kind: "costNotified"; readonly session: string; readonly costUsd: number }
  /** However the turn ended. `promptUsage`: what the prompt's answer said in the standard's way. */
  | { readonly kind: "turnEnded"; readonly session: string; readonly promptUsage: Option<Counts> };

/** What is known of one turn. */
export interface TurnUsage {
  readonly session: string;
  /** From 1, without a hole. A turn of which nothing is known takes none. */
  readonly seq: bigint;
  /** The turn's own counts; None where they are not reliable. */
  readonly turn: Option<Counts>;
  /** Where the session's counters stood at the end, as they were sent. */
  readonly cumulative: Option<Counts>;
  readonly model: Option<string>;
  readonly identity: Option<PricingIdentity>;
}

interface OpenTurn {
  /** The last notification: it wins over those before, larger or not (decision 8). */
  readonly snapshot: Option<Snapshot>;
  readonly identity: IdentityFold;
  readonly absent: Absence;
  readonly costUsd: Option<number>;
}

interface SessionUsage {
  readonly seq: bigint;
  readonly baseline: Counts;
  /** Once missing, input and output stay untrusted for good. */
  readonly absent: Absence;
  /** Tokens were seen between turns, which the next difference will hold: whoever is billed for it was not seen (decision 7). */
  readonly strayTokens: boolean;
  readonly charge: Charge;
  readonly turn: Option<OpenTurn>;
}

export type UsageTracker = ReadonlyMap<string, SessionUsage>;

export const emptyTracker: UsageTracker = new Map();

const unknownSession: SessionUsage = {
  seq: 0n,
  baseline: unknownCounts,
  absent: present,
  strayTokens: false,
  charge: unknownCharge,
  turn: none,
};

const newTurn: OpenTurn = { snapshot: none, identity: { kind: "unseen" }, absent: present, costUsd: none };

const keep = (tracker: UsageTracker, session: string, usage: SessionUsage): UsageTracker =>
  new Map(tracker).set(session, usage);

/** The record is there after `turnEnded` alone, and only if anything is known of the turn. */
export const trackUsage = (tracker: UsageTracker, event: UsageEvent): readonly [UsageTracker, Option<TurnUsage>] => {
  const usage = tracker.get(event.session) ?? unknownSession;
  const changed = (next: SessionUsage): readonly [UsageTracker, Option<TurnUsage>] => [
    keep(tracker, event.session, next),
    none,
  ];
  switch (event.kind) {
    case "sessionCreated":
      return changed(seed(usage));
    case "turnStarted":
      return changed({ ...abandonTurn(usage), turn: some(newTurn) });
    case "usageNotified":
      return changed(record(usage, event.snapshot, openTurns(tracker).length > 0));
    case "notificationRefused":
      return changed(refuse(usage));
    case "costNotified":
      return isSome(usage.turn)
        ? changed({ ...usage, turn: some({ ...usage.turn.value, costUsd: some(event.costUsd) }) })
        : [tracker, none];
    case "turnEnded": {
      const [next, published] = take(usage, event.session, event.promptUsage);
      return [keep(tracker, event.session, next), published];
    }
  }
  return assertNever(event);
};

/** A setup notification may come before the answer to `session/new`; what it left open is zero all the same (decision 5). */
const seed = (usage: SessionUsage): SessionUsage => {
  if (usage.seq > 0n) return usage;
  const orZero = <A>(known: Option<A>, zero: Option<A>): Option<A> => alt(() => zero)(known);
  return {
    ...usage,
    baseline: zipCounts(usage.baseline, zeroCounts, orZero, orZero),
    charge: zeroCharge,
  };
};

/** A turn that was never ended: its tokens will be part of the next difference, what it lacked stays lacking. */
const abandonTurn = (usage: SessionUsage): SessionUsage =>
  isSome(usage.turn)
    ? {
        ...usage,
        absent: eitherAbsent(usage.absent, usage.turn.value.absent),
        strayTokens: usage.strayTokens || isSome(usage.turn.value.snapshot),
        turn: none,
      }
    : usage;

/** Sessions with a turn in flight. */
export const openTurns = (tracker: UsageTracker): readonly string[] =>
  [...tracker].flatMap(([session, usage]) => (isSome(usage.turn) ? [session] : []));

/** The three cases of `spec/usage.md` 3.3. */
const record = (usage: SessionUsage, snapshot: Snapshot, anotherInFlight: boolean): SessionUsage => {
  const absent = absenceOf(snapshot.counts);
  if (isSome(usage.turn)) {
    const turn = usage.turn.value;
    return {
      ...usage,
      turn: some({
        ...turn,
        snapshot: some(snapshot),
        // On every notification, also on one that repeats the same figures (decision 9).
        identity: foldIdentity(turn.identity, snapshot.identity),
        absent: eitherAbsent(turn.absent, absent),
      }),
    };
  }
  const outside = { ...usage, absent: eitherAbsent(usage.absent, absent) };
  // Late tokens of a turn that is over land in the session's next one: moving the baseline now would lose them.
  if (anotherInFlight) return { ...outside, strayTokens: true };
  const stray = usage.seq > 0n && !sameTokenCounts(usage.baseline, snapshot.counts);
  return { ...outside, baseline: snapshot.counts, strayTokens: usage.strayTokens || stray };
};

const refuse = (usage: SessionUsage): SessionUsage =>
  isSome(usage.turn)
    ? { ...usage, turn: some({ ...usage.turn.value, identity: { kind: "broken" } }) }
    : { ...usage, strayTokens: true };

type Taken = readonly [SessionUsage, Option<TurnUsage>];

const take = (usage: SessionUsage, session: string, promptUsage: Option<Counts>): Taken => {
  if (!isSome(usage.turn)) return [usage, none];
  const turn = usage.turn.value;
  const closed: SessionUsage = { ...usage, turn: none };
  const seq = usage.seq + 1n;
  const [charge, charged] = chargeTurn(usage.charge, turn.costUsd, promptUsage);
  if (isSome(turn.snapshot)) return commit({ ...closed, charge }, session, turn, turn.snapshot.value);
  if (!isSome(charged)) return [{ ...closed, charge }, none];
  return [{ ...closed, seq, charge }, some({ session, seq, ...charged.value, model: none, identity: none })];
};

const commit = (usage: SessionUsage, session: string, turn: OpenTurn, snapshot: Snapshot): Taken => {
  const seq = usage.seq + 1n;
  const absent = eitherAbsent(usage.absent, turn.absent);
  // Where the session's beginning was not seen, the difference would hold more than this turn, and so would its identity.
  const whole = !usage.strayTokens && isSome(usage.baseline.input) && isSome(usage.baseline.output);
  return [
    { ...usage, seq, baseline: snapshot.counts, absent, strayTokens: false },
    some({
      session,
      seq,
      turn: turnCounts(usage.baseline, snapshot.counts, absent),
      cumulative: some(snapshot.counts),
      model: snapshot.model,
      identity: whole ? provenIdentity(turn.identity) : none,
    }),
  ];
};
