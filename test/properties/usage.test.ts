// Properties of usage accounting: what holds for every session and every archive, whatever was sent and lost.
import * as fc from "fast-check";
import { isRight } from "fp-ts/lib/Either.js";
import { isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import { expect, test } from "vitest";
import { stringifyJson, type Json } from "../../src/core/json.js";
import { COUNTER_MAX } from "../../src/core/usage.js";
import { TOKEN_FIELDS, unknownCounts, type Counts } from "../../src/usage/counts.js";
import { decodeMetric, encodeMetric, type TurnMetric } from "../../src/usage/metric.js";
import { readSnapshot } from "../../src/usage/notification.js";
import { newRecorder, recordAgentFrame, recordClientFrame } from "../../src/usage/recorder.js";
import { resolveRows } from "../../src/usage/resolved.js";
import type { MetricRow } from "../../src/usage/row.js";
import { emptyScope, freshInput, mergeScopes, scopeOf, type Scope } from "../../src/usage/scope.js";
import { adapterOf } from "../../src/usage/standard.js";
import { emptyTracker, trackUsage, type TurnUsage, type UsageEvent } from "../../src/usage/tracker.js";

const seed = Number(process.env["TURNFOLD_SEED"] ?? 20260901);
const check = <A>(arbitrary: fc.Arbitrary<A>, holds: (value: A) => void, numRuns = 500): void => {
  fc.assert(fc.property(arbitrary, holds), { seed, numRuns });
};

const option = <A>(value: fc.Arbitrary<A>): fc.Arbitrary<Option<A>> =>
  fc.option(value, { nil: undefined, freq: 4 }).map((known) => (known === undefined ? none : some(known)));
const u64 = fc.oneof(fc.bigInt(0n, 1000n), fc.bigInt(0n, COUNTER_MAX), fc.constantFrom(0n, COUNTER_MAX));
const counts: fc.Arbitrary<Counts> = fc.record({
  input: option(u64),
  output: option(u64),
  total: option(u64),
  cacheRead: option(u64),
  cacheWrite: option(u64),
  costUsd: option(fc.double({ min: 0, max: 1e6, noNaN: true })),
});
const session = fc.constantFrom("a", "b");
const identity = option(
  fc.record({ authority: fc.constant("p"), model: fc.constantFrom("m", "n"), cacheClass: fc.constant(none) }),
);
const snapshot = fc.record({ counts, model: fc.constant(none), identity });
const event: fc.Arbitrary<UsageEvent> = fc.oneof(
  fc.record({ kind: fc.constant("sessionCreated" as const), session }),
  fc.record({ kind: fc.constant("turnStarted" as const), session }),
  fc.record({ kind: fc.constant("usageNotified" as const), session, snapshot }),
  fc.record({ kind: fc.constant("notificationRefused" as const), session }),
  fc.record({
    kind: fc.constant("costNotified" as const),
    session,
    costUsd: fc.double({ min: 0, max: 10, noNaN: true }),
  }),
  fc.record({ kind: fc.constant("turnEnded" as const), session, promptUsage: option(counts) }),
);

const run = (events: readonly UsageEvent[]): readonly TurnUsage[] => {
  let tracker = emptyTracker;
  return events.flatMap((one) => {
    const [next, published] = trackUsage(tracker, one);
    tracker = next;
    return isSome(published) ? [published.value] : [];
  });
};

test("each session's records are numbered from 1 without a hole, and none before its turn has ended", () => {
  check(fc.array(event, { maxLength: 60 }), (events) => {
    const published = run(events);
    for (const name of ["a", "b"]) {
      const seqs = published.filter((usage) => usage.session === name).map(({ seq }) => seq);
      expect(seqs).toEqual(seqs.map((_, index) => BigInt(index + 1)));
    }
    const ends = events.filter(({ kind }) => kind === "turnEnded").length;
    expect(published.length).toBeLessThanOrEqual(ends);
  });
});

test("in a session seen whole, reliable turns add up to the cumulative figure, for every figure that is always there", () => {
  const growth = fc.array(fc.tuple(fc.bigInt(0n, 10n ** 12n), fc.bigInt(0n, 10n ** 12n)), {
    minLength: 1,
    maxLength: 6,
  });
  check(fc.array(growth, { minLength: 1, maxLength: 12 }), (turns) => {
    let [input, output] = [0n, 0n];
    const events: UsageEvent[] = [{ kind: "sessionCreated", session: "a" }];
    for (const replies of turns) {
      events.push({ kind: "turnStarted", session: "a" });
      for (const [more, out] of replies) {
        input += more;
        output += out;
        const now = { ...unknownCounts, input: some(input), output: some(output) };
        events.push({ kind: "usageNotified", session: "a", snapshot: { counts: now, model: none, identity: none } });
      }
      events.push({ kind: "turnEnded", session: "a", promptUsage: none });
    }
    const own = run(events).map(({ turn }) => (isSome(turn) ? turn.value : unknownCounts));
    const sum = (field: "input" | "output"): bigint =>
      own.reduce((total, one) => total + (isSome(one[field]) ? one[field].value : -(10n ** 30n)), 0n);
    expect([sum("input"), sum("output")]).toEqual([input, output]);
  });
});

test("turn costs add up to the session's within the error of doubles", () => {
  check(fc.array(fc.double({ min: 0, max: 50, noNaN: true }), { minLength: 1, maxLength: 40 }), (steps) => {
    let cumulative = 0;
    const events: UsageEvent[] = [{ kind: "sessionCreated", session: "a" }];
    for (const step of steps) {
      cumulative += step;
      events.push(
        { kind: "turnStarted", session: "a" },
        { kind: "costNotified", session: "a", costUsd: cumulative },
        { kind: "turnEnded", session: "a", promptUsage: none },
      );
    }
    const turns = run(events).map(({ turn }) =>
      isSome(turn) && isSome(turn.value.costUsd) ? turn.value.costUsd.value : NaN,
    );
    expect(turns.reduce((sum, cost) => sum + cost, 0)).toBeCloseTo(cumulative, 9);
  });
});

test("whatever records are lost, those that are left say what their own turns used, and each hole is seen once", () => {
  const story = fc.array(fc.tuple(fc.bigInt(0n, 10n ** 9n), fc.boolean()), { minLength: 1, maxLength: 20 });
  check(story, (turns) => {
    let cumulative = 0n;
    const all = turns.map(([used, lost], index) => {
      cumulative += used;
      const one = (tokens: bigint) => some({ ...unknownCounts, input: some(tokens) });
      const place = { sessionId: some("x"), turnSeq: some(BigInt(index + 1)) };
      return { used, lost, metric: { ...blank, ...place, turn: one(used), cumulative: one(cumulative) } };
    });
    const kept = all.filter(({ lost }) => !lost);
    const resolved = resolveRows(
      kept.map(({ metric }, index) => ({ id: `${index}`, agent: "p", reportedAt: 0, metric })),
    );
    expect(resolved.map(({ counts: own }) => own.input)).toEqual(kept.map(({ used }) => some(used)));
    const begun = all.findIndex(({ lost }) => !lost);
    const holes = all.filter(({ lost }, at) => !lost && at > begun && all[at - 1]?.lost === true).length;
    expect(resolved.filter(({ gap }) => gap)).toHaveLength(holes);
  });
});

test("a figure that the last notification did not have is no number in the record, and no number exceeds what was sent", () => {
  check(fc.array(event, { maxLength: 40 }), (events) => {
    for (const { turn, cumulative } of run(events)) {
      if (!isSome(turn) || !isSome(cumulative) || !isSome(cumulative.value.input)) continue;
      for (const field of TOKEN_FIELDS) {
        const [own, sent] = [turn.value[field], cumulative.value[field]];
        expect(isSome(own) && !isSome(sent)).toBe(false);
        expect(isSome(own) && isSome(sent) && own.value > sent.value).toBe(false);
      }
    }
  });
});

const blank: TurnMetric = {
  harness: "h",
  timestamp: "2026-08-01T00:00:00.000Z",
  model: none,
  channelId: none,
  sessionId: none,
  turnSeq: none,
  turnId: none,
  acpSessionId: none,
  turn: none,
  cumulative: none,
  deltaReliable: true,
  stopReason: none,
  pricingIdentity: none,
};

const metric: fc.Arbitrary<TurnMetric> = fc.record({
  harness: fc.constant("h"),
  timestamp: fc.constant("2026-08-01T00:00:00.000Z"),
  model: option(fc.string()),
  channelId: fc.constant(none),
  sessionId: option(fc.constantFrom("x", "y")),
  turnSeq: option(fc.oneof(fc.bigInt(0n, 5n), fc.constantFrom(COUNTER_MAX - 1n, COUNTER_MAX))),
  turnId: fc.constant(none),
  acpSessionId: option(fc.string()),
  turn: option(counts),
  cumulative: option(counts),
  deltaReliable: fc.boolean(),
  stopReason: option(fc.constantFrom("end_turn" as const, "cancelled" as const)),
  pricingIdentity: identity,
});
const rows: fc.Arbitrary<readonly MetricRow[]> = fc
  .array(fc.tuple(metric, fc.constantFrom("p", "q")), { maxLength: 15 })
  .map((all) => all.map(([one, agent], index) => ({ id: `r${index}`, agent, reportedAt: index, metric: one })));

const sumOf = (all: readonly MetricRow[]): Scope =>
  resolveRows(all).reduce(
    (sum, { counts: resolved, gap }) => mergeScopes(sum, scopeOf(resolved, none, gap)),
    emptyScope,
  );

test("order and duplication of rows do not change what each of them is resolved to", () => {
  check(
    rows.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray([...all], { minLength: all.length }), fc.subarray([...all])),
    ),
    ([all, shuffled, again]) => {
      const byId = (some: readonly MetricRow[]) =>
        resolveRows(some)
          .map(({ row, counts: resolved, gap }) => ({ id: row.id, resolved, gap }))
          .toSorted((a, b) => (a.id < b.id ? -1 : 1));
      expect(byId([...again, ...shuffled])).toEqual(byId(all));
    },
  );
});

