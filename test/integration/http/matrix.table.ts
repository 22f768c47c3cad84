/** What becomes of a model request, whatever the provider does: every situation at every provider. The docs show this table. */

export const COLUMNS = [
  "anthropic",
  "openai (Chat)",
  "openai (Responses)",
  "openrouter",
  "databricks",
  "databricks_v2 (Claude)",
  "databricks_v2 (GPT)",
  "databricks_v2 (others)",
  "deepseek",
  "ollama",
  "huggingface",
] as const;
export type Column = (typeof COLUMNS)[number];

export interface Row {
  readonly situation: Situation;
  /** What the turn loop gets, after how many HTTP requests. */
  readonly outcome: string;
  readonly except?: Partial<Record<Column, string>>;
}

export type Situation =
  | "text"
  | "a tool call"
  | "parallel tool calls"
  | "an image in a tool result"
  | "thinking"
  | "cut off at the output limit"
  | "refusal"
  | "empty message with a stop reason"
  | "context exceeded (400)"
  | "image refused (400)"
  | "image refused (404)"
  | "other 400"
  | "302"
  | "401"
  | "402"
  | "403"
  | "404"
  | "408"
  | "413"
  | "429"
  | "429, quota used up"
  | "429, then a reply"
  | "499"
  | "500"
  | "503"
  | "529"
  | "Responses demanded (400)"
  | "silence before the headers"
  | "silence in the body"
  | "connection dropped before the response"
  | "connection dropped in the body"
  | "body that is cut-off JSON"
  | "HTML page with 200"
  | "empty body with 200"
  | "overload error inside a 200"
  | "request error inside a 200"
  | "reply of another dialect"
  | "reply over 16 MiB";

const upgraded = "reply: end, 2 requests";

export const TABLE: readonly Row[] = [
  { situation: "text", outcome: "reply: end, 1 request" },
  { situation: "a tool call", outcome: "reply: toolUse, 1 call, 1 request" },
  { situation: "parallel tool calls", outcome: "reply: toolUse, 2 calls, 1 request" },
  { situation: "an image in a tool result", outcome: "reply: end, image sent, 1 request" },
  {
    situation: "thinking",
    outcome: "reply: end, thought shown, 1 request",
    except: {
      anthropic: "reply: end, thought shown and replayed, 1 request",
      "openai (Responses)": "reply: end, thought shown and replayed, 1 request",
      openrouter: "reply: end, thought shown and replayed, 1 request",
      "databricks_v2 (Claude)": "reply: end, thought shown and replayed, 1 request",
      "databricks_v2 (GPT)": "reply: end, thought shown and replayed, 1 request",
      deepseek: "reply: end, thought shown and replayed, 1 request",
    },
  },
  { situation: "cut off at the output limit", outcome: "reply: cutOff, 1 request" },
  { situation: "refusal", outcome: "reply: refusal, 1 request" },
  { situation: "empty message with a stop reason", outcome: "reply: end, 1 request" },
  { situation: "context exceeded (400)", outcome: "contextExceeded, 1 request" },
  { situation: "image refused (400)", outcome: "imageUnsupported, 1 request" },
  { situation: "image refused (404)", outcome: "imageUnsupported, 1 request" },
  { situation: "other 400", outcome: "invalidRequest, 1 request" },
  { situation: "302", outcome: "badReply, 1 request" },
  { situation: "401", outcome: "authentication, 1 request" },
  { situation: "402", outcome: "payment, 1 request" },
  { situation: "403", outcome: "authentication, 1 request", except: { openrouter: "permission, 1 request" } },
  { situation: "404", outcome: "modelNotFound, 1 request" },
  { situation: "408", outcome: "timeout, 1 request" },
  { situation: "413", outcome: "requestTooLarge, 1 request" },
  { situation: "429", outcome: "rateLimited, 3 requests" },
  { situation: "429, quota used up", outcome: "payment, 1 request" },
  { situation: "429, then a reply", outcome: "reply: end, 2 requests" },
  { situation: "499", outcome: "serverError, 3 requests" },
  { situation: "500", outcome: "serverError, 3 requests" },
  { situation: "503", outcome: "overloaded, 3 requests" },
  { situation: "529", outcome: "overloaded, 3 requests" },
  {
    situation: "Responses demanded (400)",
    outcome: "invalidRequest, 1 request",
    except: { "openai (Chat)": upgraded, deepseek: upgraded },
  },
  { situation: "silence before the headers", outcome: "timeout, 3 requests" },
  { situation: "silence in the body", outcome: "timeout, 3 requests" },
  { situation: "connection dropped before the response", outcome: "transport, 3 requests" },
  { situation: "connection dropped in the body", outcome: "transport, 3 requests" },
  { situation: "body that is cut-off JSON", outcome: "badReply, 3 requests" },
  { situation: "HTML page with 200", outcome: "badReply, 3 requests" },
  { situation: "empty body with 200", outcome: "badReply, 3 requests" },
  { situation: "overload error inside a 200", outcome: "overloaded, 3 requests" },
  { situation: "request error inside a 200", outcome: "invalidRequest, 1 request" },
  { situation: "reply of another dialect", outcome: "badReply, 1 request" },
  { situation: "reply over 16 MiB", outcome: "replyTooLarge, 1 request" },
];
