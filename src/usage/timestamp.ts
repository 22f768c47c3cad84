/** RFC 3339 to seconds, by arithmetic alone: what a record says must not depend on the machine that reads it. */
import { none, some, type Option } from "fp-ts/lib/Option.js";

const FORM = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const daysInMonth = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0);

/** Days from 1970-01-01, counted in years that begin in March, so that the leap day is the last of its year. */
const daysSinceEpoch = (year: number, month: number, day: number): number => {
  const marchYear = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + dayOfYear - 719_468;
};

/** Whole seconds since 1970-01-01T00:00:00Z, or None if the text is no such instant. A leap second counts as the one after it. */
export const rfc3339Seconds = (text: string): Option<number> => {
  const found = FORM.exec(text);
  if (found === null) return none;
  const at = (group: number): number => Number(found[group] ?? 0);
  const [year, month, day, hour, minute, second] = [at(1), at(2), at(3), at(4), at(5), at(6)];
  const [offsetHours, offsetMinutes] = [at(8), at(9)];
  const fits =
    day >= 1 &&
    day <= daysInMonth(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 60 &&
    offsetHours <= 23 &&
    offsetMinutes <= 59;
  if (!fits) return none;
  const offset = (offsetHours * 60 + offsetMinutes) * 60 * (found[7] === "-" ? -1 : 1);
  return some(daysSinceEpoch(year, month, day) * 86_400 + (hour * 60 + minute) * 60 + second - offset);
};
