/** A store as the recalling thread has it: opened, synchronous, and read only. */
import type { Memory } from "../source.js";

/** What an opened store tells about itself. */
export interface StoreReport {
  readonly kind: "notes" | "graph" | "sqlite";
  /** Texts that can be recalled. */
  readonly texts: number;
  /** Texts that are there but were left out: too much, or unreadable. */
  readonly leftOut: number;
}

export interface Store {
  /** Throws a `StoreFault`, or what the file system or SQLite says. */
  readonly recall: (query: string, k: number, now: number) => readonly Memory[];
  readonly report: () => StoreReport;
  readonly close: () => void;
}

export interface StoreLimits {
  readonly textBytesMax: number;
  readonly noteBytesMax: number;
  readonly queryWordsMax: number;
  readonly freshMs: number;
  readonly busyMs: number;
}

/** Why a store cannot answer, in words for whoever asked: no paths. */
export class StoreFault extends Error {}

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: "the store does not exist",
  EACCES: "the store may not be read",
  EPERM: "the store may not be read",
  ENOTDIR: "the store does not exist",
  EISDIR: "the store has become a folder",
  EMFILE: "too many files are open",
  ERR_DLOPEN_FAILED: "better-sqlite3 was built for another Node; install it again",
  EIO: "the disk cannot be read",
};

/** Any fault, in words. The messages of the file system name paths, those of SQLite do not. */
export const faultText = (fault: unknown): string => {
  if (fault instanceof StoreFault) return fault.message;
  if (!(fault instanceof Error)) return "the store cannot be read";
  const code = "code" in fault && typeof fault.code === "string" ? fault.code : "";
  if (code.startsWith("SQLITE_") || code === "ERR_SQLITE_ERROR") return `the store cannot be read: ${fault.message}`;
  return FILE_FAULTS[code] ?? `the store cannot be read (${code === "" ? fault.name : code})`;
};
