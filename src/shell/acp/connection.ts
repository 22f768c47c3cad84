/**
 * One connection over stdio, from the first byte to the exit code. `initialize` is answered here, before the agent's code is
 * read; frames behind it wait for that code, and none is refused for coming early.
 */
import { isLeft } from "fp-ts/lib/Either.js";
import type { Json } from "../../core/json.js";
import type { ShellLimits } from "../../core/policy.js";
import { createLater } from "../later.js";
import type { Log } from "../log.js";
import { decodeFrame, errorFrame, resultFrame, type Incoming, type RequestId } from "../stdio/envelope.js";
import { createFrameReader, type Frame } from "../stdio/frameReader.js";
import type { Input } from "../stdio/input.js";
import type { Writer } from "../stdio/writer.js";
import type { AgentIdentity } from "./agent.js";
import { notInitialized, unreadableFrame } from "./errors.js";
import { initializeResult, readInitialize, unknownClient, type ClientTraits } from "./initialize.js";
import { refuseAll } from "./refuseAll.js";
import type { Server } from "./server.js";

export interface ConnectionDeps {
  readonly identity: AgentIdentity;
  readonly input: Input;
  readonly writer: Writer;
  readonly limits: ShellLimits;
  readonly log: Log;
  /** Reads the agent's code; called once, after the first `initialize` has been answered. */
  readonly load: (traits: () => ClientTraits) => Promise<Server>;
}

/** Serves until the client goes, a frame cannot be read, or `interrupted` resolves with a code. Resolves with the exit code. */
export const serve = async (deps: ConnectionDeps, interrupted: Promise<number>): Promise<number> => {
  const { writer, log, limits } = deps;
  const inbox = createInbox(deps);
  const code = await Promise.race([readAll(deps, inbox.receive), outputClosed(writer), interrupted]);
  deps.input.rest().destroy();
  const stopped = inbox.stop().catch((fault: unknown) => {
    log("error", "the agent did not end cleanly", { fault: String(fault) });
  });
  const flushed = stopped.then(async () => writer.whenBelow(1));
  await Promise.race([flushed, sleep(limits.shutdownMs)]);
  return code;
};

const sleep = async (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

const outputClosed = async (writer: Writer): Promise<number> =>
  new Promise((resolve) => {
    writer.onClosed(() => {
      resolve(0);
    });
  });

/** Frames until the input ends (0) or cannot be read any further (1). */
const readAll = async (
  { input, writer, limits, log }: ConnectionDeps,
  receive: (message: Incoming) => void,
): Promise<number> =>
  new Promise((resolve) => {
    const reader = createFrameReader(limits.maxLineBytes);
    const take = (frame: Frame): void => {
      switch (frame.kind) {
        case "line":
          return receive(decodeFrame(frame.text));
        case "unterminated": {
          const message = decodeFrame(frame.text);
          // Half a frame is nothing to answer; a whole one that lacks only its line feed is as good as any.
          if (message.kind !== "invalid") return receive(message);
          return log("warn", "the input ended in the middle of a frame", { bytes: Buffer.byteLength(frame.text) });
        }
        case "tooLong":
        case "notUtf8":
          writer.send(errorFrame(null, unreadableFrame(frame)));
          return resolve(1);
      }
    };
    const read = (chunk: Uint8Array): void => {
      reader.push(chunk).forEach(take);
    };
    read(input.first);
    const rest = input.rest();
    rest.on("data", read);
    const end = (): void => {
      reader.end().forEach(take);
      resolve(0);
    };
    rest.on("end", end);
    rest.on("error", end);
  });

interface Inbox {
  readonly receive: (message: Incoming) => void;
  /** What has been received is still handled, then everything is ended. */
  readonly stop: () => Promise<void>;
}

/** What is left when an installation is damaged. */
const brokenServer = (writer: Writer): Server => ({
  receive: refuseAll(writer),
  stop: () => Promise.resolve(),
});

const createInbox = ({ identity, writer, log, load }: ConnectionDeps): Inbox => {
  let traits = unknownClient;
  const server = createLater(async () =>
    load(() => traits).catch((fault: unknown) => {
      log("error", "the agent cannot be loaded", { fault: String(fault) });
      return brokenServer(writer);
    }),
  );

  /** May come twice: the last one holds, and the sessions stay. */
  const initialize = (id: RequestId, params: Json): void => {
    const read = readInitialize(params);
    if (isLeft(read)) return writer.send(errorFrame(id, read.left));
    traits = read.right;
    writer.send(resultFrame(id, initializeResult(identity, traits)));
    // Reading code would hold up what leaves at the end of this turn of the event loop.
    writer.flush();
    return server.use(() => undefined);
  };

  return {
    receive: (message) => {
      if (message.kind === "invalid") return writer.send(errorFrame(message.id, message.error));
      if (message.kind === "request" && message.method === "initialize") return initialize(message.id, message.params);
      if (server.isWanted())
        return server.use(({ receive }) => {
          receive(message);
        });
      return message.kind === "request" ? writer.send(errorFrame(message.id, notInitialized())) : undefined;
    },
    stop: async () => {
      if (server.isWanted()) await (await new Promise<Server>(server.use)).stop();
    },
  };
};
