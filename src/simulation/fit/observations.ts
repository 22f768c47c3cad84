/** What recorded sessions say about the world that they ran in: sizes, times and rates, by the paths of a scenario. */
import type { Session } from "../../core/session.js";

export interface Rate {
  hits: number;
  trials: number;
}

/** Of one tool; its definition as it was last seen. */
export interface ObservedTool {
  readonly name: string;
  readOnly: boolean;
  definitionBytes: number;
  calls: number;
}

export interface Observations {
  sessions: number;
  /** Values by path; those of tools under `tools.<name>`. */
  readonly values: Map<string, number[]>;
  readonly rates: Map<string, Rate>;
  readonly tools: Map<string, ObservedTool>;
  /** For the token law. */
  requestBytes: number;
  requestTokens: number;
  /** The last session before its first event. */
  start: Session | undefined;
}

export const noObservations = (): Observations => ({
  sessions: 0,
  values: new Map(),
  rates: new Map(),
  tools: new Map(),
  requestBytes: 0,
  requestTokens: 0,
  start: undefined,
});

export const note = ({ values }: Observations, path: string, value: number): void => {
  const list = values.get(path);
  if (list === undefined) values.set(path, [value]);
  else list.push(value);
};

export const tried = ({ rates }: Observations, path: string, hit: boolean, trials = 1): void => {
  const rate = rates.get(path) ?? { hits: 0, trials: 0 };
  rates.set(path, rate);
  rate.trials += trials;
  if (hit) rate.hits += 1;
};

/** HTTP attempts: what the rates of their failures are measured against. */
export const ATTEMPTS = "attempts";
