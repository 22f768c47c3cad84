/** The price list as a file: JSON with `prices.schema.json` as its schema. */
import { isLeft, left, right, type Either } from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import { priceRecord, type PriceRecord } from "./price.js";

const rate = t.union([
  t.null,
  new t.Type<number>(
    "a rate of 0 or more",
    (value): value is number => typeof value === "number",
    (value, context) =>
      typeof value === "number" && Number.isFinite(value) && value >= 0 ? t.success(value) : t.failure(value, context),
    t.identity,
  ),
]);

const record = t.strict({
  authority: t.string,
  model: t.string,
  usdPerMillionTokens: t.strict({ input: rate, output: rate, cacheRead: rate, cacheWrite: rate }),
  source: t.string,
  retrieved: t.string,
});

const file = t.strict({ records: t.array(record) });

/** Reads parsed JSON. Left: one line that names the place of the first fault. */
export const readPriceFile = (json: unknown): Either<string, readonly PriceRecord[]> => {
  const decoded = file.decode(json);
  if (isLeft(decoded)) {
    const place = decoded.left[0]?.context.map(({ key }) => key).filter((key) => key !== "");
    return left(
      `no price list: see ${place === undefined || place.length === 0 ? "its outermost object" : place.join(".")}`,
    );
  }
  return right(decoded.right.records.map(priceRecord));
};
