/**
 * `sessions.ndjson`: one line for each session and variant, in order. It is only appended to, so what an interrupted run leaves
 * is the beginning of what a whole one writes, and can be gone on with.
 */
import { createReadStream } from "node:fs";
import { truncate } from "node:fs/promises";
import { isLeft } from "fp-ts/lib/Either.js";
import { digestOf, FIRST_DIGEST, nextDigest } from "../../simulation/digest.js";
import { readMetricsLine, type SessionMetrics } from "../../simulation/metrics.js";
import { addSession, newStudy, type Study } from "../../simulation/study.js";

/** Everything that a run knows of the sessions that are written. */
export interface Progress {
  readonly study: Study;
  digest: string;
}

export const noProgress = (variants: number): Progress => ({ study: newStudy(variants), digest: FIRST_DIGEST });

export const addDigests = (progress: Progress, digests: readonly string[]): void => {
  progress.digest = digests.reduce(nextDigest, progress.digest);
};

/** Complete lines and the bytes behind each; what stands behind the last line break is left out. */
async function* completeLines(file: string): AsyncGenerator<{ readonly line: string; readonly endByte: number }> {
  let rest = Buffer.alloc(0);
  let read = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      read += end + 1;
      yield { line: rest.toString("utf8", 0, end), endByte: read };
      rest = rest.subarray(end + 1);
    }
  }
}

/**
 * Reads what is there and cuts what cannot be gone on with: a torn line, a session that lacks some of its variants, and all
 * behind a line that is not the one that has to stand there.
 */
export const resumeFile = async (file: string, variants: number): Promise<Progress> => {
  const progress = noProgress(variants);
  let group: SessionMetrics[] = [];
  let digests: string[] = [];
  let goodBytes = 0;
  for await (const { line, endByte } of completeLines(file)) {
    const metrics = readMetricsLine(line);
    if (isLeft(metrics) || metrics.right.session !== progress.study.sessions) break;
    group.push(metrics.right);
    digests.push(digestOf(line));
    if (group.length < variants) continue;
    addSession(progress.study, group);
    addDigests(progress, digests);
    goodBytes = endByte;
    group = [];
    digests = [];
  }
  await truncate(file, goodBytes);
  return progress;
};
