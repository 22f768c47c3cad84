/** SVG as text: the drawing is written once and never touched, so nothing has to stand for its elements in between. */

/** Numbers are pixels. */
export type Attributes = Readonly<Record<string, string | number>>;

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text as it may stand between tags and in quoted attributes. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? "");

/** A hundredth of a pixel is more than anybody sees. */
const written = (value: string | number): string =>
  typeof value === "number" ? String(Math.round(value * 100) / 100) : escaped(value);

/** `content` is markup. */
export const element = (name: string, attributes: Attributes, ...content: readonly string[]): string => {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${written(value)}"`);
  return `<${name}${list.join("")}>${content.join("")}</${name}>`;
};

/** One line of text; its baseline is lowered so that `y` is the middle of its letters. */
export const words = (text: string, x: number, y: number, attributes: Attributes = {}): string =>
  element("text", { x, y, dy: "0.32em", fill: "currentColor", ...attributes }, escaped(text));

export const line = (x1: number, y1: number, x2: number, y2: number, attributes: Attributes): string =>
  element("line", { x1, y1, x2, y2, ...attributes });

/** From one corner to the opposite one, in whatever order. */
export const box = (x1: number, y1: number, x2: number, y2: number, attributes: Attributes): string =>
  element("rect", {
    x: Math.min(x1, x2),
    y: Math.min(y1, y2),
    width: Math.abs(x2 - x1),
    height: Math.abs(y2 - y1),
    ...attributes,
  });

export const dot = (cx: number, cy: number, r: number, fill: string): string => element("circle", { cx, cy, r, fill });

export type Point = readonly [x: number, y: number];

/** Straight lines from point to point. */
export const path = (points: readonly Point[], attributes: Attributes): string =>
  element("path", { d: `M${points.map((point) => point.map(written).join(",")).join("L")}`, ...attributes });

export const drawing = (width: number, height: number, ...content: readonly string[]): string =>
  element("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img" }, ...content);
