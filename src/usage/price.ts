/**
 * Estimated cost (`spec/usage.md` 5). Fail-closed: what is not proven is unknown and never 0. A price is found by authority and
 * model exactly as they are; there are no families, no prefixes and no case folding.
 */
import { fromNullable, isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import type { Counts } from "./counts.js";
import type { PricingIdentity } from "./identity.js";

/** US dollars for a million tokens; None is not published, which is not free. */
export interface Rates {
  readonly input: Option<number>;
  readonly output: Option<number>;
  readonly cacheRead: Option<number>;
  /** Of the default lifetime class alone. */
  readonly cacheWrite: Option<number>;
}

export interface PriceRecord {
  readonly authority: string;
  readonly model: string;
  readonly usdPerMillionTokens: Rates;
}

/** A record as JSON has it: null is not published. */
export interface WrittenPriceRecord {
  readonly authority: string;
  readonly model: string;
  readonly usdPerMillionTokens: { readonly [rate in keyof Rates]: number | null };
}

export const priceRecord = ({ authority, model, usdPerMillionTokens: rates }: WrittenPriceRecord): PriceRecord => ({
  authority,
  model,
  usdPerMillionTokens: {
    input: fromNullable(rates.input),
    output: fromNullable(rates.output),
    cacheRead: fromNullable(rates.cacheRead),
    cacheWrite: fromNullable(rates.cacheWrite),
  },
});

export type PriceList = ReadonlyMap<string, PriceRecord>;

const key = (authority: string, model: string): string => JSON.stringify([authority, model]);

/** Of two records for the same model the later one counts: own records are put behind the published ones. */
export const priceList = (records: readonly PriceRecord[]): PriceList =>
  new Map(records.map((record) => [key(record.authority, record.model), record]));

const DEFAULT_CACHE_CLASS = "ephemeral";

/** The tokens that are billed apart from each other. */
export interface BilledTokens {
  readonly fresh: bigint;
  readonly cacheRead: bigint;
  readonly cacheWrite: bigint;
  readonly output: bigint;
}

/** The billed parts of counts, if all of them are known and consistent. */
export const billedTokens = ({ input, output, cacheRead, cacheWrite }: Counts): Option<BilledTokens> => {
  if (!isSome(input) || !isSome(output) || !isSome(cacheRead) || !isSome(cacheWrite)) return none;
  const fresh = input.value - cacheRead.value - cacheWrite.value;
  return fresh < 0n
    ? none
    : some({ fresh, cacheRead: cacheRead.value, cacheWrite: cacheWrite.value, output: output.value });
};

/** No tokens cost nothing at whatever rate, also at one that was never published. */
const part = (tokens: bigint, rate: Option<number>): Option<number> =>
  tokens === 0n ? some(0) : isSome(rate) ? some((Number(tokens) * rate.value) / 1_000_000) : none;

/** US dollars for the tokens of one identity. Linear: the price of a sum is the sum of the prices. */
export const estimateCost = (prices: PriceList, identity: PricingIdentity, tokens: BilledTokens): Option<number> => {
  const record = prices.get(key(identity.authority, identity.model));
  if (record === undefined) return none;
  const rates = record.usdPerMillionTokens;
  const defaultClass = !isSome(identity.cacheClass) || identity.cacheClass.value === DEFAULT_CACHE_CLASS;
  const parts = [
    part(tokens.fresh, rates.input),
    part(tokens.cacheRead, rates.cacheRead),
    part(tokens.cacheWrite, defaultClass ? rates.cacheWrite : none),
    part(tokens.output, rates.output),
  ];
  let sum = 0;
  for (const cost of parts) {
    if (!isSome(cost)) return none;
    sum += cost.value;
  }
  return Number.isFinite(sum) ? some(sum) : none;
};
