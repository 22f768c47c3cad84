// Median time of one step at 100, 1,000 and 10,000 items of history: prompt, reply with a call, tool result, final reply, over and
// over. The cost of a step must not grow with history. Run with `npm run bench:step`; it exits with 1 when 10,000 items cost more
// than twice what 100 do.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "rolldown";

const root = path.join(import.meta.dirname, "..");
mkdirSync(path.join(root, "node_modules/.cache"), { recursive: true });
const folder = mkdtempSync(path.join(root, "node_modules/.cache/bench-"));
const file = path.join(folder, "core.mjs");
await build({
  input: path.join(root, "src/core/index.ts"),
  platform: "node",
  external: ["immer", /^fp-ts/, "io-ts"],
  logLevel: "warn",
  output: { file },
});
/** @type {typeof import("../src/core/index.js")} */
const { defaultPolicy, initialSession, step } = await import(pathToFileURL(file).href);
rmSync(folder, { recursive: true, force: true });

/** @typedef {import("../src/core/index.js").Session} Session */
/** @typedef {import("../src/core/index.js").Event} Event */

const none = /** @type {const} */ ({ _tag: "None" });
const attempts = { tries: 1, waitedMs: 0 };
const usage = { input: { kind: "exact", tokens: 10n }, output: none, cacheRead: none, cacheWrite: none, total: none };
const reply = { text: "A line of an answer.", reasoning: "", calls: [], stop: { kind: "end" }, usage, replay: none };
const call = { providerId: "c", name: "fs__read", argumentsText: '{"path":"a"}', extra: "" };

/** What comes next in the small play that every turn is. @param {Session} session @returns {Event} */
const next = ({ phase, turns }) => {
  if (phase.kind === "awaitingModel") {
    const { effect, turn } = phase.sent;
    const said = phase.turn.round === 1 ? { ...reply, calls: [call], stop: { kind: "toolUse" } } : reply;
    return /** @type {Event} */ ({ type: "modelReplied", effect, turn, attempts, reply: said });
  }
  if (phase.kind === "awaitingTools") {
    const state = phase.batch.calls[0]?.state;
    if (state?.kind !== "running") throw new Error("the tool does not run");
    const outcome = {
      kind: "result",
      parts: [{ kind: "text", text: "A line of a file.\n".repeat(20) }],
      isError: false,
    };
    return /** @type {Event} */ ({ type: "toolFinished", effect: state.run, turn: phase.turn.number, outcome });
  }
  if (phase.kind !== "idle") throw new Error(`unexpected phase ${phase.kind}`);
  return { type: "promptReceived", request: "p", runId: `run-${turns + 1}`, text: "Read it, please." };
};

const tools = [{ name: "fs__read", description: "", schema: '{"type":"object"}', readOnly: true, builtIn: false }];
/** @type {import("../src/core/index.js").SessionConfig} */
const config = {
  id: "bench",
  policy: { ...defaultPolicy, maxHistoryBytes: Number.MAX_SAFE_INTEGER },
  system: "You are a benchmark.",
  settings: { model: "m", effort: none, windowTokens: 2 ** 40, maxOutputTokens: 1000, authority: none },
};

/** A session with at least `items` items. @param {number} items */
const grown = (items) => {
  let [session] = step(initialSession(config), { type: "catalogChanged", tools, hooks: [], complete: true });
  while (session.history.length < items) [session] = step(session, next(session));
  return session;
};

const stepsOfASample = 40;

/** Mean time of a step over some turns from `start` on, in microseconds. @param {Session} start */
const sample = (start) => {
  let session = start;
  const begun = performance.now();
  for (let count = 0; count < stepsOfASample; count += 1) [session] = step(session, next(session));
  return ((performance.now() - begun) * 1000) / stepsOfASample;
};

/** @param {readonly number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const sizes = [100, 1000, 10_000];
const sessions = sizes.map(grown);
for (const session of sessions) for (let count = 0; count < 20; count += 1) sample(session);
/** @type {number[][]} */
const times = sizes.map(() => []);
for (let count = 0; count < 200; count += 1) {
  for (const [at, session] of sessions.entries()) times[at]?.push(sample(session));
}
const medians = times.map(median);
for (const [at, size] of sizes.entries()) console.log(`${size} items: ${medians[at]?.toFixed(1)} us a step`);
const ratio = (medians.at(-1) ?? 0) / (medians[0] ?? 1);
console.log(`ratio of 10,000 items to 100: ${ratio.toFixed(2)}`);
process.exitCode = ratio <= 2 ? 0 : 1;
