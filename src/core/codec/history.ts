/** Codecs of `history.ts`. */
import type {
  AssistantItem,
  History,
  HistoryItem,
  HookNote,
  Outcome,
  ResultPart,
  ToolCall,
  ToolExchange,
  ToolResult,
  UserItem,
  UserOrigin,
} from "../history.js";
import { flag, integer, list, option, struct, tagged, text, words, type Fields } from "./basics.js";
import { hookPoint, replayData } from "./model.js";

export const resultPart = tagged<ResultPart, "kind">("result part", "kind", {
  text: { text },
  image: { mimeType: text, dataBase64: text },
});

const toolResult = struct<ToolResult>("tool result", { parts: list(resultPart), isError: flag });

export const toolCall = struct<ToolCall>("tool call", {
  key: text,
  providerId: text,
  name: text,
  argumentsText: text,
  extra: text,
});

const outcome = tagged<Outcome, "kind">("outcome", "kind", { open: {}, closed: { result: toolResult } });

const exchange = struct<ToolExchange>("tool exchange", { call: toolCall, outcome });

const user: Fields<Omit<UserItem, "kind">> = {
  turn: integer,
  origin: words<UserOrigin>({ prompt: true, steer: true, handoff: true, feedback: true }),
  text,
};

const assistant: Fields<Omit<AssistantItem, "kind">> = {
  turn: integer,
  text,
  exchanges: list(exchange),
  replay: option(replayData),
};

const hookNote: Fields<Omit<HookNote, "kind">> = { turn: integer, hook: hookPoint, server: text, text };

/** The union of one: a prompt or a delivered steer is always a user item. */
export const userItem = tagged<UserItem, "kind">("user item", "kind", { user });

const historyItem = tagged<HistoryItem, "kind">("history item", "kind", { user, assistant, hookNote });

export const history = struct<History>("history", {
  revision: integer,
  chunks: list(list(historyItem)),
  length: integer,
  bytes: integer,
  pressureBytes: integer,
});
