/** Many sessions of one scenario, or of several variants of one. */
import { digestOf, FIRST_DIGEST, nextDigest } from "./digest.js";
import { metricsLine, type SessionMetrics } from "./metrics.js";
import type { Scenario } from "./scenario.js";
import { simulateSession, type Observer } from "./session.js";
import { addSession, newStudy, studySummary, type StudySummary } from "./study.js";
import { stageOf } from "./world.js";

export interface SimulateOptions {
  /** An integer from 0 to 2^53 - 1. */
  readonly seed: number;
  /** How many sessions. */
  readonly sessions: number;
  /** Gets the metrics of each session as it ends. */
  readonly onSession?: (metrics: SessionMetrics) => void;
  /** Sees every step of every session, with the session's number. */
  readonly observe?: (session: number) => Observer;
}

export interface Simulated {
  readonly summary: StudySummary;
  /** Of the metrics of all sessions, in order: the same for the same scenario and seed. */
  readonly digest: string;
  /** Whether the tokens that the sessions reported are those that the model used, in every session. */
  readonly sound: boolean;
}

/** Runs the sessions one behind the other and sums them up. Keeps none of them: memory does not grow with their number. */
export const simulate = (scenario: Scenario, options: SimulateOptions): Simulated => {
  const { seed, sessions, onSession, observe } = options;
  const stage = stageOf(scenario);
  const study = newStudy(1);
  let digest = FIRST_DIGEST;
  for (let session = 0; session < sessions; session++) {
    const metrics = simulateSession(stage, seed, session, observe?.(session));
    digest = nextDigest(digest, digestOf(metricsLine(metrics)));
    addSession(study, [metrics]);
    onSession?.(metrics);
  }
  const summary = studySummary(study);
  return { summary, digest, sound: summary.unsound === 0 };
};
