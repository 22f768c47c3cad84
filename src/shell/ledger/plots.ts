/** Plots as SVG, drawn here so that the page needs nothing else: no script, no font, no network. */
export interface Segment {
  /** Index of the series, which is its colour. */
  readonly series: number;
  readonly value: number;
  readonly label: string;
}

export interface Bar {
  readonly name: string;
  readonly segments: readonly Segment[];
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const WIDTH = 960;
const HEIGHT = 260;
const LEFT = 64;
const BOTTOM = 28;
const TOP = 12;
const RIGHT = 36;
const COLUMN_MAX = 64;

const short = (value: number): string => {
  const [unit, divisor] = (
    [
      ["G", 1e9],
      ["M", 1e6],
      ["k", 1e3],
    ] as const
  ).find(([, size]) => value >= size) ?? ["", 1];
  return `${Number((value / divisor).toPrecision(3))}${unit}`;
};

/** The next number of which a quarter is round. */
const ceiling = (value: number): number => {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8, 10].find((step) => step * power >= value) ?? 10) * power;
};

const sum = (bar: Bar): number => bar.segments.reduce((total, { value }) => total + value, 0);

const LABELS_MAX = 12;

/** Stacked columns, from left to right as they come. */
export const columnPlot = (bars: readonly Bar[]): string => {
  const top = ceiling(Math.max(0, ...bars.map(sum)));
  const [width, height] = [WIDTH - LEFT - RIGHT, HEIGHT - BOTTOM - TOP];
  const step = width / Math.max(1, bars.length);
  const y = (value: number): number => TOP + height - (value / top) * height;
  const grid = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const at = y(part * top).toFixed(1);
    return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/><text x="${LEFT - 8}" y="${at}" dy="4" class="right">${short(part * top)}</text>`;
  });
  const columns = bars.map((bar, index) => {
    const size = Math.min(COLUMN_MAX, step * 0.8);
    const x = (LEFT + (index + 0.5) * step - size / 2).toFixed(1);
    let below = 0;
    const parts = bar.segments.map(({ series, value, label }) => {
      below += value;
      const tall = ((value / top) * height).toFixed(1);
      return `<rect class="s${series}" x="${x}" y="${y(below).toFixed(1)}" width="${size.toFixed(1)}" height="${tall}"><title>${escapeHtml(label)}</title></rect>`;
    });
    const every = Math.ceil(bars.length / LABELS_MAX);
    const name =
      index % every === 0
        ? `<text x="${(LEFT + (index + 0.5) * step).toFixed(1)}" y="${HEIGHT - 8}" class="middle">${escapeHtml(bar.name)}</text>`
        : "";
    return parts.join("") + name;
  });
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"><g class="grid">${grid.join("")}</g>${columns.join("")}</svg>`;
};

const ROW = 30;
const NAME = 260;

/** One row for each bar, its label behind it. */
export const rowPlot = (bars: readonly Bar[]): string => {
  const top = Math.max(Number.MIN_VALUE, ...bars.map(sum));
  const room = WIDTH - NAME - 120;
  const rows = bars.map((bar, index) => {
    const [segment] = bar.segments;
    const at = index * ROW;
    const size = ((sum(bar) / top) * room).toFixed(1);
    const end = (NAME + 6 + (sum(bar) / top) * room).toFixed(1);
    return `<text x="${NAME - 8}" y="${at + 20}" class="right">${escapeHtml(bar.name)}</text><rect class="s${segment?.series ?? 0}" x="${NAME}" y="${at + 6}" width="${size}" height="${ROW - 12}"/><text x="${end}" y="${at + 20}">${escapeHtml(segment?.label ?? "")}</text>`;
  });
  return `<svg viewBox="0 0 ${WIDTH} ${bars.length * ROW}" role="img">${rows.join("")}</svg>`;
};
