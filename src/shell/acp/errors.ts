/** Every error that a request can be answered with: code, one line, and `data.kind` to act upon. */
import { isSome } from "fp-ts/lib/Option.js";
import type { JsonObject } from "../../core/json.js";
import type { PromptRefusal, SteerRefusal } from "../../core/effect.js";
import type { ModelFailure } from "../../core/model.js";
import { assertNever } from "../../core/never.js";
import { defaultShellLimits } from "../../core/policy.js";
import { headBytes, oneLine } from "../../core/text.js";
import { INVALID_REQUEST, type RpcError } from "../stdio/envelope.js";
import type { Frame } from "../stdio/frameReader.js";
import type { OpenFailure } from "./agent.js";

const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;
const AUTHENTICATION_REQUIRED = -32000;
/** Of the model's provider; kept apart from -32000, for which a client would look into `authMethods`. */
const PROVIDER_AUTHENTICATION = -32001;
const NOT_FOUND = -32002;
/** What a client made up as an id is echoed whole as long as a frame stays small: 64 KiB, which escapes may make six times as long. */
const ID_BYTES_MAX = 64 * 1024;

const rpcError = (code: number, message: string, data: JsonObject): RpcError => ({
  code,
  message: oneLine(message, defaultShellLimits.errorTextBytesMax) || "unknown error",
  data,
});

export const methodNotFound = (method: string): RpcError =>
  rpcError(METHOD_NOT_FOUND, `method not found: ${oneLine(method, 256)}`, { kind: "methodNotFound" });
export const invalidParams = (method: string, fault: string, kind = "invalidParams"): RpcError =>
  rpcError(INVALID_PARAMS, `${method}: ${fault}`, { kind });
export const notInitialized = (): RpcError =>
  rpcError(INVALID_REQUEST, "initialize must come first", { kind: "notInitialized" });
export const unreadableFrame = (frame: Extract<Frame, { kind: "tooLong" | "notUtf8" }>): RpcError =>
  rpcError(
    INVALID_REQUEST,
    frame.kind === "tooLong" ? `a frame is longer than ${frame.maxLineBytes} bytes` : "a frame is not valid UTF-8",
    { kind: frame.kind },
  );
export const unknownSession = (sessionId: string): RpcError =>
  rpcError(NOT_FOUND, "unknown session", { kind: "unknownSession", sessionId: headBytes(sessionId, ID_BYTES_MAX) });
export const internalError = (message: string): RpcError => rpcError(INTERNAL, message, { kind: "internal" });

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
