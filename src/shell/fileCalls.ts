/** What every session asks of the file system, by `node:fs`: `node:fs/promises` takes Node a millisecond to load. */
import { opendir as opendirThen, realpath as realpathThen, stat as statThen } from "node:fs";
import { promisify } from "node:util";

export const opendir = promisify(opendirThen);
export const realpath = promisify(realpathThen.native);
export const stat = promisify(statThen);
