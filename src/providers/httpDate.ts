/** Dates of HTTP headers (RFC 9110, 5.6.7) in all three forms, without a clock. */
import { none, type Option, some } from "fp-ts/lib/Option.js";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `Sun, 06 Nov 1994 08:49:37 GMT` and, with a two-digit year, `Sunday, 06-Nov-94 08:49:37 GMT`. */
const DAY_FIRST = /^[a-z]+, (\d{1,2})[ -]([a-z]{3})[ -](\d{4}|\d{2}) (\d{2}):(\d{2}):(\d{2}) gmt$/;
/** `Sun Nov  6 08:49:37 1994`. */
const MONTH_FIRST = /^[a-z]{3} ([a-z]{3}) +(\d{1,2}) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/;

/** Days from 1970-01-01 to the first of a month, in the Gregorian calendar; `month` from 0. */
const daysTo = (year: number, month: number): number => {
  // Years begin in March, so that the leap day is the last one.
  const march = month >= 2 ? year : year - 1;
  const leapDays = Math.floor(march / 4) - Math.floor(march / 100) + Math.floor(march / 400);
  const dayOfYear = Math.floor((153 * ((month + 10) % 12) + 2) / 5);
  return march * 365 + leapDays + dayOfYear - 719_468;
};

/** Milliseconds since 1970, or none if the text is no such date. A two-digit year is the one nearest to `nowMs`. */
export const parseHttpDate = (text: string, nowMs: number): Option<number> => {
  const lower = text.trim().toLowerCase();
  const dayFirst = DAY_FIRST.exec(lower);
  if (dayFirst !== null) {
    const [, day = "", month = "", year = "", hour = "", minute = "", second = ""] = dayFirst;
    return instant(fullYear(year, nowMs), month, day, hour, minute, second);
  }
  const monthFirst = MONTH_FIRST.exec(lower);
  if (monthFirst === null) return none;
  const [, month = "", day = "", hour = "", minute = "", second = "", year = ""] = monthFirst;
  return instant(Number(year), month, day, hour, minute, second);
};

const fullYear = (text: string, nowMs: number): number => {
  const year = Number(text);
  if (text.length === 4) return year;
  const now = 1970 + Math.floor(nowMs / 31_556_952_000);
  return year + Math.round((now - year) / 100) * 100;
};

const instant = (
  year: number,
  monthName: string,
  day: string,
  hour: string,
  minute: string,
  second: string,
): Option<number> => {
  const month = MONTHS.indexOf(monthName);
  const valid = month >= 0 && Number(day) >= 1 && Number(day) <= 31 && Number(hour) < 24 && Number(minute) < 60;
  if (!valid || Number(second) > 60) return none;
  const days = daysTo(year, month) + Number(day) - 1;
  return some((((days * 24 + Number(hour)) * 60 + Number(minute)) * 60 + Number(second)) * 1000);
};
