/** `report.html`: one page that needs nothing else, not even a script. */
import { MEASURES, type Measure } from "../../../simulation/measures.js";
import { scenarioCodec } from "../../../simulation/scenarioCodec.js";
import { summaryOf, type Sample } from "../../../simulation/sample.js";
import type { Study, VariantTotals } from "../../../simulation/study.js";
import type { Variant } from "../../../simulation/vary.js";
import { inUnit, percent, plain } from "../format.js";
import { escaped } from "./dom.js";
import { COLOURS, plotsWith, type Plots, type Share } from "./plots.js";
import { STYLE } from "./style.js";
import { tracesOf } from "./trace.js";

export interface ReportInput {
  readonly variants: readonly Variant[];
  readonly study: Study;
  readonly seed: number;
  readonly digest: string;
  readonly version: string;
  /** What was fitted to recorded sessions; empty when nothing was. */
  readonly fit: readonly string[];
}

/** Sessions that are simulated again for the plots of single sessions, and how many of them get a row of their own. */
const TRACED_SESSIONS = 40;
const SHOWN_SESSIONS = 5;
/** Variants in one plot of lines; more could not be told apart. */
const LINES_MAX = COLOURS.length;

const section = (title: string, about: string, ...body: readonly string[]): string =>
  `<section><h2>${escaped(title)}</h2><p>${about}</p>${body.join("\n")}</section>`;

const figure = (drawing: string): string => `<figure>${drawing}</figure>`;

const grid = (drawings: readonly string[]): string => `<div class="grid">${drawings.map(figure).join("\n")}</div>`;

const sampleOf = (totals: VariantTotals | undefined, name: string): Sample | undefined =>
  totals?.samples[MEASURES.findIndex((measure) => measure.name === name)];

/** Measures that vary: a constant needs no plot. */
const plotted = (study: Study, names: readonly string[]): readonly (readonly [Measure, readonly Sample[]])[] =>
  MEASURES.filter(({ name }) => names.includes(name)).flatMap((measure) => {
    const samples = study.variants.flatMap((totals) => sampleOf(totals, measure.name) ?? []);
    return samples.some(({ count, min, max }) => count > 0 && max > min) ? [[measure, samples] as const] : [];
  });

const tile = (title: string, value: string, note: string): string =>
  `<div class="tile"><b>${escaped(value)}</b><span>${escaped(title)}</span><small>${escaped(note)}</small></div>`;

const TILES = ["microUsd", "rounds", "inputTokens", "handoffs", "turnMs", "peakPermille"];

const tiles = (totals: VariantTotals | undefined): string => {
  const of = TILES.flatMap((name) => {
    const measure = MEASURES.find((each) => each.name === name);
    const sample = sampleOf(totals, name);
    if (measure === undefined || sample === undefined || sample.count === 0) return [];
    const { mean, p95 } = summaryOf(sample);
    return [tile(`${measure.title}, mean`, inUnit(mean, measure.unit), `95 % below ${inUnit(p95, measure.unit)}`)];
  });
  return `<div class="tiles">${of.join("")}</div>`;
};

type Counts = readonly (readonly [string, number])[];

const sharesOf = (
  study: Study,
  variants: readonly Variant[],
  countsOf: (tables: VariantTotals["tables"]) => Counts,
): readonly Share[] =>
  study.variants.flatMap(({ tables }, index) => {
    const counts = countsOf(tables);
    const all = counts.reduce((sum, [, n]) => sum + n, 0);
    return counts
      .toSorted(([, a], [, b]) => b - a)
      .map(([kind, n]) => ({ variant: variants[index]?.name ?? "", kind, percent: (100 * n) / all }));
  });

const turnEnds = ({ stops, failures }: VariantTotals["tables"]): Counts => {
  const failed = [...failures.values()].reduce((sum, n) => sum + n, 0);
  return [...stops, ...(failed === 0 ? [] : [["failed", failed] as const])];
};

const outcomes = (plots: Plots, study: Study, variants: readonly Variant[]): string => {
  const names = variants.map(({ name }) => name);
  const drawn = [
    ["share of the turns, %", sharesOf(study, variants, turnEnds)] as const,
    ["share of the failed turns, %", sharesOf(study, variants, ({ failures }) => [...failures])] as const,
    ["share of the tool calls, %", sharesOf(study, variants, ({ calls }) => [...calls])] as const,
  ];
  return grid(drawn.filter(([, rows]) => rows.length > 0).map(([label, rows]) => plots.shares(label, rows, names)));
};

const legend = (names: readonly string[]): string =>
  names.length < 2
    ? ""
    : `<p class="legend">${names.map((name, index) => `<i style="background:${COLOURS[index]}"></i>${escaped(name)}`).join(" ")}</p>`;

const context = (plots: Plots, { variants, study, seed }: ReportInput): string => {
  const chosen = variants.slice(0, LINES_MAX);
  const names = chosen.map(({ name }) => name);
  const left = variants.length - chosen.length;
  const only = left === 0 ? "" : ` The last ${left} variants are left out: so many lines could not be told apart.`;
  const traces = tracesOf(chosen, seed, Math.min(study.sessions, TRACED_SESSIONS));
  return [
    section(
      "Context over time",
      "How full the window was after each reply, in the first sessions. Dashed: history was handed over (orange), a handoff failed (red), old turns were dropped (purple). Faint: a prompt." +
        only,
      legend(names),
      figure(plots.contextOverTime(traces, Math.min(study.sessions, SHOWN_SESSIONS), names)),
    ),
    section(
      "Context by reply",
      `Median and middle 80 % of the first ${plain(Math.min(study.sessions, TRACED_SESSIONS))} sessions.`,
      legend(names),
      figure(plots.contextByReply(traces, names)),
    ),
  ].join("\n");
};

