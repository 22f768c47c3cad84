/** `turnfold replay FILE [--state N]`: prints a recorded session, and says whether the same effects come out again. */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { sessionCodec } from "../../core/codec.js";
import { replay, type Replay } from "../record/replay.js";
import { transcriptLines } from "../record/transcript.js";
import { version } from "../version.js";
import { badArguments } from "./badArguments.js";

const USAGE = "usage: turnfold replay FILE [--state N]";

export interface CliOutput {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

interface Arguments {
  readonly file: string;
  /** Print the state after this event instead of the transcript. */
  readonly state: number | undefined;
}

const readArguments = (argv: readonly string[]): Arguments | string => {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: { state: { type: "string" } },
      allowPositionals: true,
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) return "replay takes one file";
    if (values.state === undefined) return { file, state: undefined };
    return /^[0-9]{1,15}$/.test(values.state)
      ? { file, state: Number(values.state) }
      : "--state takes the number of an event, 0 for the beginning";
  } catch (fault) {
    return badArguments(fault);
  }
};

const reason = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

/** Exit code: 0 same effects (or another version's record), 1 different effects or unreadable, 2 wrong use. */
export const runReplay = async (argv: readonly string[], { out, err }: CliOutput): Promise<number> => {
  const read = readArguments(argv);
  if (typeof read === "string") {
    err(`turnfold: ${read}; ${USAGE}`);
    return 2;
  }
  let text: string;
  try {
    text = await readFile(read.file, "utf8");
  } catch (fault) {
    err(`turnfold: cannot read the record: ${reason(fault)}`);
    return 1;
  }
  const result = replay(text, {
    untilEvent: read.state ?? Infinity,
    onStep: ({ line, after, effects }) => {
      if (read.state === undefined) transcriptLines(line.event, effects, after.turns).forEach(out);
    },
  });
  if (result.kind === "unreadable") {
    err(`turnfold: ${result.message}`);
    return 1;
  }
  if (read.state !== undefined && result.replay.events < read.state) {
    err(`turnfold: the record has ${result.replay.events} events; --state takes 0 to ${result.replay.events}`);
    return 2;
  }
  if (read.state !== undefined) out(JSON.stringify(sessionCodec.encode(result.replay.state), null, 2));
  return conclude(result.replay, err);
};

/** The verdict goes to stderr, so that a transcript or a state can be piped on. */
const conclude = ({ version: recorded, events, differsAt, remarks }: Replay, err: (line: string) => void): number => {
  for (const remark of remarks) err(`note: ${remark}`);
  if (recorded === undefined) {
    err(`${events} events replayed; an event log says nothing of effects, so nothing was compared`);
    return 0;
  }
  const other = recorded !== version;
  if (other) err(`note: recorded by version ${recorded}, replayed by ${version}: effects may differ`);
  if (differsAt === 0) {
    err(`${events} events replayed, the same effects came out`);
    return 0;
  }
  err(`${events} events replayed; from event ${differsAt} on other effects came out than were recorded`);
  return other ? 0 : 1;
};
