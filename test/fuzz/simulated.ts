// One worker of `npm run fuzz:simulated`: simulated sessions with every fault switched on, each judged by every invariant that
// looks at a run from outside, and every hundredth by those that step again.

import { defaultPolicy, step } from "../../src/core/index.js";
import { scenarioCodec, simulateSession, stageOf, type SessionMetrics } from "../../src/simulation/index.js";
import { eventLog, faultsOf, observable, repeatable, type Transition } from "../../src/testing/index.js";
import { everyFault, scenarioOf } from "../unit/simulation/scenarios.js";

const [seed = 1, from = 0, stride = 1, to = 0, untilMs = 0] = process.argv.slice(2).map(Number);

/** Short texts and few rounds: what is wanted is many sessions with much going wrong, and not many bytes. */
const scenario = scenarioOf({
  ...everyFault,
  policy: { ...everyFault.policy, maxCutOffRecoveries: defaultPolicy.maxCutOffRecoveries, overflowBudgetBytesMin: 512 },
  user: {
    ...everyFault.user,
    turns: { kind: "uniform", min: 1, max: 2 },
    promptBytes: { kind: "uniform", min: 0, max: 300 },
  },
  model: {
    ...everyFault.model,
    windowTokens: 2400,
    maxOutputTokens: 500,
    trueWindowTokens: 2000,
    toolRounds: { kind: "uniform", min: 0, max: 4 },
    callsPerRound: { kind: "uniform", min: 1, max: 3 },
    textBytes: { kind: "uniform", min: 0, max: 400 },
  },
  systemBytes: 300,
  summary: { textBytes: { kind: "uniform", min: 0, max: 600 } },
  tools: everyFault.tools.map((tool) => ({
    ...tool,
    definitionBytes: 120,
    resultBytes: { kind: "logNormal", median: 400, sigma: 1.2 },
    imageBytes: { kind: "uniform", min: 0, max: 400 },
  })),
});
const stage = stageOf(scenario);
const again = repeatable(step);
const REPEATED_EVERY = 100;

interface Counts {
  sessions: number;
  events: number;
  readonly seen: Record<string, number>;
}
const counts: Counts = { sessions: 0, events: 0, seen: {} };

const saw = (kind: string, n: number): void => {
  counts.seen[kind] = (counts.seen[kind] ?? 0) + n;
};

const countMetrics = (metrics: SessionMetrics): void => {
  counts.sessions += 1;
  counts.events += metrics.events;
  for (const table of ["stops", "failures", "calls", "handoffs", "recoveries"] as const) {
    for (const [kind, n] of Object.entries(metrics[table])) saw(`${table}.${kind}`, n);
  }
};

const send = (faults: readonly string[], log: string): void => {
  process.send?.({ ...counts, faults, log });
};

const search = (): void => {
  for (let session = from; session < to; session += stride) {
    const run: Transition[] = [];
    const metrics = simulateSession(stage, seed, session, (seen) => {
      run.push(seen);
      saw(`phase.${seen.after.phase.kind}`, 1);
    });
    countMetrics(metrics);
    const judges = session % REPEATED_EVERY === 0 ? { ...observable, ...again } : observable;
    const faults = [...metrics.differences, ...faultsOf(judges, run)];
    const [first] = run;
    if (faults.length > 0 && first !== undefined) {
      const log = eventLog(
        first.before,
        run.map(({ event }) => event),
      );
      return send([`session ${session} of seed ${seed}`, ...faults], log);
    }
    if (counts.sessions % 500 === 0) send([], "");
    if (Date.now() > untilMs) return send([], "");
  }
  send([], "");
};

// The scenario stands in the report, so that the figures can be had again.
if (process.send === undefined) process.stdout.write(`${JSON.stringify(scenarioCodec.encode(scenario))}\n`);
search();
process.disconnect?.();
