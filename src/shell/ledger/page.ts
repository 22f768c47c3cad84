/** A report as one self-contained HTML page: use over time by model, cost by model, and the table. */
import { COLUMNS, extent, plainName, shown, shownCost } from "./figures.js";
import { columnPlot, escapeHtml, rowPlot, type Bar } from "./plots.js";
import { groupParts, type Part } from "./query.js";
import { reportRows, type Report, type ReportRow } from "./report.js";

/** More would be a legend that nobody reads; the rest is one series. */
const SERIES_MAX = 7;

const STYLE = `:root{color-scheme:light dark;--ink:#1d2433;--soft:#667085;--line:#e3e7ee;--page:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9f0;--soft:#98a2b3;--line:#2c3444;--page:#12161f}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);max-width:1040px;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem;margin:0}h2{font-size:1.05rem;margin:2.2rem 0 .6rem}p{color:var(--soft);margin:.3rem 0}
svg{width:100%;height:auto;font:12px system-ui,sans-serif}svg text{fill:var(--soft)}.grid line{stroke:var(--line)}
.right{text-anchor:end}.middle{text-anchor:middle}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.35rem .6rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th:first-child,td:first-child{text-align:left}tfoot td{font-weight:600}
ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.2rem 1rem;color:var(--soft)}i{display:inline-block;width:.8em;height:.8em;margin-right:.4em;border-radius:2px}
${["#3b6fd4", "#e07a2d", "#2f9e6e", "#b0499b", "#c8a415", "#4aa3c7", "#8a5a3c", "#9aa3b2"]
  .map((color, at) => `.s${at}{fill:${color}}i.s${at}{background:${color}}`)
  .join("")}`;

const OTHERS = "others";

const nameOf = ({ names }: ReportRow): string => Object.values(names).map(plainName).join(" / ");

/** The name of each model that has a colour of its own, largest first. */
const seriesOf = (models: readonly ReportRow[]): ReadonlyMap<string, number> =>
  new Map(models.slice(0, SERIES_MAX).map((row, at) => [nameOf(row), at]));

const modelOf = (part: Part): string => `${plainName(part.harness)} / ${plainName(part.model)}`;

/** Colours lie in the same order in every column; what has none of its own is one segment. */
const overTime = (parts: readonly Part[], series: ReadonlyMap<string, number>): readonly Bar[] => {
  const names = [...series.keys(), OTHERS];
  const seriesAt = (part: Part): number => series.get(modelOf(part)) ?? SERIES_MAX;
  const days = groupParts(parts, ({ day }) => day);
  const segments = groupParts(parts, (part) => `${part.day} ${seriesAt(part)}`);
  return [...days.keys()].toSorted().map((day) => ({
    name: day,
    segments: names.flatMap((name, at) => {
      const scope = segments.get(`${day} ${name === OTHERS ? SERIES_MAX : at}`);
      if (scope === undefined) return [];
      const value = extent(scope);
      return [
        {
          series: series.get(name) ?? SERIES_MAX,
          value,
          label: `${day}, ${name}: ${value.toLocaleString("en-US")} tokens`,
        },
      ];
    }),
  }));
};

const costByModel = (models: readonly ReportRow[], series: ReadonlyMap<string, number>): readonly Bar[] =>
  models
    .flatMap((row) => {
      const cost = shownCost(row.scope);
      return cost === null ? [] : [{ name: nameOf(row), ...cost }];
    })
    .toSorted((a, b) => b.usd - a.usd)
    .map(({ name, usd, incomplete }) => ({
      name,
      segments: [
        { series: series.get(name) ?? SERIES_MAX, value: usd, label: `${incomplete ? "≥ " : ""}$${usd.toFixed(4)}` },
      ],
    }));

const tableOf = ({ by, rows, total }: Report): string => {
  const line = (name: string, { scope }: Pick<ReportRow, "scope">): string =>
    `<tr><td>${escapeHtml(name)}</td>${[
      String(scope.reports),
      ...COLUMNS.map(({ field }) => shown(field(scope))),
      String(scope.gaps),
    ]
      .map((cell) => `<td>${cell}</td>`)
      .join("")}</tr>`;
  const head = [by, "turns", ...COLUMNS.map(({ title }) => title), "gaps"].map((title) => `<th>${title}</th>`).join("");
  const body = rows.map((row) => line(nameOf(row), row)).join("");
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody><tfoot>${line("all", { scope: total })}</tfoot></table></div>`;
};

/** `parts` with their days. */
export const htmlReport = (report: Report, parts: readonly Part[]): string => {
  const models = reportRows(parts, "model");
  const series = seriesOf(models);
  const costs = costByModel(models, series);
  const legend = [...series, ...(models.length > SERIES_MAX ? ([[OTHERS, SERIES_MAX]] as const) : [])]
    .map(([name, at]) => `<li><i class="s${at}"></i>${escapeHtml(name)}</li>`)
    .join("");
  const scope = report.since === undefined ? "everything recorded" : `since ${report.since}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Usage of agents</title><style>${STYLE}</style></head>
<body><h1>Usage of agents</h1><p>${escapeHtml(scope)}; ${report.total.reports} turns, ${report.total.gaps} gaps, ${report.invalid} records that could not be read</p>
<h2>Input and output tokens by day and model</h2>${columnPlot(overTime(parts, series))}<ul>${legend}</ul>
<h2>Cost by model, US dollars</h2>${costs.length === 0 ? "<p>Nothing of it is known.</p>" : rowPlot(costs)}
<h2>By ${report.by}</h2>${tableOf(report)}
<p>? is unknown, ≥ a lower bound: some turns do not say it. Reported costs are the agents' own; estimated ones are list prices, where who was billed is proven. The two are never added up; the plot of costs shows the reported one where there is one. Gaps are turns that are missing in the record.</p>
</body></html>`;
};
