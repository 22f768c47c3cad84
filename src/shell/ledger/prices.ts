/**
 * The published price list, which is part of the program. It is not judged at run time: the compiler knows its shape, and a
 * test holds it against the codec of price files.
 */
import { priceList, priceRecord, type PriceList, type PriceRecord } from "../../usage/price.js";
import published from "../../usage/prices.json" with { type: "json" };

export const publishedRecords = (): readonly PriceRecord[] => published.records.map(priceRecord);

export const publishedPrices = (): PriceList => priceList(publishedRecords());
