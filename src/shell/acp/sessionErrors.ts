/** The errors that a request can be answered with once the agent is there, as `errors.ts` has them for the connection. */
import { isSome } from "fp-ts/lib/Option.js";
import type { PromptRefusal, SteerRefusal } from "../../core/effect.js";
import type { ModelFailure } from "../../core/model.js";
import { assertNever } from "../../core/never.js";
import { headBytes, oneLine } from "../../core/text.js";
import type { RpcError } from "../stdio/envelope.js";
import type { OpenFailure } from "./agent.js";
import { INTERNAL, invalidParams, rpcError } from "./errors.js";

const METHOD_NOT_FOUND = -32601;
const AUTHENTICATION_REQUIRED = -32000;
/** Of the model's provider; kept apart from -32000, for which a client would look into `authMethods`. */
const PROVIDER_AUTHENTICATION = -32001;
const NOT_FOUND = -32002;
/** What a client made up as an id is echoed whole as long as a frame stays small: 64 KiB, which escapes may make six times as long. */
const ID_BYTES_MAX = 64 * 1024;

export const methodNotFound = (method: string): RpcError =>
  rpcError(METHOD_NOT_FOUND, `method not found: ${oneLine(method, 256)}`, { kind: "methodNotFound" });
export const unknownSession = (sessionId: string): RpcError =>
  rpcError(NOT_FOUND, "unknown session", { kind: "unknownSession", sessionId: headBytes(sessionId, ID_BYTES_MAX) });

export const promptRefused = (sessionId: string, reason: PromptRefusal): RpcError => {
  switch (reason) {
    case "busy":
      return invalidParams("session/prompt", "a turn is running in this session", reason);
    case "empty":
      return invalidParams("session/prompt", "the prompt is empty", reason);
    case "tooLarge":
      return invalidParams("session/prompt", "the prompt is too large", reason);
    case "closed":
      return unknownSession(sessionId);
    default:
      return assertNever(reason);
  }
};

export const steerRefused = (refusal: SteerRefusal): RpcError =>
  invalidParams("steer", steerFault(refusal), refusal.kind);

const steerFault = (refusal: SteerRefusal): string => {
  switch (refusal.kind) {
    case "noTurn":
      return "no turn is running";
    case "ending":
      return "the turn is ending";
    case "otherRun":
      return `the running turn is ${refusal.activeRunId}`;
    case "empty":
      return "the prompt is empty";
    case "tooMany":
      return "too many steers are waiting";
    case "tooLarge":
      return "the waiting steers are too large together";
    default:
      return assertNever(refusal);
  }
};

/** A client that is told -32000 looks for a way to log in, so it gets that only where there is one. */
export const turnFailed = (failure: ModelFailure, model: string, canLogIn: boolean): RpcError => {
  const data = { kind: failure.kind, model, ...(isSome(failure.status) ? { status: failure.status.value } : {}) };
  switch (failure.kind) {
    case "authentication":
      return rpcError(canLogIn ? AUTHENTICATION_REQUIRED : PROVIDER_AUTHENTICATION, failure.message, data);
    case "modelNotFound":
      return rpcError(NOT_FOUND, failure.message, data);
    case "contextExceeded":
    case "imageUnsupported":
    case "permission":
    case "payment":
    case "requestTooLarge":
    case "invalidRequest":
    case "rateLimited":
    case "overloaded":
    case "serverError":
    case "timeout":
    case "transport":
    case "badReply":
    case "replyTooLarge":
    case "aborted":
    case "internal":
      return rpcError(INTERNAL, failure.message, data);
    default:
      return assertNever(failure.kind);
  }
};

export const notOpened = (failure: OpenFailure, canLogIn: boolean): RpcError => {
  switch (failure.kind) {
    case "invalid":
      return invalidParams("session/new", failure.message);
    case "mcp":
      return rpcError(INTERNAL, failure.message, { kind: "mcp" });
    case "model":
      return turnFailed(failure.failure, failure.model, canLogIn);
    case "aborted":
      return rpcError(INTERNAL, "session/new: the session could not be set up in time", { kind: "timeout" });
    default:
      return assertNever(failure);
  }
};