test("the ladder never crosses agents or sessions: others' rows change nothing", () => {
  check(rows, (all) => {
    const of = (agent: string, name: string) => (row: MetricRow) =>
      row.agent === agent && isSome(row.metric.sessionId) && row.metric.sessionId.value === name;
    const together = new Map(resolveRows(all).map(({ row, counts: resolved }) => [row.id, resolved]));
    for (const agent of ["p", "q"])
      for (const name of ["x", "y"])
        for (const { row, counts: resolved } of resolveRows(all.filter(of(agent, name))))
          expect(together.get(row.id)).toEqual(resolved);
  });
});

test("a figure is exact only if every row's is known, and a sum never exceeds a counter", () => {
  check(rows, (all) => {
    const sum = sumOf(all);
    const resolved = resolveRows(all).map((one) => one.counts);
    for (const field of TOKEN_FIELDS) {
      const known = resolved.flatMap((one) => (isSome(one[field]) ? [one[field].value] : []));
      const exact = known.reduce((total, tokens) => total + tokens, 0n);
      const complete = known.length === resolved.length && exact <= COUNTER_MAX;
      const value = isSome(sum[field].value) ? sum[field].value.value : null;
      expect(sum[field].incomplete).toBe(!complete);
      expect(value === null).toBe(known.length === 0);
      // A lower bound where it is incomplete; rows are cut off only once the sum does not fit.
      expect(
        value === null || (value <= exact && value <= COUNTER_MAX && incompleteOrEqual(complete, value, exact)),
      ).toBe(true);
    }
    const fresh = freshInput(sum);
    expect(isSome(fresh.value) && fresh.incomplete).toBe(false);
  });
});

