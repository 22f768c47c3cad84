/** Invariants 2 and 3 of `spec/turn-loop.md` 10: what is told about usage. */
import type { Identity, ModelReply, Settings, UsageReport, UsageTotals } from "../../core/index.js";
import { equal } from "../equal.js";
import { bearsUsage, nothingUsed, shrunk, withIdentity, withReply, withTurn } from "../naiveUsage.js";
import { valueOf } from "../option.js";
import { turnOf, type Watched } from "../orders.js";
import { along, effectsOf, unless, updatesOf, type Faults, type Invariant } from "./invariant.js";

const reportsOf = ({ effects }: Watched): readonly UsageReport[] =>
  updatesOf(effects, "usageReported").map(({ report }) => report);

interface Told {
  readonly totals: UsageTotals;
  readonly identity: Identity;
}

const identityRank: Readonly<Record<Identity["kind"], number>> = { unseen: 0, proven: 1, broken: 2 };

/** The identity belongs to the turn: with the next one it begins anew. */
const identityNow = (told: Told, watched: Watched): Identity =>
  watched.before.turns === watched.after.turns ? told.identity : { kind: "unseen" };

/** 2. What was told never decreases, what became unknown stays so: totals for the session, the identity for its turn. */
export const usageNeverShrinks: Invariant = along<Told>(
  { totals: nothingUsed, identity: { kind: "unseen" } },
  (told, watched) => {
    let now: Told = { ...told, identity: identityNow(told, watched) };
    const faults: string[] = [];
    for (const { totals, identity } of reportsOf(watched)) {
      faults.push(...shrunk(now.totals, totals));
      faults.push(
        ...unless(identityRank[identity.kind] >= identityRank[now.identity.kind], "an identity came back"),
        ...unless(
          now.identity.kind !== "proven" || identity.kind === "broken" || equal(identity, now.identity),
          "an identity changed",
        ),
      );
      now = { totals, identity };
    }
    return [now, faults];
  },
);

/** What has been fed so far, by the naive rules, and what the outstanding requests were sent with. */
interface Fed {
  readonly session: UsageTotals;
  readonly turn: UsageTotals;
  readonly identity: Identity;
  readonly sent: ReadonlyMap<number, Settings>;
}

const replyOf = ({ event, answered }: Watched): ModelReply | undefined =>
  answered !== undefined && (event.type === "modelReplied" || event.type === "summaryReplied")
    ? event.reply
    : undefined;

const fed = (state: Fed, watched: Watched, reply: ModelReply | undefined): Fed => {
  if (watched.before.turns !== watched.after.turns)
    return { ...state, turn: nothingUsed, identity: { kind: "unseen" } };
  const settings = watched.answered === undefined ? undefined : state.sent.get(watched.answered.id);
  if (reply === undefined || settings === undefined || !bearsUsage(reply.usage)) return state;
  return {
    ...state,
    turn: withReply(state.turn, reply.usage),
    identity: withIdentity(state.identity, valueOf(settings.authority), settings.model),
  };
};

const isSeen = ({ input, output }: UsageTotals): boolean => input.kind !== "unseen" || output.kind !== "unseen";

/** How many reports a transition owes: one for a usage-bearing reply, one before the answer of a turn that saw usage. */
const reportsOwed = (state: Fed, watched: Watched, reply: ModelReply | undefined): number =>
  (reply !== undefined && bearsUsage(reply.usage) ? 1 : 0) +
  (effectsOf(watched.effects, "answerPrompt").length > 0 && isSeen(state.turn) ? 1 : 0);

const reportFaults = (state: Fed, report: UsageReport): Faults => [
  ...unless(equal(report.totals, withTurn(state.session, state.turn)), "the report is not what was fed"),
  ...unless(equal(report.identity, state.identity), "the identity is not that of the replies"),
];

/** The request's own model, authority and window, whatever was chosen meanwhile. */
const namesItsRequest = (report: UsageReport, settings: Settings): boolean =>
  report.model === settings.model &&
  equal(report.authority, settings.authority) &&
  report.windowTokens === settings.windowTokens;

const occupancyFaults = ({ event, effects }: Watched, reply: ModelReply | undefined, settings: Settings): Faults => {
  const measured = updatesOf(effects, "contextMeasured");
  // Without any input figure there is nothing to tell: output alone would be a guess at how full the window is.
  const due = reply !== undefined && reply.usage.input.kind !== "absent" && event.type === "modelReplied";
  if (!due || reply === undefined)
    return unless(measured.length === 0, "occupancy told without an ordinary usage-bearing reply");
  const { input, output } = reply.usage;
  const sum = (input.kind === "exact" ? input.tokens : 0n) + (valueOf(output) ?? 0n);
  const window = BigInt(settings.windowTokens);
  return [
    ...unless(measured.length === 1, `${measured.length} occupancy reports for one reply`),
    ...measured.flatMap(({ usedTokens, windowTokens }) => [
      ...unless(windowTokens === settings.windowTokens, "the window is not the request's"),
      ...(input.kind === "overflowed"
        ? unless(usedTokens <= windowTokens, "more used than there is")
        : unless(BigInt(usedTokens) === (sum < window ? sum : window), "occupancy is not input + output")),
    ]),
  ];
};

const withSent = (sent: ReadonlyMap<number, Settings>, { effects, after }: Watched): ReadonlyMap<number, Settings> => {
  const more = effects.flatMap((effect): readonly (readonly [number, Settings])[] => {
    if (effect.type === "summarise") return [[effect.id, effect.request.settings]];
    return effect.type === "callModel" ? [[effect.id, after.settings]] : [];
  });
  return more.length === 0 ? sent : new Map([...sent, ...more]);
};

const closedTurn = (state: Fed, watched: Watched): Fed =>
  effectsOf(watched.effects, "answerPrompt").length === 0
    ? state
    : { ...state, session: withTurn(state.session, state.turn), turn: nothingUsed, identity: { kind: "unseen" } };

/**
 * 3. Every report says exactly what the replies said, added up by the tables of `spec/usage.md`, and comes exactly when it is due;
 * the session's own totals move once, when the turn is over.
 */
export const usageAddsUp: Invariant = along<Fed>(
  { session: nothingUsed, turn: nothingUsed, identity: { kind: "unseen" }, sent: new Map() },
  (before, watched) => {
    const reply = replyOf(watched);
    const state = fed(before, watched, reply);
    const settings = watched.answered === undefined ? undefined : state.sent.get(watched.answered.id);
    const reports = reportsOf(watched);
    const owed = reportsOwed(state, watched, reply);
    const next = closedTurn({ ...state, sent: withSent(state.sent, watched) }, watched);
    const first = reports[0];
    return [
      next,
      [
        ...unless(reports.length === owed, `${reports.length} usage reports where ${owed} are due`),
        ...reports.flatMap((report) => reportFaults(state, report)),
        ...(first !== undefined && settings !== undefined && reply !== undefined && bearsUsage(reply.usage)
          ? unless(namesItsRequest(first, settings), "a report names another model than its request")
          : []),
        ...(settings === undefined ? [] : occupancyFaults(watched, reply, settings)),
        ...unless(equal(watched.after.usage, next.session), "the session's totals are not those of its finished turns"),
        ...unless(
          equal(turnOf(watched.after)?.usage ?? nothingUsed, next.turn),
          "the turn's totals are not what was fed",
        ),
      ],
    ];
  },
);
