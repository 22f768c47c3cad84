/**
 * Usage as a reader of `spec/usage.md` 2.2 to 2.5 would add it up, cell by cell and without a thought for speed. It judges the
 * core's own arithmetic and therefore shares nothing with it but the types.
 */
import { COUNTER_MAX, type Accumulator, type Identity, type ReportedUsage, type UsageTotals } from "../core/index.js";
import { valueOf } from "./option.js";

type Category = keyof UsageTotals;
const categories: readonly Category[] = ["input", "output", "cacheRead", "cacheWrite", "total"];

const exact = (tokens: bigint): Accumulator => (tokens > COUNTER_MAX ? { kind: "broken" } : { kind: "exact", tokens });

const plus = (have: Accumulator, tokens: bigint): Accumulator => {
  if (have.kind === "broken") return have;
  return exact(have.kind === "unseen" ? tokens : have.tokens + tokens);
};

/** What the reply says of one category: a number, nothing, or a sum that did not fit. */
const said = (usage: ReportedUsage, category: Category): bigint | "nothing" | "overflow" => {
  if (category !== "input") return valueOf(usage[category]) ?? "nothing";
  if (usage.input.kind === "exact") return usage.input.tokens;
  return usage.input.kind === "overflowed" ? "overflow" : "nothing";
};

export const bearsUsage = (usage: ReportedUsage): boolean =>
  said(usage, "input") !== "nothing" || said(usage, "output") !== "nothing";

const added = (have: Accumulator, category: Category, usage: ReportedUsage): Accumulator => {
  const tokens = said(usage, category);
  if (tokens === "overflow") return { kind: "broken" };
  if (tokens !== "nothing") return plus(have, tokens);
  return category === "input" || category === "output" ? have : { kind: "broken" };
};

const eachCategory = (make: (category: Category) => Accumulator): UsageTotals => ({
  input: make("input"),
  output: make("output"),
  cacheRead: make("cacheRead"),
  cacheWrite: make("cacheWrite"),
  total: make("total"),
});

export const nothingUsed: UsageTotals = eachCategory(() => ({ kind: "unseen" }));

/** The turn's totals after one more reply. */
export const withReply = (turn: UsageTotals, usage: ReportedUsage): UsageTotals =>
  bearsUsage(usage) ? eachCategory((category) => added(turn[category], category, usage)) : turn;

/** The session's totals with a turn on top. */
export const withTurn = (session: UsageTotals, turn: UsageTotals): UsageTotals =>
  eachCategory((category) => {
    const more = turn[category];
    if (more.kind === "unseen") return session[category];
    return more.kind === "broken" ? more : plus(session[category], more.tokens);
  });

/** The turn's identity after one more usage-bearing reply. */
export const withIdentity = (have: Identity, authority: string | undefined, model: string): Identity => {
  if (authority === undefined || have.kind === "broken") return { kind: "broken" };
  const same = have.kind === "unseen" || (have.authority === authority && have.model === model);
  return same ? { kind: "proven", authority, model } : { kind: "broken" };
};

/** Faults of `later` as a successor of `earlier`: a value that fell, or one that came back from being broken or seen. */
export const shrunk = (earlier: UsageTotals, later: UsageTotals): readonly string[] =>
  categories.flatMap((category) => {
    const [was, is] = [earlier[category], later[category]];
    if (is.kind === "exact" && (is.tokens < 0n || is.tokens > COUNTER_MAX)) return [`${category} is no counter`];
    if (was.kind === "unseen" || is.kind === "broken") return [];
    if (was.kind === "broken") return [`${category} came back after it was unknown`];
    return is.kind === "exact" && is.tokens >= was.tokens ? [] : [`${category} fell`];
  });
