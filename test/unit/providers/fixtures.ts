/** Requests, hosts and answers for the tests of the dialects. */
import { none, type Option, some } from "fp-ts/lib/Option.js";
import { type Json, parseJson } from "../../../src/core/json.js";
import type {
  AssistantItem,
  HistoryItem,
  HookNote,
  ResultPart,
  ToolExchange,
  UserItem,
} from "../../../src/core/history.js";
import type {
  ModelFailure,
  ModelReply,
  ModelRequest,
  ReplayData,
  SummaryRequest,
  Tool,
} from "../../../src/core/model.js";
import type { Decoded, Dialect, HttpRequest, HttpResponse } from "../../../src/providers/dialect.js";
import { dialectFor } from "../../../src/providers/registry.js";
import { PROVIDERS, type ProviderName, type ProviderSettings } from "../../../src/providers/settings.js";

export const NOW_MS = 1_700_000_000_000;

/** A provider at a host of its own, so that nothing depends on OpenAI's name unless a test says so. */
export const provider = (name: ProviderName, over: Partial<ProviderSettings> = {}): ProviderSettings => ({
  name,
  title: PROVIDERS.find((entry) => entry.name === name)?.title ?? name,
  baseUrl: "https://host.example/v1",
  api: "auto",
  anthropicVersion: "2023-06-01",
  thinkingSummary: "auto",
  promptCaching: false,
  ...over,
});

export const dialect = (name: ProviderName, model = "model-1", over: Partial<ProviderSettings> = {}): Dialect =>
  dialectFor(provider(name, over), model, false);

export const responses = (over: Partial<ProviderSettings> = {}): Dialect =>
  dialect("openai", "model-1", { api: "responses", ...over });

export const user = (text: string): UserItem => ({ kind: "user", turn: 1, origin: "prompt", text });

export const note = (text: string, server = "guard"): HookNote => ({
  kind: "hookNote",
  turn: 1,
  hook: "_Stop",
  server,
  text,
});

export const textPart = (text: string): ResultPart => ({ kind: "text", text });
export const image = (dataBase64 = "QUJD", mimeType = "image/png"): ResultPart => ({
  kind: "image",
  mimeType,
  dataBase64,
});

export interface CallParts {
  readonly id?: string;
  readonly name?: string;
  readonly argumentsText?: string;
  readonly extra?: string;
  readonly parts?: readonly ResultPart[];
  readonly isError?: boolean;
}

export const exchange = (call: CallParts = {}): ToolExchange => ({
  call: {
    key: `key-${call.id ?? "1"}`,
    providerId: call.id ?? "call_1",
    name: call.name ?? "files__read",
    argumentsText: call.argumentsText ?? '{"path":"a"}',
    extra: call.extra ?? "",
  },
  outcome: { kind: "closed", result: { parts: call.parts ?? [textPart("done")], isError: call.isError ?? false } },
});

export const assistant = (
  text: string,
  exchanges: readonly ToolExchange[] = [],
  replay: Option<ReplayData> = none,
): AssistantItem => ({ kind: "assistant", turn: 1, text, exchanges, replay });

export const tool: Tool = {
  name: "files__read",
  description: "Reads a file.",
  schema: '{"type":"object","properties":{"path":{"type":"string"}}}',
  readOnly: true,
  builtIn: false,
};

export interface RequestParts {
  readonly model?: string;
  readonly effort?: string;
  readonly maxOutputTokens?: number;
  readonly system?: string;
  readonly tools?: readonly Tool[];
}

const settingsOf = ({ model = "model-1", effort, maxOutputTokens = 4096 }: RequestParts): ModelRequest["settings"] => ({
  model,
  effort: effort === undefined ? none : some(effort),
  windowTokens: 200_000,
  maxOutputTokens,
  authority: none,
});

export const request = (history: readonly HistoryItem[], parts: RequestParts = {}): ModelRequest => ({
  settings: settingsOf(parts),
  system: parts.system ?? "Be brief.",
  tools: parts.tools ?? [tool],
  history,
  maxOutputTokens: parts.maxOutputTokens ?? 4096,
});

export const summary = (parts: RequestParts = {}): SummaryRequest => ({
  settings: settingsOf(parts),
  system: "Summarise.",
  prompt: "All of it.",
  maxOutputTokens: 1024,
});

export const parse = (text: string): Json => {
  const parsed = parseJson(text);
  if (parsed._tag === "Left") throw new Error(`${parsed.left}: ${text}`);
  return parsed.right;
};

export const bodyText = (sent: HttpRequest): string => sent.body.join("");

/** The body that is sent, parsed. Typed loosely: tests say what they expect of it. */
export const body = (
  spoken: Dialect,
  history: readonly HistoryItem[],
  parts: RequestParts = {},
): Record<string, unknown> => parse(bodyText(spoken.encode(request(history, parts)))) as Record<string, unknown>;

export const summaryBody = (spoken: Dialect, parts: RequestParts = {}): Record<string, unknown> =>
  parse(bodyText(spoken.encodeSummary(summary(parts)))) as Record<string, unknown>;

export const answer = (
  status: number,
  text: string | object,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  status,
  headers,
  body: typeof text === "string" ? text : JSON.stringify(text),
});

export const decode = (spoken: Dialect, response: HttpResponse, model = "model-1"): Decoded =>
  spoken.decode(response, model, NOW_MS);

export const reply = (spoken: Dialect, text: string | object, model = "model-1"): ModelReply => {
  const decoded = decode(spoken, answer(200, text), model);
  if (decoded.kind === "failure") throw new Error(decoded.failure.message);
  return decoded.reply;
};

export const failureOf = (spoken: Dialect, response: HttpResponse): ModelFailure => {
  const decoded = decode(spoken, response);
  if (decoded.kind === "reply") throw new Error("a reply");
  return decoded.failure;
};

export const chatReply = (message: object, finish: string | null = "stop", usage: object = {}): object => ({
  choices: [{ index: 0, finish_reason: finish, message }],
  usage,
});

export const messagesReply = (
  content: readonly object[],
  stop: string | null = "end_turn",
  usage: object = {},
): object => ({
  type: "message",
  role: "assistant",
  content,
  stop_reason: stop,
  usage,
});

export const responsesReply = (output: readonly object[], over: object = {}): object => ({
  object: "response",
  status: "completed",
  output,
  ...over,
});
