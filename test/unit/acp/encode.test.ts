import * as fc from "fast-check";
import { none, some } from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import type { Finish, Update } from "../../../src/core/update.js";
import { COUNTER_MAX, type Accumulator, type Identity } from "../../../src/core/usage.js";
import { encodeUpdate } from "../../../src/shell/acp/encode.js";
import type { ClientTraits } from "../../../src/shell/acp/initialize.js";
import { createOutlet } from "../../../src/shell/acp/outlet.js";
import { shownArguments } from "../../../src/shell/acp/rawInput.js";
import { createTelling } from "../../../src/shell/acp/telling.js";
import { textPieces } from "../../../src/shell/acp/textPieces.js";
import { faultsOf } from "../../support/schema.js";

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "é", "\u2028", "\u0000", "\ud800", "😀", "\n", '"', "\\") }),
  fc.constantFrom("", " ", "x".repeat(200_000), "\u0000".repeat(200_000), "😀".repeat(50_000)),
);
/** What is bounded where it comes from. */
const short = text.map((each) => each.slice(0, 1000));
const accumulator: fc.Arbitrary<Accumulator> = fc.oneof(
  fc.constant({ kind: "unseen" as const }),
  fc.constant({ kind: "broken" as const }),
  fc.bigInt(0n, COUNTER_MAX).map((tokens) => ({ kind: "exact" as const, tokens })),
);
const identity: fc.Arbitrary<Identity> = fc.oneof(
  fc.constantFrom<Identity>({ kind: "unseen" }, { kind: "broken" }),
  fc.record({ kind: fc.constant("proven" as const), authority: short, model: short }),
);
const report = fc.record({
  totals: fc.record({
    input: accumulator,
    output: accumulator,
    cacheRead: accumulator,
    cacheWrite: accumulator,
    total: accumulator,
  }),
  identity,
  model: short,
  authority: fc.oneof(fc.constant(none), short.map(some)),
  windowTokens: fc.nat(),
});
const part = fc.oneof(
  fc.record({ kind: fc.constant("text" as const), text }),
  fc.record({ kind: fc.constant("image" as const), mimeType: text, dataBase64: text }),
);
const finish: fc.Arbitrary<Finish> = fc.oneof(
  fc.record({ kind: fc.constant("result" as const), parts: fc.array(part, { maxLength: 4 }), isError: fc.boolean() }),
  fc.record({
    kind: fc.constantFrom("rejected" as const, "failed" as const, "timedOut" as const, "refused" as const),
    message: text,
  }),
  fc.constant({ kind: "cancelled" as const }),
);
const argumentsText = fc.oneof(
  fc.dictionary(text, fc.oneof(text, fc.jsonValue()), { maxKeys: 5 }).map((object) => JSON.stringify(object)),
  fc.constantFrom(
    '{"n":18446744073709551615}',
    `{"deep":${"[".repeat(5000)}${"]".repeat(5000)}}`,
    `{"many":[${'"0123456789",'.repeat(50_000)}1]}`,
  ),
);
const update: fc.Arbitrary<Update> = fc.oneof(
  fc.record({ kind: fc.constantFrom("turnStarted" as const, "turnEnded" as const), runId: short }),
  fc.record({
    kind: fc.constantFrom("thoughtSaid" as const, "messageSaid" as const),
    messageId: fc.constant("m"),
    text,
  }),
  fc.record({ kind: fc.constant("toolAnnounced" as const), key: fc.constant("k"), name: text, argumentsText }),
  fc.record({ kind: fc.constant("toolStarted" as const), key: fc.constant("k") }),
  fc.record({ kind: fc.constant("toolFinished" as const), key: fc.constant("k"), finish }),
  fc.record({ kind: fc.constant("usageReported" as const), report }),
  fc.record({ kind: fc.constant("contextMeasured" as const), usedTokens: fc.nat(), windowTokens: fc.nat() }),
  fc.record({ kind: fc.constant("handoffStarted" as const), handoff: fc.nat() }),
  fc.record({
    kind: fc.constant("handoffEnded" as const),
    handoff: fc.nat(),
    status: fc.constantFrom("completed" as const, "failed" as const, "cancelled" as const),
    text: text.map((each) => each.slice(0, 65_536)),
  }),
  fc.record({ kind: fc.constant("historyTruncated" as const), turnsDropped: fc.nat(), bytesDropped: fc.nat() }),
  fc.record({
    kind: fc.constant("noticeTold" as const),
    severity: fc.constantFrom("info" as const, "warning" as const, "error" as const),
    title: text,
    detail: text,
  }),
);
const traits: fc.Arbitrary<ClientTraits> = fc.record({
  version: fc.constantFrom(1 as const, 2 as const),
  notices: fc.boolean(),
  compaction: fc.boolean(),
  goose: fc.boolean(),
  terminalAuth: fc.boolean(),
});

