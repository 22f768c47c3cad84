/**
 * The ACP server, for any agent: messages in, answers out. `initialize` is not among them: it has been answered by the
 * connection, since it must not wait for the code that is loaded here; nor does the first `session/new` for the code of turns.
 */
import { isRight, left } from "fp-ts/lib/Either.js";
import type { ShellLimits } from "../../core/policy.js";
import { createLater } from "../later.js";
import type { Log } from "../log.js";
import { errorFrame, resultFrame, type Incoming } from "../stdio/envelope.js";
import type { Writer } from "../stdio/writer.js";
import type { Agent, AgentIdentity } from "./agent.js";
import { internalError } from "./errors.js";
import { offeredLogins, type ClientTraits } from "./initialize.js";
import type { Answer, Method } from "./methods.js";
import { newSession } from "./newSession.js";
import { refuseAll } from "./refuseAll.js";
import { createSessions } from "./sessions.js";
import type { Request, TurnCode } from "./turnCode.js";

export interface ServerDeps {
  readonly identity: AgentIdentity;
  readonly agent: Agent;
  readonly writer: Writer;
  /** Of the last `initialize`. */
  readonly traits: () => ClientTraits;
  readonly limits: ShellLimits;
  readonly log: Log;
}

export interface Server {
  readonly receive: (message: Incoming) => void;
  /** Cancels and answers what runs, ends what was started. Resolves when nothing is left. */
  readonly stop: () => Promise<void>;
}

export const createServer = ({ identity, agent, writer, traits, limits, log }: ServerDeps): Server => {
  const { cancelDrainMs } = limits;
  const canLogIn = (): boolean => offeredLogins(identity, traits()).length > 0;

  const run = ({ id, method, params }: Request, answerIt: Method): void => {
    const reply = (answer: Answer): void => {
      writer.respond(isRight(answer) ? resultFrame(id, answer.right) : errorFrame(id, answer.left));
    };
    try {
      return answerIt({ id, params, reply });
    } catch (fault) {
      log("error", "a request failed in our own code", { method, fault: String(fault) });
      return reply(left(internalError(`${method}: internal error`)));
    }
  };

  const readTurnCode = async (): Promise<TurnCode> => {
    const { createTurnCode } = await import("./turnCode.js");
    return createTurnCode({ sessions, identity, canLogIn, openSession, cancelDrainMs, writer, run });
  };
  const turnCode = createLater(async () =>
    readTurnCode().catch((fault: unknown) => {
      log("error", "the agent cannot be loaded", { fault: String(fault) });
      return brokenTurnCode(writer);
    }),
  );
  const sessions = createSessions({ agent, writer, traits, canLogIn, turnCode, limits, log });
  const openSession = newSession(sessions, traits, () => {
    // Whoever has no session yet waits for this answer alone, and reading code would hold it up.
    writer.flush();
    turnCode.readSoon();
  });

  return {
    receive: (message) => {
      // The first session waits for nothing that it does not need; whatever comes behind it keeps its order.
      if (message.kind === "request" && message.method === "session/new" && !turnCode.isWanted()) {
        return run(message, openSession);
      }
      return turnCode.use(({ receive }) => {
        receive(message);
      });
    },
    stop: async () => {
      if (turnCode.isWanted()) await new Promise<unknown>(turnCode.use);
      await sessions.closeAll();
    },
  };
};

/** What is left when an installation is damaged. */
const brokenTurnCode = (writer: Writer): TurnCode => ({
  receive: refuseAll(writer),
  createTelling: () => () => undefined,
  askPermission: async () => Promise.resolve("failed"),
});
