/** Frames of a proxied agent in, finished turns into the outbox. Whatever goes wrong here is said once and concerns nobody else. */
import { isLeft } from "fp-ts/lib/Either.js";
import { isSome, none, some } from "fp-ts/lib/Option.js";
import { SHELL_LIMITS } from "../../core/policy.js";
import { encodeMetric } from "../../usage/metric.js";
import {
  newRecorder,
  recordAgentFrame,
  recordClientFrame,
  recordEnd,
  type RecordedTurn,
  type Recording,
} from "../../usage/recorder.js";
import type { Adapter } from "../../usage/standard.js";
import { createLineTap } from "./lineTap.js";
import { post } from "./outbox.js";

export interface TurnLogOptions {
  readonly ledger: string;
  /** The name under which the agent is accounted for. */
  readonly agent: string;
  /** The name of its program. */
  readonly harness: string;
  readonly adapter: Adapter;
  /** Unique for ever: the series of this process, since nobody remembers the counters of the last one. */
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Tells a person one line. */
  readonly say: (line: string) => void;
  /** Called when a turn is on the disk. */
  readonly posted: () => void;
}

export interface TurnLog {
  readonly fromClient: (chunk: Uint8Array) => void;
  /** Resolves when the chunk may be passed on: at once, unless a turn ends in it. */
  readonly fromAgent: (chunk: Uint8Array) => Promise<void> | undefined;
  /** The agent is gone. Resolves when everything is on the disk. */
  readonly end: () => Promise<void>;
}

/** Time does not wait for a disk that does not answer. */
const within = async (ms: number, work: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
};

const reason = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

export const createTurnLog = (options: TurnLogOptions): TurnLog => {
  const { ledger, agent, harness, run, now, say, posted } = options;
  let recorder = newRecorder(options.adapter);
  let writing: Promise<void>[] = [];
  let count = 0;

  const write = async (turn: RecordedTurn): Promise<void> => {
    const at = now();
    const rawJson = encodeTurn(turn, harness, run, at);
    if (isLeft(rawJson)) {
      say(`a turn was not recorded: ${rawJson.left}`);
      return;
    }
    count += 1;
    const name = `${String(at).padStart(15, "0")}-${run}-${String(count).padStart(6, "0")}`;
    try {
      await post(ledger, name, { agent, createdAt: Math.floor(at / 1000), rawJson: rawJson.right });
      posted();
    } catch (fault) {
      say(`a turn was not recorded: ${reason(fault)}`);
    }
  };

  const take = (record: () => Recording): void => {
    try {
      const recording = record();
      recorder = recording.recorder;
      recording.faults.forEach(say);
      writing.push(...recording.turns.map(write));
    } catch (fault) {
      // A bug of ours costs figures, never the session.
      say(`a frame could not be read: ${reason(fault)}`);
    }
  };

  const written = (): Promise<void> | undefined => {
    if (writing.length === 0) return undefined;
    const all = Promise.all(writing);
    writing = [];
    return within(SHELL_LIMITS.usageOutboxMs.default, all);
  };

  const tooLong = (): void => {
    say(`a frame over ${SHELL_LIMITS.usageFrameBytesMax.default} bytes was not looked into`);
  };
  const tap = (record: (line: string) => Recording): ((chunk: Uint8Array) => void) =>
    createLineTap(
      SHELL_LIMITS.usageFrameBytesMax.default,
      (line) => {
        take(() => record(line));
      },
      tooLong,
    );
  const agentTap = tap((line) => recordAgentFrame(recorder, line));

  return {
    fromClient: tap((line) => recordClientFrame(recorder, line)),
    fromAgent: (chunk) => {
      agentTap(chunk);
      return written();
    },
    end: async () => {
      take(() => recordEnd(recorder));
      await written();
    },
  };
};

const encodeTurn = ({ usage, stopReason }: RecordedTurn, harness: string, run: string, at: number) =>
  encodeMetric({
    harness,
    timestamp: new Date(at).toISOString(),
    model: usage.model,
    channelId: none,
    sessionId: some(`${usage.session}#${run}`),
    turnSeq: some(usage.seq),
    turnId: none,
    acpSessionId: some(usage.session),
    turn: usage.turn,
    cumulative: usage.cumulative,
    deltaReliable: isSome(usage.turn),
    stopReason: some(stopReason),
    pricingIdentity: usage.identity,
  });
