/**
 * Makes a directory with those above it. Node's own `recursive` never returns where a file system says ENOENT for a name that
 * cannot be made (`/proc/x`): it makes the parent, which is there, and tries again for ever, at full load and before the exit.
 */
import { mkdirSync, statSync } from "node:fs";
import path from "node:path";

const OWNER_ONLY = 0o700;

const codeOf = (fault: unknown): unknown => (fault instanceof Error && "code" in fault ? fault.code : undefined);

const isDirectory = (folder: string): boolean => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Throws what the file system says if there is no such directory afterwards. What is there already keeps its rights. */
export const makeDirectory = (folder: string, mode = OWNER_ONLY): void => {
  if (isDirectory(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeDirectory(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (fault) {
    // Somebody else may have made it in this moment.
    if (codeOf(fault) !== "EEXIST" || !isDirectory(folder)) throw fault;
  }
};
