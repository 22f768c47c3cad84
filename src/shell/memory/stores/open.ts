/** Which kind of store a path is: by what is there, never by its name. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { isRight } from "fp-ts/lib/Either.js";
import { parseJson } from "../../../core/json.js";
import { isGraphLine } from "./graph.js";
import { openGraphFile } from "./graphFile.js";
import { openNotesFolder } from "./notesFolder.js";
import { openSqliteStore } from "./sqliteStore.js";
import { StoreFault, type Store, type StoreLimits } from "./store.js";

const SQLITE_MAGIC = "SQLite format 3\0";
/** Enough for the first line of a graph to be told from anything else. */
const HEAD_BYTES = 64 * 1024;

const headOf = (file: string): string => {
  const descriptor = openSync(file, "r");
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
};

/** A line longer than what was read is judged by its beginning. */
const beginsGraph = (head: string): boolean => {
  const [line = "", ...rest] = head.trimStart().split("\n");
  const parsed = parseJson(line);
  if (isRight(parsed)) return isGraphLine(parsed.right);
  return rest.length === 0 && /^\{\s*"type"\s*:\s*"(?:entity|relation)"/.test(line);
};

/** Throws as `Store.recall` does. `table` chooses among several full-text tables of a SQLite file; "" where there is one. */
export const openStore = (path: string, table: string, limits: StoreLimits): Store => {
  const stats = statSync(path);
  if (stats.isDirectory()) return openNotesFolder(path, limits);
  if (!stats.isFile()) throw new StoreFault("the store is neither a folder nor a file");
  const head = headOf(path);
  if (head === "") throw new StoreFault("the store is an empty file");
  if (head.startsWith(SQLITE_MAGIC)) return openSqliteStore(path, table, limits);
  if (beginsGraph(head)) return openGraphFile(path, limits);
  throw new StoreFault("the store is of an unknown kind: not a folder, a knowledge graph or a SQLite file");
};
