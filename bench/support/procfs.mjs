// Memory of a process as Linux tells it.

import { readFile, writeFile } from "node:fs/promises";

const BYTES = 1024;

/** @param {string} text @param {string} name */
const field = (text, name) => {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text);
  if (found === null) throw new Error(`/proc says nothing of ${name}`);
  return Number(found[1]) * BYTES;
};

/** Resident pages, and the same with shared pages divided among those who share them; in bytes. @param {number} pid */
export async function residentBytes(pid) {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
  return { rss: field(text, "Rss"), pss: field(text, "Pss") };
}

/** Most resident bytes since the process began or `forgetPeak`. @param {number | "self"} pid */
export const peakResidentBytes = async (pid) => field(await readFile(`/proc/${pid}/status`, "utf8"), "VmHWM");

/** From here on the peak is counted anew. @param {number | "self"} pid */
export const forgetPeak = (pid) => writeFile(`/proc/${pid}/clear_refs`, "5");
