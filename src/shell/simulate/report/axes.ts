/** Where values stand in a plot, and what is written beside it to tell. */
import { line, words } from "./svg.js";

/** The rectangle that values are drawn in; pixels from the upper left corner of the drawing. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Scale {
  /** The pixel of a value. */
  readonly at: (value: number) => number;
  /** Round values inside of the domain, from low to high. */
  readonly ticks: readonly number[];
}

export type Domain = readonly [low: number, high: number];

/** The step of 1, 2 or 5 times a power of ten that cuts the domain into about `parts`. */
const roundStep = ([low, high]: Domain, parts: number): number => {
  const rough = (high - low) / parts;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((step) => step * power >= rough * 0.8) ?? 10);
};

const ticksOf = (domain: Domain, parts: number): readonly number[] => {
  const [low, high] = domain;
  if (!(high > low)) return [low];
  const step = roundStep(domain, parts);
  const first = Math.ceil(low / step);
  // A few units in the last place: 0.3 is not reached by three steps of 0.1.
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
};

/** Room of one tick, so that labels do not touch. */
const TICK_PIXELS = { across: 70, upright: 36 } as const;

/** `from` and `to`: the pixels of the ends of the domain. In a domain of one value all stands at `from`. */
const scale = (domain: Domain, from: number, to: number, tickPixels: number): Scale => {
  const [low, high] = domain;
  const factor = high > low ? (to - from) / (high - low) : 0;
  return {
    at: (value) => from + (value - low) * factor,
    ticks: ticksOf(domain, Math.max(1, Math.abs(to - from) / tickPixels)),
  };
};

export const across = ({ left, right }: Frame, domain: Domain): Scale => scale(domain, left, right, TICK_PIXELS.across);
export const upright = ({ top, bottom }: Frame, domain: Domain): Scale =>
  scale(domain, bottom, top, TICK_PIXELS.upright);

/** The smallest domain that holds all values. */
export const domainOf = (values: readonly number[]): Domain =>
  values.length === 0 ? [0, 0] : [Math.min(...values), Math.max(...values)];

export const GRID = { stroke: "currentColor", "stroke-opacity": 0.12 } as const;
const MARK = { stroke: "currentColor" } as const;
const MARK_PIXELS = 6;

const tickText = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 6 });

export const verticalGrid = ({ top, bottom }: Frame, { at, ticks }: Scale): string =>
  ticks.map((tick) => line(at(tick), top, at(tick), bottom, GRID)).join("");
export const horizontalGrid = ({ left, right }: Frame, { at, ticks }: Scale): string =>
  ticks.map((tick) => line(left, at(tick), right, at(tick), GRID)).join("");

export const bottomAxis = ({ right, bottom }: Frame, { at, ticks }: Scale, title: string): string =>
  [
    ...ticks.flatMap((tick) => [
      line(at(tick), bottom, at(tick), bottom + MARK_PIXELS, MARK),
      words(tickText(tick), at(tick), bottom + 14, { "text-anchor": "middle" }),
    ]),
    words(`${title} →`, right, bottom + 29, { "text-anchor": "end" }),
  ].join("");

export const leftAxis = ({ left }: Frame, { at, ticks }: Scale): string =>
  ticks
    .flatMap((tick) => [
      line(left - MARK_PIXELS, at(tick), left, at(tick), MARK),
      words(tickText(tick), left - 9, at(tick), { "text-anchor": "end" }),
    ])
    .join("");

/** What the upright axis counts, over its upper end. */
export const leftTitle = ({ top }: Frame, title: string): string => words(`↑ ${title}`, 2, top - 12);

/** Equal rows from top to bottom, with room between them: the part of the frame that is the row's. */
export const rowsOf = (frame: Frame, count: number, gap: number): readonly Frame[] => {
  const tall = (frame.bottom - frame.top) / Math.max(1, count);
  return Array.from({ length: count }, (_, index) => ({
    ...frame,
    top: frame.top + index * tall + gap / 2,
    bottom: frame.top + (index + 1) * tall - gap / 2,
  }));
};

export const middleOf = ({ top, bottom }: Frame): number => (top + bottom) / 2;

/** A row's name to the left of it. */
export const rowName = (row: Frame, name: string): string =>
  words(name, row.left - 9, middleOf(row), { "text-anchor": "end" });
