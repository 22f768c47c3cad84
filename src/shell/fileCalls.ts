/**
 * What sessions ask of the file system, by `node:fs`: `node:fs/promises` takes Node a millisecond to load. A call is made a promise
 * when it is called, since most sessions call none.
 */
import {
  type Dir,
  opendir as opendirThen,
  realpath as realpathThen,
  stat as statThen,
  type Stats,
  statSync,
} from "node:fs";
import { promisify } from "node:util";

export const opendir = async (folder: string): Promise<Dir> => promisify(opendirThen)(folder);
export const realpath = async (file: string): Promise<string> => promisify(realpathThen.native)(file);
export const stat = async (file: string): Promise<Stats> => promisify(statThen)(file);

/**
 * Whether it is a directory that can be reached. At once, like `existsSync`: the way to another thread and back costs a hundred
 * times what the file system takes to say no.
 */
export const isDirectory = (folder: string): boolean => {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
};
