/**
 * Finished turns that wait for the ledger, one file each, in a folder beside it. A file is whole from the moment it has its name,
 * so whoever comes by may store it: the same turn stored twice is one row. What is killed in between leaves nothing but a file
 * without a final name.
 */
import { open, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { makeDirectory } from "../directory.js";
import { isRight } from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import type { Entry } from "./store.js";

const codec = t.strict({ agent: t.string, createdAt: t.Int, rawJson: t.string });

export const outboxOf = (ledger: string): string => `${ledger}.outbox`;

/** Resolves when the entry is on the disk. `name` is unique for ever; names sort in the order of writing. */
export const post = async (ledger: string, name: string, entry: Entry): Promise<void> => {
  const folder = outboxOf(ledger);
  makeDirectory(folder);
  const file = path.join(folder, `${name}.json`);
  const handle = await open(`${file}.tmp`, "wx", 0o600);
  try {
    await handle.writeFile(JSON.stringify(entry));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.tmp`, file);
};

export interface Posted {
  readonly file: string;
  /** Undefined: nobody of ours wrote it. */
  readonly entry: Entry | undefined;
}

const names = async (folder: string): Promise<readonly string[]> => {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith(".json")).toSorted();
  } catch {
    return [];
  }
};

const parse = (text: string): Entry | undefined => {
  try {
    const read = codec.decode(JSON.parse(text));
    return isRight(read) ? read.right : undefined;
  } catch {
    return undefined;
  }
};

/** Up to `max` waiting entries, oldest first. */
export const waiting = async (ledger: string, max: number): Promise<readonly Posted[]> => {
  const folder = outboxOf(ledger);
  const found: Posted[] = [];
  for (const name of (await names(folder)).slice(0, max)) {
    const file = path.join(folder, name);
    try {
      found.push({ file, entry: parse(await readFile(file, "utf8")) });
    } catch {
      // Somebody else has stored it meanwhile.
    }
  }
  return found;
};

export const countWaiting = async (ledger: string): Promise<number> => (await names(outboxOf(ledger))).length;

/** Takes an entry out, whether or not somebody else has done so. False: it could not be. */
export const discard = async ({ file, entry }: Posted): Promise<boolean> => {
  try {
    if (entry !== undefined) await rm(file, { force: true });
    else await rename(file, `${file}.unreadable`);
    return true;
  } catch {
    return false;
  }
};
