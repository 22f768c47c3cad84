/** `turnfold usage report`: what the ledger knows, summed up. */
import { existsSync } from "node:fs";
import { type Either, isLeft, left, right } from "fp-ts/lib/Either.js";
import { isNone } from "fp-ts/lib/Option.js";
import { rfc3339Seconds } from "../../usage/timestamp.js";
import { deliver, withLedger } from "../ledger/ledger.js";
import { htmlReport } from "../ledger/page.js";
import { pricesWith } from "../ledger/ownPrices.js";
import { publishedPrices } from "../ledger/prices.js";
import { countInvalid, readParts } from "../ledger/query.js";
import { GROUPINGS, reportRows, totalOf, type Grouping, type Report } from "../ledger/report.js";
import { csvReport, jsonReport, tableReport } from "../ledger/textForms.js";
import { badUse, ledgerFile, readOptions, type UsageCall } from "./usage.js";

const OPTIONS = {
  by: { type: "string", default: "model" },
  since: { type: "string" },
  json: { type: "boolean", default: false },
  csv: { type: "boolean", default: false },
  html: { type: "boolean", default: false },
  prices: { type: "string" },
  ledger: { type: "string" },
} as const;

/** Midnight here, `days` before today. */
const midnight = (now: Date, days: number): number =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).getTime() / 1000;

/** `7d` is today and the six days before; a date is its midnight here. In seconds since 1970. */
export const readSince = (text: string, now: Date): Either<string, number> => {
  const days = /^(\d{1,5})d$/.exec(text);
  if (days !== null) return right(midnight(now, Math.max(0, Number(days[1]) - 1)));
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (date !== null && !isNone(rfc3339Seconds(`${text}T00:00:00Z`)))
    return right(new Date(Number(date[1]), Number(date[2]) - 1, Number(date[3])).getTime() / 1000);
  const instant = rfc3339Seconds(text);
  return isNone(instant)
    ? left(`--since takes a date, an RFC 3339 time or a number of days (7d), not ${text}`)
    : right(instant.value);
};

const groupingOf = (text: string): Grouping | undefined => GROUPINGS.find((grouping) => grouping === text);

export const runReport = async ({ argv, cli }: UsageCall): Promise<number> => {
  const options = readOptions(argv, OPTIONS);
  if (isLeft(options)) return badUse(cli, options.left);
  const { by: asked, since: sinceText, json, csv, html, prices: pricesFile, ledger } = options.right;
  const by = groupingOf(asked);
  if (by === undefined) return badUse(cli, `--by takes ${GROUPINGS.join(", ")}`);
  if ([json, csv, html].filter(Boolean).length > 1) return badUse(cli, "one of --json, --csv and --html");
  const since = sinceText === undefined ? right(undefined) : readSince(sinceText, new Date());
  if (isLeft(since)) return badUse(cli, since.left);
  const prices = pricesFile === undefined ? right(publishedPrices()) : pricesWith(pricesFile);
  if (isLeft(prices)) return badUse(cli, prices.left);
  const file = ledgerFile(ledger);
  const delivered = await deliver(file);
  // What is stored already is worth showing all the same.
  if (isLeft(delivered)) cli.err(`turnfold usage: ${delivered.left}`);
  if (!existsSync(file)) {
    if (!isLeft(delivered)) cli.err(`turnfold usage: nothing has been recorded yet; there is no ledger at ${file}`);
    return 1;
  }
  const read = withLedger(file, (database) => ({
    parts: readParts(database, prices.right, { since: since.right, byDay: html || by === "day" }),
    invalid: countInvalid(database, since.right),
  }));
  if (isLeft(read)) {
    cli.err(`turnfold usage: ${read.left}`);
    return 1;
  }
  const { parts, invalid } = read.right;
  const rows = reportRows(parts, by);
  const report: Report = { by, since: sinceText, rows, total: totalOf(rows), invalid };
  if (json) cli.out(jsonReport(report));
  else if (csv) cli.out(csvReport(report));
  else if (html) cli.out(htmlReport(report, parts));
  else tableReport(report).forEach(cli.out);
  return 0;
};
