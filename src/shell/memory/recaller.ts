/** Recalls from one store: opens it at the first question, and anew after every fault, so that a mended store is used. */
import { left, right } from "fp-ts/lib/Either.js";
import type { LogFields, LogLevel } from "../../core/effect.js";
import type { Recalled } from "./source.js";
import { openStore } from "./stores/open.js";
import { faultText, type Store, type StoreLimits } from "./stores/store.js";

export interface RecallerDeps {
  readonly store: string;
  readonly table: string;
  readonly limits: StoreLimits;
  readonly log: (level: LogLevel, message: string, fields: LogFields) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Synchronous, for as long as it takes: not for a thread that has anything else to do. */
export type Recaller = (query: string, k: number) => Recalled;

const MEBIBYTE = 1024 * 1024;

const reasonOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

export const createRecaller = ({ store: path, table, limits, log, now }: RecallerDeps): Recaller => {
  let store: Store | undefined;

  const open = (): Store => {
    log("info", "opening the memory store", { store: path });
    const began = performance.now();
    const heapBefore = process.memoryUsage().heapUsed;
    const opened = openStore(path, table, limits);
    const { kind, texts, leftOut } = opened.report();
    log(leftOut > 0 ? "warn" : "info", "the memory store is open, read only", {
      kind,
      texts,
      leftOut,
      seconds: ((performance.now() - began) / 1000).toFixed(1),
      heapMiB: Math.round((process.memoryUsage().heapUsed - heapBefore) / MEBIBYTE),
    });
    return opened;
  };

  const drop = (): void => {
    try {
      store?.close();
    } catch {
      // It is let go either way.
    }
    store = undefined;
  };

  return (query, k) => {
    try {
      store ??= open();
      return right(store.recall(query, k, now()));
    } catch (fault) {
      drop();
      log("warn", "a recall failed", { store: path, fault: reasonOf(fault) });
      return left(faultText(fault));
    }
  };
};
