/**
 * One line of a server as the SDK will take it, or noise. The SDK's own reading is strict, and an answer that it does not
 * understand leaves its call waiting for ever; therefore an answer is rebuilt here from what counts, and a malformed one
 * becomes an error answer to its call.
 */
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { isRight } from "fp-ts/lib/Either.js";
import { isJsonObject, type Json, type JsonObject, member, parseJson } from "../../core/json.js";

export type Line =
  | { readonly kind: "message"; readonly message: JSONRPCMessage }
  /** Not JSON, or JSON that is no JSON-RPC: a banner, a log line (F72). */
  | { readonly kind: "noise" };

/** Marks an error answer as made here; recognised by identity. */
export const MALFORMED: JsonObject = { malformed: true };

const NOISE: Line = { kind: "noise" };

// The SDK's type says what it expects to read; what it really gets is judged by it again, field by field.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const asMessage = (value: JsonObject): Line => ({ kind: "message", message: value as unknown as JSONRPCMessage });

/** `redact` is given what the server says, but not the names by which it is spoken to. */
export const readLine = (line: string, redact: (text: string) => string): Line => {
  const parsed = parseJson(line);
  if (!isRight(parsed) || !isJsonObject(parsed.right)) return NOISE;
  const value = parsed.right;
  clean(value, redact);
  if (member(value, "jsonrpc") !== "2.0") return NOISE;
  const id = member(value, "id");
  if (typeof member(value, "method") === "string") return asMessage(value);
  return typeof id === "number" || typeof id === "string" ? asMessage(answer(value, id)) : NOISE;
};

// An array is one as well, under its indices; and nobody else holds what has just been parsed.
type Container = Record<string | number, unknown>;
const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null;

/** In place, and without recursion: a server may nest as deep as its line is long. */
const changeStrings = (root: unknown, change: (text: string) => string): void => {
  const open = [root];
  const visit = (container: Container, key: string | number): void => {
    const value = container[key];
    if (typeof value !== "string") {
      if (isContainer(value)) open.push(value);
      return;
    }
    const changed = change(value);
    if (changed !== value) container[key] = changed;
  };
  for (let container = open.pop(); isContainer(container); container = open.pop()) {
    // By index: a key for each of millions of elements took seconds.
    if (Array.isArray(container)) for (let index = 0; index < container.length; index += 1) visit(container, index);
    else for (const key of Object.keys(container)) visit(container, key);
  }
};

/**
 * Ids, methods and cursors go back to the server as they came, and so do the names in a list of tools and in their schemas: of a
 * tool only its description is shown. A password that is a common word would otherwise make `postgres_query` uncallable.
 */
const clean = (value: JsonObject, redact: (text: string) => string): void => {
  changeStrings(member(value, "params"), redact);
  changeStrings(member(value, "error"), redact);
  const result = member(value, "result");
  const tools = member(result, "tools");
  if (!Array.isArray(tools)) return changeStrings(result, redact);
  for (const tool of tools as readonly unknown[]) {
    if (isContainer(tool) && typeof tool["description"] === "string") tool["description"] = redact(tool["description"]);
  }
  // The result of a call is the server's to shape, and may have a member of that name as well.
  changeStrings(member(result, "content"), redact);
  changeStrings(member(result, "structuredContent"), redact);
};

const answer = (value: JsonObject, id: number | string): JsonObject => {
  const error = member(value, "error");
  const result = member(value, "result");
  if (isJsonObject(error)) return { jsonrpc: "2.0", id, error: errorOf(error) };
  // `_meta` is nothing to us, and a strange one would spoil the answer.
  if (isJsonObject(result)) return { jsonrpc: "2.0", id, result: withoutMeta(result) };
  return { jsonrpc: "2.0", id, error: { code: -32603, message: "the answer holds no result", data: MALFORMED } };
};

const errorOf = (error: JsonObject): JsonObject => {
  const code = member(error, "code");
  const message = member(error, "message");
  const text: Json = typeof message === "string" ? message : "no reason given";
  return { code: typeof code === "number" && Number.isSafeInteger(code) ? code : -32603, message: text };
};

const withoutMeta = (result: JsonObject): JsonObject =>
  Object.hasOwn(result, "_meta")
    ? Object.fromEntries(Object.entries(result).filter(([key]) => key !== "_meta"))
    : result;