/** The lines that a session's outlet writes for the updates. */
const linesOf = (updates: readonly Update[], client: ClientTraits): readonly string[] => {
  const lines: string[] = [];
  const writer = {
    send: (frame: string) => void lines.push(frame),
    whenBelow: () => Promise.resolve(),
    unsentBytes: () => 0,
    onClosed: () => undefined,
    flush: () => undefined,
    respond: () => undefined,
  };
  const outlet = createOutlet({
    sessionId: "s",
    writer,
    traits: () => client,
    turnCode: {
      use: (work) => {
        work({ createTelling });
      },
    },
    heartbeatMs: 1000,
    log: () => undefined,
  });
  outlet.open();
  updates.forEach(outlet.publish);
  return lines;
};

describe("what a client is told", () => {
  test("is valid, small and one line, whatever is told and to whom", () => {
    fc.assert(
      fc.property(fc.array(update, { maxLength: 4 }), traits, (updates, client) => {
        const lines = linesOf(updates, client);
        expect(lines.flatMap((line) => faultsOf(line, () => undefined, client.goose))).toEqual([]);
        const kinds = lines.map(
          (line) => (JSON.parse(line) as { params: { update: { sessionUpdate: string } } }).params.update.sessionUpdate,
        );
        expect(kinds.includes("notice") && !client.notices).toBe(false);
        expect(kinds.includes("compaction_update") && !client.compaction).toBe(false);
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  test("is not sent before the client knows the session, nor after it has forgotten it", () => {
    const lines: string[] = [];
    const writer = {
      send: (frame: string) => void lines.push(frame),
      whenBelow: () => Promise.resolve(),
      unsentBytes: () => 0,
      onClosed: () => undefined,
      flush: () => undefined,
      respond: () => undefined,
    };
    const client: ClientTraits = { version: 1, notices: true, compaction: false, goose: false, terminalAuth: false };
    const outlet = createOutlet({
      sessionId: "s",
      writer,
      traits: () => client,
      turnCode: {
        use: (work) => {
          work({ createTelling });
        },
      },
      heartbeatMs: 1000,
      log: () => undefined,
    });
    outlet.publish({ kind: "noticeTold", severity: "info", title: "early", detail: "" });
    expect(lines).toEqual([]);
    outlet.open();
    expect(lines).toHaveLength(1);
    outlet.mute();
    outlet.publish({ kind: "noticeTold", severity: "info", title: "late", detail: "" });
    expect(lines).toHaveLength(1);
  });

  test("unknown counters are left out and known ones are exact, zero included", () => {
    const totals = {
      input: { kind: "exact", tokens: 18446744073709551615n },
      output: { kind: "exact", tokens: 1n },
      cacheRead: { kind: "exact", tokens: 0n },
      cacheWrite: { kind: "broken" },
      total: { kind: "unseen" },
    } as const;
    const kind = "usageReported" as const;
    const [encoded] = encodeUpdate(
      {
        kind,
        report: {
          totals,
          identity: { kind: "proven", authority: "api.example", model: "m" },
          model: "m",
          authority: none,
          windowTokens: 8,
        },
      },
      { version: 2, notices: false, compaction: false, goose: true, terminalAuth: false },
      none,
    );
    expect(encoded).toEqual({
      kind: "goose",
      update: {
        sessionUpdate: "usage_update",
        used: 18446744073709551615n,
        contextLimit: 8,
        model: "m",
        accumulatedInputTokens: 18446744073709551615n,
        accumulatedOutputTokens: 1n,
        accumulatedCachedInputTokens: 0n,
        pricingIdentity: { authority: "api.example", model: "m" },
      },
    });
  });
});

describe("long text", () => {
  test("comes in pieces that are small, whole in their characters, and together what it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 4, max: 40 }), (whole, bytesMax) => {
        const pieces = textPieces(whole, bytesMax);
        expect(pieces.join("")).toBe(whole);
        for (const piece of pieces) expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(bytesMax);
        expect(pieces).not.toContain("");
      }),
    );
  });
});

describe("arguments as a client sees them", () => {
  test("are whole when short, and keep both ends of a long string and every digit of a number", () => {
    expect(shownArguments('{"n":18446744073709551615}')).toEqual({
      rawInput: { n: 18446744073709551615n },
      elided: false,
    });
    const { rawInput, elided } = shownArguments(JSON.stringify({ a: `begin${"x".repeat(20_000)}end`, n: 7 }));
    expect(elided).toBe(true);
    expect(rawInput).toMatchObject({ n: 7, a: expect.stringMatching(/^begin[^]+end$/u) as unknown });
  });

  test("say that nothing was left out when nothing was", () => {
    const many = JSON.stringify({ list: Array.from({ length: 5000 }, (_, index) => `item ${index}`) });
    expect(shownArguments(many)).toEqual({ rawInput: JSON.parse(many) as unknown, elided: false });
  });
});