const incompleteOrEqual = (complete: boolean, value: bigint, exact: bigint): boolean => !complete || value === exact;

test("a record survives its JSON", () => {
  check(metric, (one) => {
    const text = encodeMetric(one);
    expect(isRight(text)).toBe(true);
    if (!isRight(text)) return;
    const back = decodeMetric(text.right);
    expect(isRight(back)).toBe(true);
    if (!isRight(back)) return;
    const empty = (value: Option<Counts>): boolean =>
      !isSome(value) ||
      Object.values(value.value as unknown as Record<string, Option<unknown>>).every((x) => !isSome(x));
    expect(back.right).toEqual({
      ...one,
      turn: one.deltaReliable && !empty(one.turn) ? one.turn : none,
      cumulative: empty(one.cumulative) ? none : one.cumulative,
    });
  });
});

const anyJson = fc.jsonValue().map((value) => value as Json);
const member = fc.oneof(
  anyJson,
  u64,
  fc.constantFrom<Json>(-1, 1.5, 1e19, 2n ** 64n, "5", null, true, { amount: 1, currency: "USD" }),
);
const update = fc.record(
  {
    sessionUpdate: fc.constantFrom<Json>("usage_update", "message_usage", 5),
    accumulatedInputTokens: member,
    accumulatedOutputTokens: member,
    accumulatedCost: member,
    cost: member,
    pricingIdentity: member,
  },
  { requiredKeys: [] },
);

test("a notification is read as it is or not at all", () => {
  check(update, (value) => {
    const read = readSnapshot(value);
    if (!isRight(read)) return;
    const sent = value.accumulatedInputTokens;
    const got = read.right.counts.input;
    expect(isSome(got) ? got.value : null).toEqual(
      sent === undefined || sent === null ? null : BigInt(sent as number | bigint),
    );
  });
});

test("whatever passes on the wire, the recorder goes on, and invents no record without a prompt", () => {
  const frame = fc.oneof(
    fc.string(),
    anyJson.map((value) => stringifyJson(value)),
    fc
      .record(
        {
          id: fc.oneof(anyJson, fc.constantFrom<Json>(1, "1", null)),
          method: fc.constantFrom<Json>("session/new", "session/update", "_goose/unstable/session/update", "x", 7),
          params: fc.record({ sessionId: fc.oneof(anyJson, fc.constant("s")), update }, { requiredKeys: [] }),
          result: anyJson,
          error: anyJson,
        },
        { requiredKeys: [] },
      )
      .map((value) => stringifyJson(value as Json)),
  );
  check(fc.array(fc.tuple(fc.boolean(), frame), { maxLength: 30 }), (frames) => {
    let recorder = newRecorder(adapterOf("claude-code-acp"));
    for (const [fromClient, text] of frames) {
      const recording = (fromClient ? recordClientFrame : recordAgentFrame)(recorder, text);
      recorder = recording.recorder;
      expect(recording.turns).toEqual([]);
    }
  });
});
