// The client's tracker against spec/usage.md 3: the tables of 3.3 to 3.6 and the worked examples C1 to C10, with decisions 5
// and 7 in place of what they correct.
import { isSome, some, toNullable } from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import type { UsageEvent } from "../../../src/usage/tracker.js";
import { begin, counts, created, end, figures, note, runTracker, type Figures } from "./build.js";

interface Published {
  readonly seq: number;
  readonly turn: Figures | null;
  readonly cum?: Figures | null;
  readonly id?: string | null;
}

const shown = (events: readonly UsageEvent[]): readonly (Published | null)[] =>
  runTracker(events).map((usage) =>
    usage === null
      ? null
      : {
          seq: Number(usage.seq),
          turn: figures(usage.turn),
          cum: figures(usage.cumulative),
          id: isSome(usage.identity) ? usage.identity.value.model : null,
        },
  );

const last = (events: readonly UsageEvent[]): Published | null | undefined => shown(events).at(-1);

const C1 = [
  created(),
  begin(),
  note({ in: 12000, out: 800, r: 9000, w: 1500 }, "A"),
  note({ in: 25500, out: 1900, r: 20000, w: 2500 }, "A"),
  end(),
];
const C3 = [created(), begin(), note({ in: 5000, out: 1000 }), end()];
const C3b = [...C3, begin(), note({ in: 100, out: 50 }), end()];
const C4 = [
  created(),
  begin(),
  note({ in: 500, out: 100 }),
  end(),
  begin(),
  note({ out: 300 }),
  note({ in: 900, out: 350 }),
  end(),
];
const C5 = [begin(), note({ in: 7000, out: 900 }, "A"), end()];
const C2 = [note({ in: 0, out: 0 }), created(), begin(), note({ in: 5000, out: 300, cost: 0.02 }), end()];
const grown = { in: 1200, out: 300 };

