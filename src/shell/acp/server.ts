/**
 * The ACP server, for any agent: messages in, answers out. `initialize` is not among them: it has been answered by the
 * connection, since it must not wait for the code that is loaded here.
 */
import { isRight, left } from "fp-ts/lib/Either.js";
import { member, type Json } from "../../core/json.js";
import type { ShellLimits } from "../../core/policy.js";
import { createLater } from "../later.js";
import type { Log } from "../log.js";
import { errorFrame, resultFrame, type Incoming, type RequestId } from "../stdio/envelope.js";
import type { Writer } from "../stdio/writer.js";
import type { Agent, AgentIdentity } from "./agent.js";
import { createClientRequests } from "./clientRequests.js";
import { internalError } from "./errors.js";
import { offeredLogins, type ClientTraits } from "./initialize.js";
import type { Answer, Method, Methods } from "./methods.js";
import { newSession } from "./newSession.js";
import { methodNotFound } from "./sessionErrors.js";
import { createSessions, type OpenSession } from "./sessions.js";
import type { TurnCode } from "./turnCode.js";

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
  const requests = createClientRequests(writer);
  const canLogIn = (): boolean => offeredLogins(identity, traits()).length > 0;
  const turnCode = createLater(async () =>
    import("./turnCode.js").catch((fault: unknown) => {
      log("error", "the agent cannot be loaded", { fault: String(fault) });
      return brokenTurnCode;
    }),
  );
  const sessions = createSessions({ agent, writer, requests, traits, canLogIn, turnCode, limits, log });
  const openSession = newSession(sessions, traits, writer.flush);
  const methodsOf = ({ createMethods }: TurnCode): Methods =>
    createMethods({ sessions, identity, canLogIn, openSession, cancelDrainMs: limits.cancelDrainMs });
  let methods: Methods | undefined;

  const replyTo =
    (id: RequestId) =>
    (answer: Answer): void => {
      writer.respond(isRight(answer) ? resultFrame(id, answer.right) : errorFrame(id, answer.left));
    };

  const request = (id: RequestId, method: string, params: Json, run: Method | undefined): void => {
    const reply = replyTo(id);
    if (run === undefined) return reply(left(methodNotFound(method)));
    try {
      return run({ id, params, reply });
    } catch (fault) {
      log("error", "a request failed in our own code", { method, fault: String(fault) });
      return reply(left(internalError(`${method}: internal error`)));
    }
  };

  /** The session that a notification wants cancelled; everything else that comes as a notification is ignored. */
  const cancelled = (method: string, params: Json): OpenSession | undefined => {
    if (method === "session/cancel") return sessions.find(member(params, "sessionId"));
    if (method === "$/cancel_request") return sessions.prompting(member(params, "requestId"));
    return undefined;
  };

  const notification = (method: string, params: Json): void => {
    const open = cancelled(method, params);
    open?.session.cancel(limits.cancelDrainMs);
  };

  const handle = (message: Incoming, code: TurnCode): void => {
    switch (message.kind) {
      case "request":
        methods ??= methodsOf(code);
        return request(message.id, message.method, message.params, methods.get(message.method));
      case "notification":
        return notification(message.method, message.params);
      case "response":
        return requests.answered(message.id, message.result);
      case "invalid":
        return writer.send(errorFrame(message.id, message.error));
    }
  };

  return {
    receive: (message) => {
      if (message.kind !== "request" || message.method !== "session/new" || turnCode.isUsed())
        return turnCode.use((code) => {
          handle(message, code);
        });
      // The first sessions wait for nothing that they do not need; whatever comes behind them keeps its order.
      request(message.id, message.method, message.params, openSession);
      return turnCode.readSoon();
    },
    stop: async () => {
      if (turnCode.isUsed()) await new Promise<unknown>(turnCode.use);
      await sessions.closeAll();
    },
  };
};

/** What is left when an installation is damaged: every request is still answered. */
const brokenTurnCode: TurnCode = {
  createMethods: () => ({
    get: () => (call) => {
      call.reply(left(internalError("the agent cannot be loaded")));
    },
  }),
  createTelling: () => () => undefined,
  askPermission: async () => Promise.resolve("failed"),
};
