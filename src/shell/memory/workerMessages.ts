/** What passes between the agent and its recalling thread; plain data. */
import type { LogFields, LogLevel } from "../../core/effect.js";
import type { Recalled } from "./source.js";
import type { StoreLimits } from "./stores/store.js";

export interface WorkerSetup {
  readonly store: string;
  readonly table: string;
  readonly limits: StoreLimits;
}

export interface ToWorker {
  readonly id: number;
  readonly query: string;
  readonly k: number;
}

export type FromWorker =
  | { readonly kind: "recalled"; readonly id: number; readonly recalled: Recalled }
  | { readonly kind: "log"; readonly level: LogLevel; readonly message: string; readonly fields: LogFields };
