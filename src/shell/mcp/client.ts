/** The SDK's client with answers as values. The SDK is loaded when the first server is started, not before. */
import { type Either, left, right } from "fp-ts/lib/Either.js";
import { isJsonObject, type Json, type JsonObject, member } from "../../core/json.js";
import { oneLine } from "../../core/text.js";
import { SHELL_LIMITS } from "../../core/policy.js";
import { version } from "../version.js";
import { MALFORMED } from "./message.js";
import type { ServerTransport } from "./transport.js";
import { TIMER_MS_MAX } from "./wait.js";

export type Answer =
  | { readonly kind: "result"; readonly result: JsonObject }
  /** A JSON-RPC error: the server is in order, the request is not. */
  | { readonly kind: "rejected"; readonly code: number; readonly message: string }
  /** No usable answer, and none will come: the connection ended, the signal fired, the answer was malformed. */
  | { readonly kind: "lost"; readonly message: string };

export interface McpClient {
  /** When the signal fires the server is told by `notifications/cancelled`, and the answer is `lost` at once. */
  readonly request: (method: string, params: JsonObject, signal: AbortSignal) => Promise<Answer>;
}

const METHOD_NOT_FOUND = -32601;

/** Shakes hands, which the SDK leaves to us (`transport.ts`). `onToolsChanged` is called for every `list_changed`. */
export const connectClient = async (
  transport: ServerTransport,
  signal: AbortSignal,
  onToolsChanged: () => void,
): Promise<Either<string, McpClient>> => {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { LATEST_PROTOCOL_VERSION, McpError, ResultSchema } = await import("@modelcontextprotocol/sdk/types.js");
  const client = new Client({ name: "turnfold", version }, { capabilities: {}, jsonSchemaValidator: NO_VALIDATOR });
  // Pings are answered by the SDK; what else a server may ask is declined in the form that its request has for that.
  client.fallbackRequestHandler = async ({ method }) => {
    if (method === "roots/list") return { roots: [] };
    if (method === "elicitation/create") return { action: "decline" };
    throw new McpError(METHOD_NOT_FOUND, "method not found");
  };
  client.fallbackNotificationHandler = async ({ method }) => {
    if (method === "notifications/tools/list_changed") onToolsChanged();
  };

  const lost = (fault: unknown): Answer => ({
    kind: "lost",
    message: transport.closedWhy() ?? words(fault),
  });
  const request = async (method: string, params: JsonObject, until: AbortSignal): Promise<Answer> => {
    try {
      // The SDK always sets a time limit; ours come by signal, so its own is as long as a timer can be.
      const options = { signal: until, timeout: TIMER_MS_MAX };
      // What `readLine` parsed, passed through by the SDK.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const result = (await client.request({ method, params: { ...params } }, ResultSchema, options)) as Json;
      return isJsonObject(result)
        ? { kind: "result", result }
        : { kind: "lost", message: "the answer holds no result" };
    } catch (fault) {
      const answered = fault instanceof McpError && !until.aborted && transport.closedWhy() === undefined;
      if (!answered || fault.data === MALFORMED) return lost(fault);
      return { kind: "rejected", code: fault.code, message: withoutPrefix(fault.message) };
    }
  };

  try {
    await client.connect(transport.sdk);
    const about = { capabilities: {}, clientInfo: { name: "turnfold", version } };
    const hello = await request("initialize", { protocolVersion: LATEST_PROTOCOL_VERSION, ...about }, signal);
    if (hello.kind !== "result") return left(`initialize: ${hello.message}`);
    // Whichever version it names: of all of them only tools are used, and those are read loosely.
    if (typeof member(hello.result, "protocolVersion") !== "string") return left("initialize: the answer is malformed");
    await client.notification({ method: "notifications/initialized" });
    return right({ request });
  } catch (fault) {
    return left(`initialize: ${words(fault)}`);
  }
};

const LINE_BYTES = SHELL_LIMITS.errorTextBytesMax.default;

const words = (fault: unknown): string => oneLine(withoutPrefix(String(fault)), LINE_BYTES);

const withoutPrefix = (message: string): string => message.replace(/^(?:\w*Error: )?(?:MCP error -?\d+: )?/, "");

/** Never asked: results are read by us. It only spares the SDK the making of its own. */
const NO_VALIDATOR = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "not checked" }),
};
