/**
 * A seeded world around `step`: users, models, tools and faults in virtual time, for whoever asks what a policy costs before it is
 * deployed. Pure: no clock, no randomness of the machine, no IO.
 */
export * from "./distribution.js";
export { readMetricsLine, metricsLine, type SessionMetrics } from "./metrics.js";
export { MEASURES, type Measure } from "./measures.js";
export * from "./sample.js";
export * from "./scenario.js";
export { readScenario, scenarioCodec } from "./scenarioCodec.js";
export { simulateSession, type Observer } from "./session.js";
export * from "./simulate.js";
export { addSession, mergeStudy, newStudy, studySummary, type Study, type StudySummary } from "./study.js";
export { stageOf, type Stage } from "./world.js";
export { variantsOf, type Variant, type Variation } from "./vary.js";