const vectors: readonly (readonly [string, readonly UsageEvent[], Partial<Published> | null])[] = [
  ["C1 seeded, two notifications", C1, { seq: 1, turn: { in: 25500, out: 1900, r: 20000, w: 2500 }, id: "A" }],
  [
    "C1b next turn with two identities",
    [
      ...C1,
      begin(),
      note({ in: 40500, out: 2600, r: 34000, w: 2600 }, "A"),
      note({ in: 56000, out: 3100, r: 49000, w: 2600 }, "B"),
      end(),
    ],
    { seq: 2, turn: { in: 30500, out: 1200, r: 29000, w: 100 }, id: null },
  ],
  ["C2 with decision 5: the seed fills what setup left open", C2, { seq: 1, turn: { in: 5000, out: 300, cost: 0.02 } }],
  [
    "C2b the next turn",
    [...C2, begin(), note({ in: 9000, out: 450, cost: 0.05 }), end()],
    { seq: 2, turn: { in: 4000, out: 150, cost: 0.03 } },
  ],
  ["C3 seeded", C3, { seq: 1, turn: { in: 5000, out: 1000 } }],
  ["C3b counters fell", C3b, { seq: 2, turn: null, cum: { in: 100, out: 50 } }],
  ["C3c healed", [...C3b, begin(), note({ in: 400, out: 90 }), end()], { seq: 3, turn: { in: 300, out: 40 } }],
  ["C4 input missing once", C4, { seq: 2, turn: null, cum: { in: 900, out: 350 } }],
  ["C4b for good", [...C4, begin(), note({ in: 1000, out: 400 }), end()], { seq: 3, turn: null }],
  ["C5 attached; decision 7: without identity", C5, { seq: 1, turn: null, cum: { in: 7000, out: 900 }, id: null }],
  [
    "C5b the second turn",
    [...C5, begin(), note({ in: 7600, out: 950 }, "A"), end()],
    { seq: 2, turn: { in: 600, out: 50 }, id: "A" },
  ],
  [
    "C6 cost fell",
    [created(), begin(), note({ in: 1, out: 1, cost: 0.1 }), end(), begin(), note({ ...grown, cost: 0.05 }), end()],
    { seq: 2, turn: null, cum: { ...grown, cost: 0.05 } },
  ],
  [
    "C7 setup with nothing in flight",
    [note({ in: 500, out: 100, cost: 0.005 }), begin(), note({ in: 1200, out: 300, cost: 0.012 }), end()],
    { seq: 1, turn: { in: 700, out: 200, cost: 0.007 } },
  ],
  [
    "C8 late tokens land in the next turn, and cost it its identity",
    [
      created("A"),
      begin("A"),
      note({ in: 1000, out: 100 }, "A", "A"),
      end("A"),
      begin("B"),
      note({ in: 1500, out: 150 }, "A", "A"),
      end("B"),
      begin("A"),
      note({ in: 2000, out: 250 }, "A", "A"),
      end("A"),
    ],
    { seq: 2, turn: { in: 1000, out: 150 }, id: null },
  ],
  [
    "C9 total fell",
    [created(), begin(), note({ in: 1, out: 1, total: 600 }), end(), begin(), note({ ...grown, total: 50 }), end()],
    { seq: 2, turn: { in: 1199, out: 299 } },
  ],
  [
    "C10 cache read fell",
    [created(), begin(), note({ in: 1, out: 1, r: 800 }), end(), begin(), note({ ...grown, r: 50 }), end()],
    { seq: 2, turn: { in: 1199, out: 299 } },
  ],
  ["a turn without a notification takes no number", [created(), begin(), end()], null],
  [
    "the number after one without a notification",
    [created(), begin(), end(), begin(), note({ in: 1, out: 2 }), end()],
    { seq: 1, turn: { in: 1, out: 2 } },
  ],
  [
    "a turn that was never ended leaves its absence behind",
    [created(), begin(), note({ out: 3 }), begin(), note({ in: 9, out: 9 }), end()],
    { seq: 1, turn: null },
  ],
  [
    "a turn that was never ended leaves its tokens to the next, without identity",
    [created(), begin(), note({ in: 5, out: 5 }, "A"), begin(), note({ in: 9, out: 9 }, "A"), end()],
    { seq: 1, turn: { in: 9, out: 9 }, id: null },
  ],
  [
    "an absence while another session is in flight poisons",
    [created("A"), begin("B"), note({ in: 1 }, undefined, "A"), end("B"), begin("A"), note(grown, "A", "A"), end("A")],
    { seq: 1, turn: null },
  ],
  [
    "the last notification wins, also a smaller one",
    [created(), begin(), note({ in: 9, out: 9 }), note({ in: 5, out: 6 }), end()],
    { seq: 1, turn: { in: 5, out: 6 } },
  ],
  [
    "known zeros are numbers",
    [created(), begin(), note({ in: 0, out: 0, r: 0, w: 0, total: 0, cost: 0 }), end()],
    { seq: 1, turn: { in: 0, out: 0, r: 0, w: 0, total: 0, cost: 0 } },
  ],
  [
    "an identity that comes late breaks the turn's",
    [created(), begin(), note({ in: 1, out: 1 }), note({ in: 2, out: 2 }, "A"), end()],
    { id: null },
  ],
  [
    "an identity missing on a repeated notification breaks the turn's",
    [created(), begin(), note({ in: 2, out: 2 }, "A"), note({ in: 2, out: 2 }), end()],
    { id: null },
  ],
  [
    "a notification that could not be read breaks the turn's identity, not its counts",
    [created(), begin(), note(grown, "A"), { kind: "notificationRefused", session: "s" }, end()],
    { turn: grown, id: null },
  ],
];

describe("worked examples and tables of the client", () => {
  test.each(vectors)("%s", (_name, events, expected) => {
    expect({ published: last(events) }).toMatchObject({ published: expected });
  });
});

// Table 3.4: baseline, notification, and what is published; each row decides on its own.
const baseline = { in: 100, out: 50, cost: 1 };
test.each<[string, Figures, Figures, Figures | null]>([
  ["2 input missing now", baseline, { out: 60, cost: 2 }, null],
  ["4 input fell", baseline, { in: 99, out: 60, cost: 2 }, null],
  ["4 output fell", baseline, { in: 110, out: 49, cost: 2 }, null],
  ["5 cost fell", baseline, { in: 110, out: 60, cost: 0.5 }, null],
  ["6 cost unknown now", baseline, { in: 110, out: 60 }, { in: 10, out: 10 }],
  ["6 cost unknown before", { in: 100, out: 50 }, { in: 110, out: 60, cost: 2 }, { in: 10, out: 10 }],
  ["7 all known", baseline, { in: 110, out: 60, cost: 1.5 }, { in: 10, out: 10, cost: 0.5 }],
])("reliability row %s", (_name, before, now, turn) => {
  const published = last([note(before), begin(), note(now), end()]);
  expect(published?.turn).toEqual(turn);
});

