/** The plots of a report that show measures of many sessions, each as SVG markup. */
import type { Sample } from "../../../simulation/sample.js";
import type { Measure, Unit } from "../../../simulation/measures.js";
import { summaryOf } from "../../../simulation/sample.js";
import {
  across,
  bottomAxis,
  domainOf,
  horizontalGrid,
  leftAxis,
  leftTitle,
  middleOf,
  rowName,
  rowsOf,
  upright,
  verticalGrid,
  type Frame,
} from "./axes.js";
import { barsOf } from "./bars.js";
import { box, dot, drawing, line, words } from "./svg.js";

/** What a value is divided by for its axis, and how the axis is called. */
const AXES: Readonly<Record<Unit, { readonly divisor: number; readonly label: string }>> = {
  count: { divisor: 1, label: "" },
  tokens: { divisor: 1000, label: "thousand tokens" },
  microUsd: { divisor: 1e6, label: "US dollars" },
  ms: { divisor: 1000, label: "seconds" },
  permille: { divisor: 10, label: "% of the window" },
};

const axisTitle = ({ title, unit }: Measure): string =>
  AXES[unit].label === "" ? title : `${title}, ${AXES[unit].label}`;

const WIDTH = 420;
const BOTTOM = 36;
const RIGHT = 20;
const TOP = 12;

/** The frame of a plot so tall, with so much room for what stands left of it. */
const frameOf = (height: number, left: number, right = RIGHT, top = TOP): Frame => ({
  left,
  right: WIDTH - right,
  top,
  bottom: height - BOTTOM,
});

const ACCENT = { stroke: "var(--accent)" } as const;
const ZERO = { stroke: "currentColor", "stroke-opacity": 0.5 } as const;

export const histogram = (measure: Measure, sample: Sample): string => {
  const { divisor } = AXES[measure.unit];
  const bars = barsOf(sample).map(({ from, to, share }) => ({
    from: from / divisor,
    to: to / divisor,
    percent: 100 * share,
  }));
  const mean = summaryOf(sample).mean / divisor;
  const height = 190;
  const frame = frameOf(height, 44, RIGHT, 24);
  const x = across(frame, domainOf([mean, ...bars.flatMap(({ from, to }) => [from, to])]));
  const y = upright(frame, domainOf([0, ...bars.map(({ percent }) => percent)]));
  return drawing(
    WIDTH,
    height,
    horizontalGrid(frame, y),
    ...bars.map(({ from, to, percent }) =>
      box(x.at(from) + 0.5, y.at(0), Math.max(x.at(from) + 1, x.at(to) - 0.5), y.at(percent), {
        fill: "var(--accent)",
      }),
    ),
    line(frame.left, frame.bottom, frame.right, frame.bottom, { stroke: "currentColor" }),
    line(x.at(mean), frame.top, x.at(mean), frame.bottom, {
      stroke: "var(--mark)",
      "stroke-width": 1.5,
      "stroke-dasharray": "4 3",
    }),
    bottomAxis(frame, x, axisTitle(measure)),
    leftAxis(frame, y),
    leftTitle(frame, "% of sessions"),
  );
};

const nameWidth = (names: readonly string[]): number =>
  16 + Math.min(240, 6.2 * Math.max(0, ...names.map((name) => name.length)));

const ROW = 26;

/** One row for each variant: 90 % of the sessions as a line, half of them as a bar, the median as a tick. */
export const ranges = (measure: Measure, names: readonly string[], samples: readonly Sample[]): string => {
  const { divisor } = AXES[measure.unit];
  const height = TOP + BOTTOM + ROW * samples.length;
  const frame = frameOf(height, nameWidth(names));
  const summaries = samples.map(summaryOf);
  const x = across(frame, domainOf([0, ...summaries.flatMap(({ p5, p95 }) => [p5 / divisor, p95 / divisor])]));
  const rows = rowsOf(frame, samples.length, 8).map((row, index) => {
    const { p5 = 0, p25 = 0, p50 = 0, p75 = 0, p95 = 0 } = summaries[index] ?? {};
    const at = (value: number): number => x.at(value / divisor);
    const middle = middleOf(row);
    return [
      rowName(row, names[index] ?? ""),
      line(at(p5), middle, at(p95), middle, ACCENT),
      box(at(p25), row.top, at(p75), row.bottom, { fill: "var(--accent)", "fill-opacity": 0.55 }),
      line(at(p50), row.top, at(p50), row.bottom, { stroke: "var(--mark)", "stroke-width": 2 }),
    ].join("");
  });
  return drawing(WIDTH, height, verticalGrid(frame, x), ...rows, bottomAxis(frame, x, axisTitle(measure)));
};

