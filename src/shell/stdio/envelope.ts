/**
 * JSON-RPC 2.0 envelopes, both ways. Decoding is total: whatever stands on a line is a request, a notification, a response to a
 * request of ours, or something that gets an error with `id: null` or with its own id (`spec/server-mcp.md` 3.1).
 */
import { type Either, isLeft, left, right } from "fp-ts/lib/Either.js";
import { isJsonObject, member, parseJson, stringifyJson, type Json, type JsonObject } from "../../core/json.js";
import { oneLine } from "../../core/text.js";

/** Echoed with its type; integers of any size. */
export type RequestId = string | number | bigint | null;

export interface RpcError {
  readonly code: number;
  /** One line, not empty. */
  readonly message: string;
  readonly data: JsonObject;
}

export type Incoming =
  | { readonly kind: "request"; readonly id: RequestId; readonly method: string; readonly params: Json }
  | { readonly kind: "notification"; readonly method: string; readonly params: Json }
  /** Left: the peer said no, or said something that is neither a result nor an error. */
  | { readonly kind: "response"; readonly id: RequestId; readonly result: Either<string, Json> }
  | { readonly kind: "invalid"; readonly id: RequestId; readonly error: RpcError };

const FAULT_BYTES_MAX = 256;
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;

const invalid = (id: RequestId, message: string): Incoming => ({
  kind: "invalid",
  id,
  error: { code: INVALID_REQUEST, message, data: { kind: "invalidRequest" } },
});

export const decodeFrame = (text: string): Incoming => {
  const parsed = parseJson(text);
  if (isLeft(parsed)) {
    // The fault quotes the text, line ends and all.
    const message = oneLine(`not JSON: ${parsed.left}`, FAULT_BYTES_MAX);
    const error = { code: PARSE_ERROR, message, data: { kind: "parse" } };
    return { kind: "invalid", id: null, error };
  }
  const value = parsed.right;
  return isJsonObject(value)
    ? decodeObject(value)
    : invalid(null, "a message is one JSON object; there are no batches");
};

const decodeObject = (message: JsonObject): Incoming => {
  const method = member(message, "method");
  const id = requestId(member(message, "id"));
  // A response is taken from the sloppiest client: an error sent in answer to an answer would help nobody.
  if (typeof method !== "string" && (Object.hasOwn(message, "result") || Object.hasOwn(message, "error"))) {
    return id === undefined
      ? invalid(null, "a response needs an id")
      : { kind: "response", id, result: resultOf(message) };
  }
  if (Object.hasOwn(message, "id") && id === undefined) return invalid(null, "an id is a string, an integer or null");
  if (message["jsonrpc"] !== "2.0") return invalid(id ?? null, 'the member jsonrpc must be "2.0"');
  if (typeof method !== "string") return invalid(id ?? null, "a message needs a method that is a string");
  const params = member(message, "params") ?? null;
  return id === undefined ? { kind: "notification", method, params } : { kind: "request", id, method, params };
};

/** The value as an id, or undefined if it is none. */
export const requestId = (value: Json | undefined): RequestId | undefined => {
  if (value === null || typeof value === "string" || typeof value === "bigint") return value;
  return typeof value === "number" && Number.isInteger(value) ? value : undefined;
};

const resultOf = (message: JsonObject): Either<string, Json> => {
  const result = member(message, "result");
  const error = member(message, "error");
  if (error === undefined && result !== undefined) return right(result);
  if (result !== undefined) return left("both a result and an error");
  const text = member(error, "message");
  return left(typeof text === "string" ? text : "an error without a message");
};

/** For maps: ids of different types never meet. */
export const idKey = (id: RequestId): string => `${typeof id}:${String(id)}`;

// Raw line separators are legal in JSON and break line readers that know more line ends than one (`spec/acp.md` 3.5 #45).
const frame = (message: JsonObject): string =>
  stringifyJson(message).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");

const jsonrpc = "2.0";

export const resultFrame = (id: RequestId, result: Json): string => frame({ jsonrpc, id, result });
export const errorFrame = (id: RequestId, error: RpcError): string =>
  frame({ jsonrpc, id, error: { code: error.code, message: error.message, data: error.data } });
export const requestFrame = (id: RequestId, method: string, params: JsonObject): string =>
  frame({ jsonrpc, id, method, params });
export const notificationFrame = (method: string, params: JsonObject): string => frame({ jsonrpc, method, params });
