/**
 * The world's own book of the tokens that its model has said it used, kept without the reducer's help, and compared with what the
 * session reported at its end. A difference is a bug of one of the two, and fails the run.
 */
import { isSome, type Option } from "fp-ts/lib/Option.js";
import type { Accumulator, ReportedUsage, UsageTotals } from "../core/usage.js";

export type Category = keyof UsageTotals;
export const CATEGORIES: readonly Category[] = ["input", "output", "cacheRead", "cacheWrite", "total"];

/** `spoilt`: a reply said something that no sum can be made of. */
interface Account {
  tokens: bigint;
  seen: boolean;
  spoilt: boolean;
}

export type Ledger = Readonly<Record<Category, Account>>;

const emptyAccount = (): Account => ({ tokens: 0n, seen: false, spoilt: false });

export const newLedger = (): Ledger => ({
  input: emptyAccount(),
  output: emptyAccount(),
  cacheRead: emptyAccount(),
  cacheWrite: emptyAccount(),
  total: emptyAccount(),
});

const enter = (account: Account, tokens: bigint): void => {
  account.tokens += tokens;
  account.seen = true;
};

const enterOrSpoil = (account: Account, tokens: Option<bigint>): void => {
  if (isSome(tokens)) return enter(account, tokens.value);
  account.spoilt = true;
};

/** Enters what one delivered reply said. A reply that says neither input nor output says nothing that is counted. */
export const enterUsage = (ledger: Ledger, usage: ReportedUsage): void => {
  if (usage.input.kind === "absent" && !isSome(usage.output)) return;
  if (usage.input.kind === "exact") enter(ledger.input, usage.input.tokens);
  if (usage.input.kind === "overflowed") ledger.input.spoilt = true;
  if (isSome(usage.output)) enter(ledger.output, usage.output.value);
  enterOrSpoil(ledger.cacheRead, usage.cacheRead);
  enterOrSpoil(ledger.cacheWrite, usage.cacheWrite);
  enterOrSpoil(ledger.total, usage.total);
};

const said = (accumulator: Accumulator): string =>
  accumulator.kind === "exact" ? `${accumulator.tokens} tokens` : accumulator.kind;

const booked = ({ tokens, seen, spoilt }: Account): string =>
  spoilt ? "broken" : seen ? `${tokens} tokens` : "unseen";

/** One line for each category in which the session and the world differ; none when everything is conserved. */
export const differences = (ledger: Ledger, reported: UsageTotals): readonly string[] =>
  CATEGORIES.filter((category) => said(reported[category]) !== booked(ledger[category])).map(
    (category) =>
      `${category}: the session reported ${said(reported[category])}, the model used ${booked(ledger[category])}`,
  );
