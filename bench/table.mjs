// Figures as text: the same cells for the terminal and for the README.

/** @typedef {import("./figure.mjs").Figure} Figure */
/** @typedef {import("./figure.mjs").Unit} Unit */
/** @typedef {import("./spread.mjs").Spread} Spread */

const KIB = 1024;
const MIB = KIB * KIB;

/** Three digits say all that a measurement knows. @param {number} number */
const digits = (number) => {
  const size = Math.abs(number);
  if (size >= 100 || Number.isInteger(number)) return Math.round(number).toLocaleString("en-US");
  if (size < 0.001) return number.toPrecision(1);
  return size >= 10 ? number.toFixed(1) : number.toFixed(size >= 0.1 ? 2 : 4);
};

/** In which size and name a unit is told, the largest first. @type {Readonly<Record<Unit, readonly (readonly [number, string])[]>>} */
const SCALES = {
  bytes: [
    [MIB, "MiB"],
    [KIB, "KiB"],
    [1, "bytes"],
  ],
  us: [
    [1e6, "s"],
    [1e3, "ms"],
    [1, "µs"],
  ],
  ms: [
    [1e3, "s"],
    [1, "ms"],
  ],
  times: [[1, ""]],
  "ns/byte": [[1, "ns/byte"]],
  "rounds/s": [[1, "rounds/s"]],
};

/** @param {number} size @param {Unit} unit @returns {readonly [number, string]} */
const scale = (size, unit) => SCALES[unit].find(([by]) => Math.abs(size) >= by) ?? SCALES[unit].at(-1) ?? [1, ""];

/** @param {number} value @param {Unit} unit */
const amount = (value, unit) => {
  const [by, name] = scale(value, unit);
  return `${digits(value / by)} ${name}`.trim();
};

/** Median and quartiles; one number where they are the same. @param {Spread} spread @param {Unit} unit */
const withSpread = ({ median, low, high }, unit) => {
  if (low === high) return amount(median, unit);
  const [by] = scale(median, unit);
  return `${amount(median, unit)} (${digits(low / by)}–${digits(high / by)})`;
};

/** @param {Figure} figure */
const aimOf = ({ aim, unit }) => {
  if (aim === null) return "–";
  const limit = aim.of === "value" ? amount(aim.limit, unit) : String(aim.limit);
  return `${aim.bound === "most" ? "≤" : "≥"} ${limit}`;
};

export const head = ["figure", "value (quartiles)", "floor in the same run", "ratio (quartiles)", "aim", "reached"];

/** @param {Figure} figure @returns {readonly string[]} */
export const cells = (figure) => {
  const { what, value, unit, floor, reached } = figure;
  return [
    what,
    withSpread(value, unit),
    floor === null ? "–" : `${withSpread(floor.value, unit)}: ${floor.what}`,
    floor === null ? "–" : withSpread(floor.ratio, "times"),
    aimOf(figure),
    reached === null ? "–" : reached ? "yes" : "**no**",
  ];
};

/** Lines for a terminal. @param {readonly Figure[]} figures */
export const lines = (figures) =>
  figures.flatMap((figure) => {
    const [what, value, floor, ratio, aim, reached] = cells(figure);
    const judged = figure.aim === null ? "" : `   aim ${aim}: ${reached}`;
    return [
      `  ${what}`,
      `    ${value}${figure.floor === null ? "" : `   ratio ${ratio}`}${judged}`,
      ...(figure.floor === null ? [] : [`    against ${floor}`]),
      ...(figure.note === "" ? [] : [`    ${figure.note}`]),
    ];
  });
