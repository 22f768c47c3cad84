/**
 * The part of the server that has something to do only once a session is open: every message but the first `session/new`, and
 * what is told of a turn. Read behind the answer to that.
 */
import { left } from "fp-ts/lib/Either.js";
import type { PermissionAnswer } from "../../core/event.js";
import { member, type Json } from "../../core/json.js";
import { errorFrame, type Incoming } from "../stdio/envelope.js";
import type { Writer } from "../stdio/writer.js";
import type { PermissionQuestion } from "./agent.js";
import { createClientRequests } from "./clientRequests.js";
import { createMethods, type Method, type MethodsDeps } from "./methods.js";
import { askPermission } from "./permission.js";
import { methodNotFound } from "./sessionErrors.js";
import type { OpenSession } from "./sessions.js";
import { createTelling } from "./telling.js";

export interface TurnCode {
  readonly receive: (message: Incoming) => void;
  readonly askPermission: (
    sessionId: string,
    question: PermissionQuestion,
    signal: AbortSignal,
  ) => Promise<PermissionAnswer>;
  readonly createTelling: typeof createTelling;
}

export type Request = Extract<Incoming, { readonly kind: "request" }>;

export interface TurnCodeDeps extends MethodsDeps {
  readonly writer: Writer;
  /** Gives the request to the method, and its answer to the client. */
  readonly run: (request: Request, method: Method) => void;
}

const unknownMethod =
  (name: string): Method =>
  ({ reply }) => {
    reply(left(methodNotFound(name)));
  };

export const createTurnCode = (deps: TurnCodeDeps): TurnCode => {
  const { sessions, writer, run, cancelDrainMs } = deps;
  const requests = createClientRequests(writer);
  const methods = createMethods(deps);

  /** The session that a notification wants cancelled; everything else that comes as a notification is ignored. */
  const cancelled = (method: string, params: Json): OpenSession | undefined => {
    if (method === "session/cancel") return sessions.find(member(params, "sessionId"));
    if (method === "$/cancel_request") return sessions.prompting(member(params, "requestId"));
    return undefined;
  };

  return {
    receive: (message) => {
      switch (message.kind) {
        case "request":
          return run(message, methods.get(message.method) ?? unknownMethod(message.method));
        case "notification":
          return cancelled(message.method, message.params)?.session.cancel(cancelDrainMs);
        case "response":
          return requests.answered(message.id, message.result);
        case "invalid":
          return writer.send(errorFrame(message.id, message.error));
      }
    },
    askPermission: async (sessionId, question, signal) => askPermission(requests, sessionId, question, signal),
    createTelling,
  };
};
