/** Reads a folder of event logs (`TURNFOLD_RECORD`) for what they say about the world. */
import { left, right, type Either } from "fp-ts/lib/Either.js";
import { isSome } from "fp-ts/lib/Option.js";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { noObservations, type Observations } from "../../simulation/fit/observations.js";
import { observeSession } from "../../simulation/fit/observe.js";
import { replay } from "../record/replay.js";

export interface ReadRecords {
  readonly observations: Observations;
  /** Files that are no records, and lines that could not be read, one line each. */
  readonly remarks: readonly string[];
}

const addRecord = (observations: Observations, name: string, text: string): readonly string[] => {
  const session = observeSession(observations);
  const result = replay(text, {
    untilEvent: Infinity,
    onStep: ({ line, before, after, effects }) => {
      const atMs = isSome(line.atMs) ? line.atMs.value : undefined;
      session.see({ atMs, event: line.event, before, after, effects });
    },
  });
  if (result.kind === "unreadable") return [`${name}: ${result.message}`];
  session.end();
  return result.replay.remarks.map((remark) => `${name}: ${remark}`);
};

/** Left: why there is nothing to fit to. */
export const readRecords = async (folder: string): Promise<Either<string, ReadRecords>> => {
  const observations = noObservations();
  const remarks: string[] = [];
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".ndjson")).toSorted();
    for (const name of names) {
      remarks.push(...addRecord(observations, name, await readFile(join(folder, name), "utf8")));
    }
  } catch (fault) {
    return left(`cannot read the records: ${fault instanceof Error ? fault.message : String(fault)}`);
  }
  return observations.sessions === 0
    ? left([`${folder} holds no record of a session`, ...remarks.slice(0, 1)].join("; "))
    : right({ observations, remarks });
};
