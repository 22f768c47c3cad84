/** The errors that a frame can be answered with whatever the agent is: code, one line, and `data.kind` to act upon. */
import type { JsonObject } from "../../core/json.js";
import { defaultShellLimits } from "../../core/policy.js";
import { oneLine } from "../../core/text.js";
import { INVALID_REQUEST, type RpcError } from "../stdio/envelope.js";
import type { Frame } from "../stdio/frameReader.js";

const INVALID_PARAMS = -32602;
export const INTERNAL = -32603;

export const rpcError = (code: number, message: string, data: JsonObject): RpcError => ({
  code,
  message: oneLine(message, defaultShellLimits.errorTextBytesMax) || "unknown error",
  data,
});

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
export const internalError = (message: string): RpcError => rpcError(INTERNAL, message, { kind: "internal" });
