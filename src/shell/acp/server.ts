/**
 * The ACP server, for any agent: messages in, answers out. `initialize` is not among them: it has been answered by the
 * connection, since it must not wait for the code that is loaded here.
 */
import { isRight, left } from "fp-ts/lib/Either.js";
import { member, type Json } from "../../core/json.js";
import type { ShellLimits } from "../../core/policy.js";
import type { Log } from "../log.js";
import { errorFrame, resultFrame, type Incoming, type RequestId } from "../stdio/envelope.js";
import type { Writer } from "../stdio/writer.js";
import type { Agent, AgentIdentity } from "./agent.js";
import { createClientRequests } from "./clientRequests.js";
import { internalError } from "./errors.js";
import { offeredLogins, type ClientTraits } from "./initialize.js";
import { createMethods, type Answer } from "./methods.js";
import { methodNotFound } from "./sessionErrors.js";
import { createSessions, type OpenSession } from "./sessions.js";

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
  const sessions = createSessions({ agent, writer, requests, traits, canLogIn, limits, log });
  const methods = createMethods({ sessions, identity, canLogIn, traits, cancelDrainMs: limits.cancelDrainMs });

  const request = (id: RequestId, method: string, params: Json): void => {
    const reply = (answer: Answer): void => {
      writer.respond(isRight(answer) ? resultFrame(id, answer.right) : errorFrame(id, answer.left));
    };
    const run = methods.get(method);
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

  return {
    receive: (message) => {
      switch (message.kind) {
        case "request":
          return request(message.id, message.method, message.params);
        case "notification":
          return notification(message.method, message.params);
        case "response":
          return requests.answered(message.id, message.result);
        case "invalid":
          return writer.send(errorFrame(message.id, message.error));
      }
    },
    stop: sessions.closeAll,
  };
};
