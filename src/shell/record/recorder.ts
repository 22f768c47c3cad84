/**
 * Writes a session's record as it happens (`TURNFOLD_RECORD`). It never holds a turn up and never ends one: what cannot be
 * written, or does not fit its queue or its file, ends the record with one warning.
 */
import { some } from "fp-ts/lib/Option.js";
import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { makeDirectory } from "../directory.js";
import type { Effect } from "../../core/effect.js";
import type { Event } from "../../core/event.js";
import { defaultShellLimits } from "../../core/policy.js";
import type { SessionConfig } from "../../core/session.js";
import { FIRST_DIGEST, headerCodec, lineCodec, nextDigest, RECORD_FORMAT, type RecordHeader } from "./format.js";

export interface Recorder {
  /** Called after each step, with what it returned. */
  readonly record: (event: Event, effects: readonly Effect[]) => void;
  /** Resolves when everything is on disk, or the record has ended. */
  readonly close: () => Promise<void>;
}

export interface RecorderOptions {
  readonly directory: string;
  readonly version: string;
  readonly config: SessionConfig;
  readonly now: Date;
  readonly warn: (message: string) => void;
}

const OWNER_ONLY_FILE = 0o600;

/** Begins a record. The file is made in the background; nothing waits for it. */
export const startRecorder = (options: RecorderOptions): Recorder => {
  const { config, version, now, warn } = options;
  const { recordQueueBytesMax, recordFileBytesMax } = defaultShellLimits;
  const file = createFile(options);
  const startedMs = performance.now();
  let writing: Promise<void> = Promise.resolve();
  let queuedBytes = 0;
  let fileBytes = 0;
  let ended = false;
  let digest = FIRST_DIGEST;
  let n = 0;

  const end = (why: string): void => {
    if (ended) return;
    ended = true;
    warn(`recording of session ${config.id} ended: ${why}`);
  };

  const append = (value: unknown): void => {
    const line = Buffer.from(`${JSON.stringify(value)}\n`, "utf8");
    if (queuedBytes + line.length > recordQueueBytesMax) return end("the disk does not keep up");
    if (fileBytes + line.length > recordFileBytesMax) return end(`the file has reached ${recordFileBytesMax} bytes`);
    queuedBytes += line.length;
    fileBytes += line.length;
    // One write behind the other: a torn line can only be the last.
    writing = writing.then(() => writeLine(line));
  };

  const writeLine = async (line: Buffer): Promise<void> => {
    try {
      if (!ended || queuedBytes > 0) await (await file).appendFile(line);
    } catch (fault) {
      end(fault instanceof Error ? fault.message : "it cannot be written");
    } finally {
      queuedBytes -= line.length;
    }
  };

  const header: RecordHeader = { turnfoldRecord: RECORD_FORMAT, version, startedAt: now.toISOString(), config };
  append(headerCodec.encode(header));

  return {
    record: (event, effects) => {
      if (ended) return;
      n += 1;
      digest = nextDigest(digest, effects);
      const atMs = some(Math.round(performance.now() - startedMs));
      append(lineCodec.encode({ n, atMs, event, effects: digest }));
    },
    close: async () => {
      await writing;
      ended = true;
      await file.then(
        (handle) => handle.close(),
        () => undefined,
      );
    },
  };
};

/** One file a session, named so that a folder of records sorts by time. It must not exist yet. */
const createFile = async ({ directory, config, now }: RecorderOptions): Promise<FileHandle> => {
  makeDirectory(directory);
  const stamp = now.toISOString().replace(/[:.]/g, "-");
  const name = `${stamp}-${config.id.replace(/[^A-Za-z0-9_-]/g, "_")}.ndjson`;
  return open(join(directory, name), "ax", OWNER_ONLY_FILE);
};
