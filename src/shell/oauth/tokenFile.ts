/**
 * The file of a login: readable by its owner only, replaced whole, shared between processes. Whatever is wrong with it counts
 * as no login; nothing is read through a symbolic link (spec/providers.md 14.2).
 */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, rename, rm, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { makeDirectory } from "../directory.js";
import * as O from "fp-ts/lib/Option.js";
import { parseTokenFile, printTokenFile, type Token } from "./token.js";

/** Any permission of group or others. */
const LOOSE = 0o077;
const PRIVATE = 0o600;

const readPrivate = async (file: FileHandle): Promise<O.Option<Token>> => {
  const stat = await file.stat();
  if (!stat.isFile()) return O.none;
  // Through the descriptor, so that it is this file that is tightened and not what has taken its place meanwhile.
  if ((stat.mode & LOOSE) !== 0) await file.chmod(PRIVATE);
  return parseTokenFile(await file.readFile("utf8"));
};

export const readTokenFile = async (file: string): Promise<O.Option<Token>> => {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      return await readPrivate(handle);
    } finally {
      await handle.close();
    }
  } catch {
    return O.none;
  }
};

/** Throws where the disk does. A reader sees the old file or the new one, never a part. */
export const writeTokenFile = async (file: string, token: Token): Promise<void> => {
  const folder = path.dirname(file);
  makeDirectory(folder);
  const temporary = path.join(folder, `.${path.basename(file)}.${randomBytes(8).toString("hex")}.tmp`);
  try {
    const handle = await open(temporary, "wx", PRIVATE);
    try {
      await handle.writeFile(printTokenFile(token));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
};
