/** A stretch of sessions of a run, in all of its variants: the piece of work that workers share. */
import { digestOf } from "./digest.js";
import { metricsLine } from "./metrics.js";
import type { Scenario } from "./scenario.js";
import { simulateSession } from "./session.js";
import { addSession, newStudy, type Study } from "./study.js";
import { stageOf, type Stage } from "./world.js";

export interface ChunkResult {
  /** One line of JSON for each session and variant, the variants of a session together. */
  readonly lines: readonly string[];
  /** Digest of each line. */
  readonly digests: readonly string[];
  readonly study: Study;
}

/** What is made once for all chunks. */
export type Stages = readonly Stage[];
export const stagesOf = (variants: readonly Scenario[]): Stages => variants.map(stageOf);

/** Sessions `from` to `to`, the last one left out. */
export const runChunk = (stages: Stages, seed: number, from: number, to: number): ChunkResult => {
  const study = newStudy(stages.length);
  const lines: string[] = [];
  for (let session = from; session < to; session++) {
    const metrics = stages.map((stage) => simulateSession(stage, seed, session));
    addSession(study, metrics);
    lines.push(...metrics.map(metricsLine));
  }
  return { lines, digests: lines.map(digestOf), study };
};
