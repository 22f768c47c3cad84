/** An operator's own prices over the published ones. */
import { readFileSync } from "node:fs";
import { type Either, isLeft, left, right } from "fp-ts/lib/Either.js";
import { priceList, type PriceList } from "../../usage/price.js";
import { readPriceFile } from "../../usage/priceFile.js";
import { publishedRecords } from "./prices.js";

/** Left: one line of what is wrong with the file. */
export const pricesWith = (file: string): Either<string, PriceList> => {
  try {
    const own = readPriceFile(JSON.parse(readFileSync(file, "utf8")));
    return isLeft(own) ? left(`${file}: ${own.left}`) : right(priceList([...publishedRecords(), ...own.right]));
  } catch (fault) {
    return left(`${file}: ${fault instanceof Error ? fault.message : String(fault)}`);
  }
};
