import { isLeft } from "fp-ts/lib/Either.js";
import { expect, test, vi } from "vitest";
import { reportPage } from "../../../src/shell/simulate/report/page.js";
import { barsOf } from "../../../src/shell/simulate/report/bars.js";
import { escaped, markup, miniDocument } from "../../../src/shell/simulate/report/dom.js";
import { mergeStudy, newSample, addValue, newStudy } from "../../../src/simulation/index.js";
import { runChunk, stagesOf } from "../../../src/simulation/chunk.js";
import { variantsOf, type Variation } from "../../../src/simulation/vary.js";
import { everyFault } from "./scenarios.js";

// Hundreds of sessions take their time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const page = (scenario: unknown, variations: readonly Variation[], sessions: number): Promise<string> => {
  const read = variantsOf(scenario, variations);
  if (isLeft(read)) throw new Error(read.left);
  const variants = read.right;
  const study = newStudy(variants.length);
  mergeStudy(study, runChunk(stagesOf(variants.map(({ scenario }) => scenario)), 1, 0, sessions).study);
  return reportPage({ variants, study, seed: 1, digest: "d", version: "0", fit: ["a fit"] });
};

/** Every opened element is closed in its order: what a browser would have to repair is a fault of ours. */
const unbalanced = (html: string): readonly string[] => {
  const open: string[] = [];
  for (const [, slash, name = "", rest = ""] of html.matchAll(/<(\/?)([a-zA-Z][\w]*)((?:"[^"]*"|[^">])*)>/g)) {
    if (/^(?:meta|br)$/.test(name) || rest.endsWith("/")) continue;
    if (slash === "") open.push(name);
    else if (open.pop() !== name) return [name];
  }
  return open;
};

test("the page is whole, needs nothing from elsewhere, and shows handoffs, outcomes and failures", async () => {
  const html = await page({ ...everyFault, name: 'a <b>&</b> "c"' }, [], 12);
  expect(unbalanced(html.replace(/<style>[\s\S]*?<\/style>/g, ""))).toEqual([]);
  expect(html).toContain("<h1>a &lt;b&gt;&amp;&lt;/b&gt; &quot;c&quot;</h1>");
  expect(html).not.toMatch(/<script|<link|<img|url\(|NaN|undefined|Infinity/);
  expect(html.match(/(?:src|href)="/g)).toBeNull();
  expect(html.match(/<svg /g)?.length).toBeGreaterThan(8);
  expect(html).toMatch(/stroke="var\(--mark\)"[^>]*stroke-dasharray/);
  for (const kind of ["end_turn", "timedOut", "session 4", "a fit"]) expect(html).toContain(kind);
});

test("a sweep is drawn as a comparison, each variant under its name", async () => {
  const html = await page(everyFault, [{ path: "policy.maxHandoffs", values: [0, 2, 10] }], 8);
  expect(html).toContain("common random numbers");
  for (const value of [0, 2, 10]) expect(html.split(`policy.maxHandoffs=${value}`).length).toBeGreaterThan(3);
  expect(html).not.toMatch(/NaN|undefined|Infinity/);
});

test("a study in which nothing varies can be drawn", async () => {
  expect(await page({ user: { turns: 1 }, model: { toolRounds: 0 } }, [], 1)).not.toMatch(/NaN|undefined|Infinity/);
});

test("bars hold the whole sample but what lies beyond the last hundredth, and are no comb", async () => {
  const sample = newSample();
  for (let value = 0; value < 100_000; value++) addValue(sample, value);
  const bars = barsOf(sample);
  const shares = bars.map(({ share }) => share);
  expect(shares.reduce((a, b) => a + b, 0)).toBeGreaterThan(0.98);
  expect(Math.max(...shares) / Math.min(...shares.slice(0, -1))).toBeLessThan(1.1);
  const few = newSample();
  for (const value of [3, 3, 4, 7]) addValue(few, value);
  expect(barsOf(few).map(({ from, share }) => [from, share])).toEqual([
    [3, 0.5],
    [4, 0.25],
    [5, 0],
    [6, 0],
    [7, 0.25],
  ]);
  expect(barsOf(newSample())).toEqual([]);
});

test("what is drawn is written as markup, texts escaped", async () => {
  const document = miniDocument();
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("title", '<"&>');
  const group = svg.appendChild(document.createElement("g"));
  group.append("a < b", document.createElement("p"));
  svg.insertBefore(document.createElement("defs"), group);
  expect(markup(svg)).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" title="&lt;&quot;&amp;&gt;"><defs></defs><g>a &lt; b<p></p></g></svg>',
  );
  group.textContent = "";
  expect(markup(group)).toBe("<g></g>");
  expect(escaped("it's")).toBe("it's");
});