export interface Difference {
  readonly name: string;
  readonly mean: number;
  readonly halfWidth95: number;
}

/** Mean difference to the first variant with its 95 % interval. */
export const differences = (measure: Measure, list: readonly Difference[]): string => {
  const { divisor } = AXES[measure.unit];
  const height = TOP + BOTTOM + ROW * list.length;
  const frame = frameOf(height, nameWidth(list.map(({ name }) => name)));
  const ends = list.map(({ mean, halfWidth95 }) => [(mean - halfWidth95) / divisor, (mean + halfWidth95) / divisor]);
  const x = across(frame, domainOf([0, ...ends.flat()]));
  const rows = rowsOf(frame, list.length, 8).map((row, index) => {
    const { name = "", mean = 0 } = list[index] ?? {};
    const [low = 0, high = 0] = ends[index] ?? [];
    const middle = middleOf(row);
    return [
      rowName(row, name),
      line(x.at(low), middle, x.at(high), middle, { ...ACCENT, "stroke-width": 2 }),
      dot(x.at(mean / divisor), middle, 4, "var(--accent)"),
    ].join("");
  });
  return drawing(
    WIDTH,
    height,
    verticalGrid(frame, x),
    line(x.at(0), frame.top, x.at(0), frame.bottom, ZERO),
    ...rows,
    bottomAxis(frame, x, `${axisTitle(measure)}, difference`),
  );
};

export interface Share {
  readonly variant: string;
  readonly kind: string;
  readonly percent: number;
}

const percentText = (percent: number): string =>
  `${percent >= 10 ? percent.toFixed(0) : String(Number(percent.toPrecision(2)))}%`;

const SHARE_ROW = 20;
const VARIANT_GAP = 14;

/** Bars by kind, a block of them for each variant. */
export const shares = (title: string, list: readonly Share[], names: readonly string[]): string => {
  const kinds = [...new Set(list.map(({ kind }) => kind))];
  const height = TOP + BOTTOM + names.length * (SHARE_ROW * kinds.length + VARIANT_GAP);
  const right = names.length > 1 ? nameWidth(names) + 24 : 44;
  const frame = frameOf(height, nameWidth(kinds), right);
  const x = across(frame, domainOf([0, 1, ...list.map(({ percent }) => percent)]));
  const block = (within: Frame, variant: string): string =>
    rowsOf(within, kinds.length, 4)
      .map((row, index) => {
        const kind = kinds[index] ?? "";
        const share = list.find((each) => each.variant === variant && each.kind === kind);
        if (share === undefined) return rowName(row, kind);
        const end = x.at(share.percent);
        const bar = box(frame.left, row.top, end, row.bottom, { fill: "var(--accent)" });
        return rowName(row, kind) + bar + words(percentText(share.percent), end + 4, middleOf(row));
      })
      .join("");
  const blocks = rowsOf(frame, names.length, VARIANT_GAP).map((within, index) => {
    const name = names[index] ?? "";
    const side = names.length > 1 ? words(name, WIDTH - 2, middleOf(within), { "text-anchor": "end" }) : "";
    return block(within, name) + side;
  });
  return drawing(
    WIDTH,
    height,
    verticalGrid(frame, x),
    ...blocks,
    line(frame.left, frame.top, frame.left, frame.bottom, { stroke: "currentColor" }),
    bottomAxis(frame, x, title),
  );
};
