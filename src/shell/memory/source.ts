/** What the agent asks of a memory, whatever holds it. */
import type { Either } from "fp-ts/lib/Either.js";

export interface Memory {
  readonly content: string;
  /** 0 to 1: how much of what a text could match of the question this one matches. */
  readonly similarity: number;
  /** By the store's own dates; negative for a date in the future. */
  readonly ageHours: number;
}

/** Strongest first, at most as many as asked for. Left: why nothing could be recalled, one line without paths. */
export type Recalled = Either<string, readonly Memory[]>;

export interface MemorySource {
  /**
   * Opens the store when it is asked for the first time, and again after a fault. Never rejects. A recall whose signal has
   * fired is answered at once; what it has begun goes on for the next one.
   */
  readonly recall: (query: string, k: number, signal: AbortSignal) => Promise<Recalled>;
}