const DISTRIBUTIONS = [
  "microUsd",
  "rounds",
  "turnMs",
  "inputTokens",
  "outputTokens",
  "handoffs",
  "toolCalls",
  "peakPermille",
];

const distributions = (plots: Plots, { variants, study }: ReportInput): string => {
  const names = variants.map(({ name }) => name);
  const measures = plotted(study, DISTRIBUTIONS);
  const single = variants.length === 1;
  return section(
    "Distributions",
    single
      ? "Dashed: the mean. The hundredth beyond the right end is not drawn."
      : "Line: 90 % of the sessions. Bar: half of them. Tick: the median.",
    grid(
      measures.map(([measure, samples]) =>
        single && samples[0] !== undefined
          ? plots.histogram(measure, samples[0])
          : plots.ranges(measure, names, samples),
      ),
    ),
  );
};

const comparison = (plots: Plots, { variants, study }: ReportInput): string => {
  if (variants.length < 2) return "";
  const rest = variants.slice(1);
  const drawn = plotted(study, [...DISTRIBUTIONS, "failedTurns", "recoveries", "gaveUp"]).map(([measure]) => {
    const place = MEASURES.indexOf(measure);
    const rows = rest.map(({ name }, index) => {
      const sample = study.variants[index + 1]?.differences[place];
      const { mean, halfWidth95 } = sample === undefined ? { mean: 0, halfWidth95: 0 } : summaryOf(sample);
      return { name, mean, halfWidth95 };
    });
    return plots.differences(measure, rows);
  });
  return section(
    "Comparison",
    `Mean difference to <b>${escaped(variants[0]?.name ?? "")}</b> with its 95 % interval. Every variant meets the same sessions (common random numbers), so differences are taken session by session.`,
    grid(drawn),
  );
};

const cells = (tag: "th" | "td", values: readonly string[]): string =>
  `<tr>${values.map((value) => `<${tag}>${escaped(value)}</${tag}>`).join("")}</tr>`;

const table = (totals: VariantTotals, name: string): string => {
  const rows = MEASURES.flatMap(({ title, unit }, place) => {
    const sample = totals.samples[place];
    if (sample === undefined || sample.count === 0) return [];
    const { mean, halfWidth95, p5, p50, p95, p99, max } = summaryOf(sample);
    const shown = [p5, p50, p95, p99, max].map((value) => inUnit(value, unit));
    return [cells("td", [title, inUnit(mean, unit), `±${inUnit(halfWidth95, unit)}`, ...shown])];
  });
  const head = cells("th", [name, "mean", "95 %", "p5", "median", "p95", "p99", "max"]);
  return `<div class="wide"><table><thead>${head}</thead><tbody>${rows.join("")}</tbody></table></div>`;
};

const soundness = ({ sessions, unsound, unsoundSessions }: Study): string =>
  unsound === 0
    ? `<p class="good">In all ${plain(sessions)} sessions the tokens that were reported are exactly those that the model used.</p>`
    : `<p class="bad">In ${plain(unsound)} sessions (${percent(unsound / sessions)}) something does not add up: ${unsoundSessions.map(escaped).join("<br>")}</p>`;

const details = (title: string, body: string): string =>
  `<details><summary>${escaped(title)}</summary><pre>${escaped(body)}</pre></details>`;

/** Rejects with `ERR_MODULE_NOT_FOUND` where the plotting library is not installed. */
export const reportPage = async (input: ReportInput): Promise<string> => {
  const plots = plotsWith(await import("@observablehq/plot"));
  const { variants, study, seed, digest, version, fit } = input;
  const [first] = variants;
  const title = first?.scenario.name ?? "";
  const events = study.variants.reduce((sum, totals) => sum + totals.events, 0);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} - simulation</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<h1>${escaped(title)}</h1>
<p>${plain(study.sessions)} sessions${variants.length > 1 ? ` in ${variants.length} variants` : ""}, ${plain(events)} events, seed ${seed}, digest <code>${digest}</code>, turnfold ${escaped(version)}</p>
${soundness(study)}
</header>
${variants.length === 1 ? tiles(study.variants[0]) : ""}
${comparison(plots, input)}
${context(plots, input)}
${distributions(plots, input)}
${section("Outcomes", "How turns and tool calls ended.", outcomes(plots, study, variants))}
${section("Figures", "Intervals are those of the mean.", ...study.variants.map((totals, index) => table(totals, variants[index]?.name ?? "")))}
${fit.length === 0 ? "" : section("Fitted to records", "What recorded sessions said about the scenario, and how well it is met.", `<pre>${escaped(fit.join("\n"))}</pre>`)}
${section("Scenario", "", ...variants.map(({ name, scenario }) => details(name === "" ? "scenario.json with all defaults" : name, JSON.stringify(scenarioCodec.encode(scenario), null, 2))))}
</main>
</body>
</html>
`;
};
