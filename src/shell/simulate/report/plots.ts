/**
 * The plots of a report, each as SVG markup. The library that draws them is large and no CommonJS, so it is not part of the program:
 * it is loaded from where it was installed when a report is drawn.
 */
import type * as Library from "@observablehq/plot";
import type { Sample } from "../../../simulation/sample.js";
import type { Measure, Unit } from "../../../simulation/measures.js";
import { summaryOf } from "../../../simulation/sample.js";
import { barsOf } from "./bars.js";
import { isElement, markup, miniDocument } from "./dom.js";
import type { Mark, Reading, Traces } from "./trace.js";

const WIDTH = 860;
const HALF = 420;

export interface Difference {
  readonly name: string;
  readonly mean: number;
  readonly halfWidth95: number;
}

export interface Share {
  readonly variant: string;
  readonly kind: string;
  readonly percent: number;
}

/** Colours that differ for every kind of sight; the first is the accent. */
export const COLOURS: readonly string[] = ["#0072b2", "#e69f00", "#009e73", "#cc79a7"];

/** The plots, drawn by that library. */
export const plotsWith = (Plot: typeof Library) => {
  const draw = (options: Library.PlotOptions): string => {
    // What the library is given is no browser's document, but has all that it uses of one.
    const drawn: unknown = Plot.plot(Object.assign({ document: miniDocument(), marginBottom: 36 }, options));
    if (!isElement(drawn)) throw new Error("the plotting library has drawn into another document");
    return markup(drawn);
  };

  /** What a value is divided by for its axis, and how the axis is called. */
  const AXES: Readonly<Record<Unit, { readonly divisor: number; readonly label: string }>> = {
    count: { divisor: 1, label: "" },
    tokens: { divisor: 1000, label: "thousand tokens" },
    microUsd: { divisor: 1e6, label: "US dollars" },
    ms: { divisor: 1000, label: "seconds" },
    permille: { divisor: 10, label: "% of the window" },
  };

  const axisLabel = ({ title, unit }: Measure): string =>
    AXES[unit].label === "" ? title : `${title}, ${AXES[unit].label}`;

  const histogram = (measure: Measure, sample: Sample): string => {
    const { divisor } = AXES[measure.unit];
    const bars = barsOf(sample).map(({ from, to, share }) => ({
      from: from / divisor,
      to: to / divisor,
      share: 100 * share,
    }));
    const mean = summaryOf(sample).mean / divisor;
    return draw({
      width: HALF,
      height: 190,
      marginLeft: 44,
      x: { label: axisLabel(measure), nice: false },
      y: { label: "% of sessions", grid: true },
      marks: [
        Plot.rectY(bars, { x1: "from", x2: "to", y: "share", fill: "var(--accent)", insetLeft: 0.5, insetRight: 0.5 }),
        Plot.ruleY([0]),
        Plot.ruleX([mean], { stroke: "var(--mark)", strokeWidth: 1.5, strokeDasharray: "4 3" }),
      ],
    });
  };

  /** One row for each variant: 90 % of the sessions as a line, half of them as a bar, the median as a tick. */
  const ranges = (measure: Measure, names: readonly string[], samples: readonly Sample[]): string => {
    const { divisor } = AXES[measure.unit];
    const rows = samples.map((sample, index) => {
      const { p5, p25, p50, p75, p95 } = summaryOf(sample);
      return {
        name: names[index] ?? "",
        p5: p5 / divisor,
        p25: p25 / divisor,
        p50: p50 / divisor,
        p75: p75 / divisor,
        p95: p95 / divisor,
      };
    });
    return draw({
      width: HALF,
      height: 54 + 26 * rows.length,
      marginLeft: labelWidth(names),
      x: { label: axisLabel(measure), grid: true, zero: true },
      y: { label: null, domain: [...names] },
      marks: [
        Plot.ruleY(rows, { y: "name", x1: "p5", x2: "p95", stroke: "var(--accent)" }),
        Plot.barX(rows, {
          y: "name",
          x1: "p25",
          x2: "p75",
          fill: "var(--accent)",
          fillOpacity: 0.55,
          insetTop: 3,
          insetBottom: 3,
        }),
        Plot.tickX(rows, { y: "name", x: "p50", stroke: "var(--mark)", strokeWidth: 2 }),
      ],
    });
  };

  const labelWidth = (names: readonly string[]): number =>
    16 + Math.min(240, 6.2 * Math.max(0, ...names.map((name) => name.length)));

  /** Mean difference to the first variant with its 95 % interval. */
  const differences = (measure: Measure, rows: readonly Difference[]): string => {
    const { divisor } = AXES[measure.unit];
    const points = rows.map(({ name, mean, halfWidth95 }) => ({
      name,
      mean: mean / divisor,
      low: (mean - halfWidth95) / divisor,
      high: (mean + halfWidth95) / divisor,
    }));
    const names = rows.map(({ name }) => name);
    return draw({
      width: HALF,
      height: 54 + 26 * rows.length,
      marginLeft: labelWidth(names),
      x: { label: `${axisLabel(measure)}, difference`, grid: true, nice: true },
      y: { label: null, domain: names },
      marks: [
        Plot.ruleX([0], { stroke: "currentColor", strokeOpacity: 0.5 }),
        Plot.ruleY(points, { y: "name", x1: "low", x2: "high", stroke: "var(--accent)", strokeWidth: 2 }),
        Plot.dot(points, { y: "name", x: "mean", fill: "var(--accent)", r: 4 }),
      ],
    });
  };

  /** Bars by kind, a row of them for each variant. */
  const shares = (label: string, rows: readonly Share[], names: readonly string[]): string => {
    const kinds = [...new Set(rows.map(({ kind }) => kind))];
    const several = names.length > 1;
    return draw({
      width: HALF,
      height: 48 + names.length * (20 * kinds.length + 14),
      marginLeft: labelWidth(kinds),
      marginRight: several ? labelWidth(names) : 44,
      x: { label, grid: true, domain: [0, Math.max(1, ...rows.map(({ percent }) => percent))] },
      y: { label: null, domain: kinds },
      fy: { label: null, domain: [...names], axis: several ? "right" : null },
      marks: [
        Plot.barX(rows, { fy: "variant", y: "kind", x: "percent", fill: "var(--accent)", insetTop: 2, insetBottom: 2 }),
        Plot.text(rows, {
          fy: "variant",
          y: "kind",
          x: "percent",
          text: ({ percent }: Share) => `${percent >= 10 ? percent.toFixed(0) : percent.toPrecision(2)}%`,
          textAnchor: "start",
          dx: 4,
          fill: "currentColor",
        }),
        Plot.ruleX([0]),
      ],
    });
  };

  const MARK_COLOURS = { handoff: "var(--mark)", "failed handoff": "#d62728", truncation: "#9467bd" } as const;

  /** How full the window was over time, one row for each session; variants of a session share a row. */
  const contextOverTime = ({ readings, marks }: Traces, sessions: number, names: readonly string[]): string => {
    const isShown = ({ session }: Reading | Mark): boolean => session < sessions;
    const ordinary = marks.filter(isShown);
    const happened = ordinary.filter(({ kind }) => kind !== "prompt");
    const top = names.length > 1 ? 34 : 12;
    return draw({
      width: WIDTH,
      height: top + 42 + 92 * sessions,
      marginLeft: 44,
      marginRight: 76,
      x: { label: "minutes of virtual time" },
      y: { label: "% of the window", domain: [0, 100], ticks: [50, 100], grid: true },
      fy: { label: null, tickFormat: (session: number) => `session ${session}` },
      color: { domain: [...names], range: COLOURS.slice(0, names.length) },
      marks: [
        Plot.ruleX(
          ordinary.filter(({ kind }) => kind === "prompt"),
          {
            fy: "session",
            x: "minutes",
            stroke: "currentColor",
            strokeOpacity: 0.15,
          },
        ),
        Plot.ruleX(happened, {
          fy: "session",
          x: "minutes",
          stroke: ({ kind }: Mark) => (kind === "prompt" ? "none" : MARK_COLOURS[kind]),
          strokeDasharray: "2 2",
        }),
        Plot.line(readings.filter(isShown), {
          fy: "session",
          x: "minutes",
          y: "percent",
          z: "variant",
          stroke: "variant",
          strokeWidth: 1.6,
          curve: "step-after",
        }),
        Plot.dot(readings.filter(isShown), { fy: "session", x: "minutes", y: "percent", fill: "variant", r: 1.6 }),
      ],
    });
  };

  const quantile = (sorted: readonly number[], share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;

  /** Fewer sessions than this at a reply say nothing about the rest. */
  const BAND_SESSIONS_MIN = 5;

  /** Median and the middle eighty per cent of all sessions, reply by reply. */
  const contextByReply = ({ readings }: Traces, names: readonly string[]): string => {
    const byPlace = new Map<string, { variant: string; reply: number; values: number[] }>();
    for (const { variant, reply, percent } of readings) {
      const key = `${reply} ${variant}`;
      const place = byPlace.get(key) ?? { variant, reply, values: [] };
      place.values.push(percent);
      byPlace.set(key, place);
    }
    const rows = [...byPlace.values()]
      .filter(({ values }) => values.length >= BAND_SESSIONS_MIN)
      .map(({ variant, reply, values }) => {
        const sorted = values.toSorted((a, b) => a - b);
        return {
          variant,
          reply,
          low: quantile(sorted, 0.1),
          middle: quantile(sorted, 0.5),
          high: quantile(sorted, 0.9),
        };
      });
    return draw({
      width: WIDTH,
      height: 240,
      marginLeft: 44,
      x: { label: "replies so far in the session" },
      y: { label: "% of the window", domain: [0, 100], grid: true },
      color: { domain: [...names], range: COLOURS.slice(0, names.length) },
      marks: [
        Plot.areaY(rows, { x: "reply", y1: "low", y2: "high", z: "variant", fill: "variant", fillOpacity: 0.18 }),
        Plot.lineY(rows, { x: "reply", y: "middle", z: "variant", stroke: "variant", strokeWidth: 2 }),
      ],
    });
  };

  return { histogram, ranges, differences, shares, contextOverTime, contextByReply };
};

export type Plots = ReturnType<typeof plotsWith>;