test.each<[string, number | undefined, number | undefined, number | undefined]>([
  ["risen", 5, 8, 3],
  ["unchanged: a known zero", 5, 5, 0],
  ["fallen", 5, 4, undefined],
  ["baseline unknown", undefined, 4, undefined],
  ["unknown now", 5, undefined, undefined],
])("total and cache figures stand alone: %s", (_name, before, now, turn) => {
  for (const field of ["total", "r", "w"] as const) {
    const [known, next] = [before === undefined ? {} : { [field]: before }, now === undefined ? {} : { [field]: now }];
    const published = last([note({ in: 1, out: 1, ...known }), begin(), note({ in: 20, out: 2, ...next }), end()]);
    expect(published?.turn).toEqual({ in: 19, out: 1, ...(turn === undefined ? {} : { [field]: turn }) });
  }
});

test("turns of several sessions at the same time do not mix", () => {
  expect(
    shown([
      created("A"),
      created("B"),
      begin("A"),
      begin("B"),
      note({ in: 10, out: 1 }, "m", "A"),
      note({ in: 20, out: 2 }, "m", "B"),
      end("A"),
      note({ in: 25, out: 3 }, "m", "B"),
      end("B"),
    ]),
  ).toMatchObject([
    { seq: 1, turn: { in: 10, out: 1 }, id: "m" },
    { seq: 1, turn: { in: 25, out: 3 }, id: "m" },
  ]);
});

describe("standard ACP", () => {
  const cost = (costUsd: number): UsageEvent => ({ kind: "costNotified", session: "s", costUsd });
  const prompt = some(counts({ in: 155, out: 20, r: 30, w: 25 }));

  test("two prompts with cumulative cost 0.10 and 0.25 cost 0.10 and 0.15", () => {
    const published = shown([created(), begin(), cost(0.1), end("s", prompt), begin(), cost(0.25), end("s", prompt)]);
    expect(published.map((usage) => usage?.turn?.cost)).toEqual([0.1, 0.15]);
    expect(published.map((usage) => usage?.seq)).toEqual([1, 2]);
  });

  test("the first cost of a session that was attached to says nothing of the turn", () => {
    expect(shown([begin(), cost(0.1), end()])).toEqual([{ seq: 1, turn: null, cum: { cost: 0.1 }, id: null }]);
  });

  test("a cost that falls is unknown for good", () => {
    const published = shown([
      created(),
      ...[0.5, 0.2, 0.9].flatMap((amount) => [begin(), cost(amount), end("s", prompt)]),
    ]);
    expect(published.map((usage) => usage?.turn?.cost)).toEqual([0.5, undefined, undefined]);
  });

  test("nothing usable takes no number", () => {
    expect(shown([created(), begin(), end(), begin(), end("s", prompt)])).toMatchObject([null, { seq: 1 }]);
  });

  test("the goose-style record wins, and both draw from one sequence", () => {
    const published = shown([
      created(),
      begin(),
      cost(0.1),
      note({ in: 9, out: 9 }),
      end("s", prompt),
      begin(),
      cost(0.3),
      end("s", prompt),
    ]);
    expect(published).toMatchObject([
      { seq: 1, turn: { in: 9, out: 9 } },
      { seq: 2, turn: { in: 155, out: 20, r: 30, w: 25, cost: 0.2 } },
    ]);
  });

  test("a cost outside a turn is not counted", () => {
    expect(last([created(), cost(5), begin(), cost(6), end()])?.turn).toEqual({ cost: 6 });
  });
});

test("the model is that of the last notification", () => {
  const [usage] = runTracker([
    created(),
    begin(),
    note({ in: 1, out: 1 }, "A", "s", "m1"),
    note({ in: 2, out: 2 }, "A", "s", "m2"),
    end(),
  ]);
  expect(usage === null || usage === undefined ? null : toNullable(usage.model)).toBe("m2");
});
