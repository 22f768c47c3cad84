/** The published price list, which is part of the program, and own ones over it. */
import { readFileSync } from "node:fs";
import { type Either, isLeft, left, right } from "fp-ts/lib/Either.js";
import { priceList, type PriceList, type PriceRecord } from "../../usage/price.js";
import { readPriceFile } from "../../usage/priceFile.js";
import published from "../../usage/prices.json" with { type: "json" };

const publishedRecords = (): readonly PriceRecord[] => {
  const records = readPriceFile(published);
  if (isLeft(records)) throw new Error(records.left);
  return records.right;
};

export const publishedPrices = (): PriceList => priceList(publishedRecords());

/** The published prices with those of a file over them. Left: one line of what is wrong with the file. */
export const pricesWith = (file: string): Either<string, PriceList> => {
  try {
    const own = readPriceFile(JSON.parse(readFileSync(file, "utf8")));
    return isLeft(own) ? left(`${file}: ${own.left}`) : right(priceList([...publishedRecords(), ...own.right]));
  } catch (fault) {
    return left(`${file}: ${fault instanceof Error ? fault.message : String(fault)}`);
  }
};
