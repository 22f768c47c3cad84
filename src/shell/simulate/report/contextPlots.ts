/** The plots of a report that show how full the window was, each as SVG markup. */
import {
  across,
  bottomAxis,
  domainOf,
  GRID,
  horizontalGrid,
  leftAxis,
  leftTitle,
  middleOf,
  rowsOf,
  upright,
  verticalGrid,
  type Frame,
  type Scale,
} from "./axes.js";
import { dot, drawing, line, path, words, type Point } from "./svg.js";
import type { Mark, Reading, Traces } from "./trace.js";

/** Colours that differ for every kind of sight; the first is the accent. */
export const COLOURS: readonly string[] = ["#0072b2", "#e69f00", "#009e73", "#cc79a7"];

const colourOf = (names: readonly string[], variant: string): string =>
  COLOURS[names.indexOf(variant)] ?? "currentColor";

const WIDTH = 860;
const LEFT = 44;
const BOTTOM = 36;
const TOP = 26;
const WHOLE_WINDOW = [0, 100] as const;

const MARKS: Readonly<Record<Mark["kind"], Readonly<Record<string, string | number>>>> = {
  prompt: { stroke: "currentColor", "stroke-opacity": 0.15 },
  handoff: { stroke: "var(--mark)", "stroke-dasharray": "2 2" },
  "failed handoff": { stroke: "#d62728", "stroke-dasharray": "2 2" },
  truncation: { stroke: "#9467bd", "stroke-dasharray": "2 2" },
};

/** A reading holds until the next one. */
const steps = (points: readonly Point[]): readonly Point[] =>
  points.flatMap(([x, y], index) => {
    const before = points[index - 1];
    return before === undefined ? [[x, y] as const] : [[x, before[1]] as const, [x, y] as const];
  });

const SESSION_ROW = 92;
const SESSION_GAP = 9;

/** How full the window was over time, one row for each session; variants of a session share a row. */
export const contextOverTime = ({ readings, marks }: Traces, sessions: number, names: readonly string[]): string => {
  const height = TOP + BOTTOM + SESSION_ROW * sessions;
  const frame: Frame = { left: LEFT, right: WIDTH - 76, top: TOP, bottom: height - BOTTOM };
  const shown = [...readings, ...marks].filter(({ session }) => session < sessions);
  const x = across(frame, domainOf([0, ...shown.map(({ minutes }) => minutes)]));
  const rows = rowsOf(frame, sessions, SESSION_GAP).map((row, session) => {
    const y: Scale = { ...upright(row, WHOLE_WINDOW), ticks: [50, 100] };
    const ofSession = <A extends Reading | Mark>(list: readonly A[]): readonly A[] =>
      list.filter((each) => each.session === session);
    const lines = names.map((name) => {
      const own = ofSession(readings).filter(({ variant }) => variant === name);
      const points = own.map(({ minutes, percent }): Point => [x.at(minutes), y.at(percent)]);
      const stroke = colourOf(names, name);
      if (points.length === 0) return "";
      const dots = points.map(([cx, cy]) => dot(cx, cy, 1.6, stroke));
      return path(steps(points), { fill: "none", stroke, "stroke-width": 1.6 }) + dots.join("");
    });
    return [
      horizontalGrid(row, y),
      line(row.left, row.bottom, row.right, row.bottom, GRID),
      ...ofSession(marks).map(({ kind, minutes }) =>
        line(x.at(minutes), row.top, x.at(minutes), row.bottom, MARKS[kind]),
      ),
      ...lines,
      leftAxis(row, y),
      words(`session ${session}`, row.right + 8, middleOf(row)),
    ].join("");
  });
  const title = leftTitle(frame, "% of the window");
  return drawing(WIDTH, height, ...rows, title, bottomAxis(frame, x, "minutes of virtual time"));
};

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;

/** Fewer sessions than this at a reply say nothing about the rest. */
const BAND_SESSIONS_MIN = 5;

interface Band {
  readonly reply: number;
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

/** Reply by reply, where enough sessions have come so far. */
const bandsOf = (readings: readonly Reading[], variant: string): readonly Band[] => {
  const byReply = new Map<number, number[]>();
  for (const each of readings) {
    if (each.variant !== variant) continue;
    const values = byReply.get(each.reply) ?? [];
    values.push(each.percent);
    byReply.set(each.reply, values);
  }
  return [...byReply]
    .filter(([, values]) => values.length >= BAND_SESSIONS_MIN)
    .toSorted(([a], [b]) => a - b)
    .map(([reply, values]) => {
      const sorted = values.toSorted((a, b) => a - b);
      return { reply, low: quantile(sorted, 0.1), middle: quantile(sorted, 0.5), high: quantile(sorted, 0.9) };
    });
};

/** Median and the middle eighty per cent of all sessions, reply by reply. */
export const contextByReply = ({ readings }: Traces, names: readonly string[]): string => {
  const height = 240;
  const frame: Frame = { left: LEFT, right: WIDTH - 20, top: TOP, bottom: height - BOTTOM };
  const bands = names.map((name) => ({ colour: colourOf(names, name), list: bandsOf(readings, name) }));
  const x = across(frame, domainOf(bands.flatMap(({ list }) => list.map(({ reply }) => reply))));
  const y = upright(frame, WHOLE_WINDOW);
  const drawn = bands
    .filter(({ list }) => list.length > 0)
    .map(({ colour, list }) => {
      const edge = (side: "low" | "middle" | "high"): readonly Point[] =>
        list.map((band) => [x.at(band.reply), y.at(band[side])]);
      const area = path([...edge("high"), ...edge("low").toReversed()], { fill: colour, "fill-opacity": 0.18 });
      return area + path(edge("middle"), { fill: "none", stroke: colour, "stroke-width": 2 });
    });
  return drawing(
    WIDTH,
    height,
    verticalGrid(frame, x),
    horizontalGrid(frame, y),
    ...drawn,
    bottomAxis(frame, x, "replies so far in the session"),
    leftAxis(frame, y),
    leftTitle(frame, "% of the window"),
  );
};
