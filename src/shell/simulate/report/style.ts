/** How a report looks, on paper, by day and by night. */
export const STYLE = `
:root { --ink: #1b1f24; --soft: #5c6670; --line: #dde2e7; --ground: #ffffff; --card: #f6f8fa; --accent: #0072b2; --mark: #e66c00; color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --soft: #9aa5b1; --line: #333a41; --ground: #14171a; --card: #1d2125; --accent: #56a8dc; --mark: #f5913e; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 924px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { margin: 0 0 4px; font-size: 28px; line-height: 1.2; }
h2 { margin: 40px 0 0; font-size: 19px; }
header p, section > p { margin: 4px 0 12px; color: var(--soft); }
code { font-size: 13px; }
.good::before { content: "\\2713\\00a0"; color: #1a9850; font-weight: bold; }
.bad { color: #d62728 !important; font-weight: 600; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(135px, 1fr)); gap: 10px; margin-top: 20px; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 10px 12px; }
.tile b { display: block; font-size: 21px; line-height: 1.3; }
.tile span { display: block; }
.tile small { color: var(--soft); }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(420px, 100%), 1fr)); gap: 20px 24px; }
figure { margin: 0; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; font-size: 11px; }
.legend i { display: inline-block; width: 12px; height: 12px; border-radius: 2px; margin: 0 5px 0 14px; vertical-align: -1px; }
.legend i:first-child { margin-left: 0; }
.wide { overflow-x: auto; margin-bottom: 20px; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 8px; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
th { color: var(--soft); font-weight: 600; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 12px; overflow-x: auto; font-size: 12.5px; }
summary { cursor: pointer; }
@media print { details { display: none; } section { break-inside: avoid; } }
`;
