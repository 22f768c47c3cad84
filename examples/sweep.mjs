// What does a budget of handoffs cost, and what does it save? The same thirty sessions under four policies (common random
// numbers, so that the differences are the policy's and not luck's). `node examples/sweep.mjs`; `turnfold simulate` does the same
// from a file, on all cores and with a report.
import { addSession, newStudy, simulateSession, stageOf, studySummary, variantsOf } from "turnfold/simulation";

const scenario = {
  name: "long tool results in a small window",
  user: { turns: 2 },
  model: {
    windowTokens: 16_000,
    maxOutputTokens: 2000,
    tokensPerByte: 0.4,
    toolRounds: { kind: "uniform", min: 5, max: 30 },
    usdPerMillionTokens: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  },
  tools: [{ name: "read", resultBytes: { kind: "logNormal", median: 1500, sigma: 0.8 } }],
};
const SESSIONS = 30;
const SEED = 1;

const read = variantsOf(scenario, [{ path: "policy.maxHandoffs", values: [0, 1, 5, 10] }]);
if (read._tag === "Left") throw new Error(read.left);
const variants = read.right;

const stages = variants.map(({ scenario: each }) => stageOf(each));
const study = newStudy(variants.length);
for (let session = 0; session < SESSIONS; session++) {
  addSession(
    study,
    stages.map((stage) => simulateSession(stage, SEED, session)),
  );
}

const summary = studySummary(study);
summary.variants.forEach(({ measures, againstFirst }, index) => {
  const dollars = (value) => (value / 1e6).toFixed(3);
  const { mean, halfWidth95 } = againstFirst.microUsd;
  const difference = index === 0 ? "" : `, ${dollars(mean)} ±${dollars(halfWidth95)} against the first`;
  const failed = (100 * measures.failedTurns.mean) / measures.turns.mean;
  console.log(
    `${variants[index].name}: $${dollars(measures.microUsd.mean)} a session${difference}; ` +
      `${measures.handoffs.mean.toFixed(2)} handoffs, ${measures.recoveries.mean.toFixed(2)} recoveries, ${failed.toFixed(1)}% of turns failed`,
  );
});
if (summary.unsound > 0) throw new Error("tokens were not conserved");
