// Every provider in every situation, over the real port, the real undici and a real server: the turn loop gets what the table
// says. It kills: a status that only one dialect knows, a retry that one provider lacks, an outage that reads as an empty reply.
import type { RequestListener } from "node:http";
import { none } from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import type { ModelReply, ModelRequest } from "../../../src/core/model.js";
import {
  demandsResponses,
  dialectFor,
  type ProviderName,
  type ProviderSettings,
} from "../../../src/providers/index.js";
import type { Asking } from "./asking.js";
import {
  assistant,
  chatReply,
  exchange,
  image,
  messagesReply,
  provider,
  request,
  responsesReply,
  user,
} from "../../unit/providers/fixtures.js";
import { modelPort } from "./asking.js";
import { COLUMNS, type Column, type Situation, TABLE } from "./matrix.table.js";
import { answering, respond } from "./servers.js";

type Family = "messages" | "chat" | "responses";

interface Place {
  readonly name: ProviderName;
  readonly model: string;
  readonly family: Family;
  readonly over: Partial<ProviderSettings>;
}

const place = (name: ProviderName, family: Family, model = "model-1", over: Partial<ProviderSettings> = {}): Place => ({
  name,
  model,
  family,
  over,
});

const PLACES: Readonly<Record<Column, Place>> = {
  anthropic: place("anthropic", "messages"),
  "openai (Chat)": place("openai", "chat"),
  "openai (Responses)": place("openai", "responses", "gpt-5", { api: "responses" }),
  openrouter: place("openrouter", "chat", "anthropic/x", { promptCaching: true }),
  databricks: place("databricks", "chat"),
  "databricks_v2 (Claude)": place("databricks_v2", "messages", "databricks-claude-opus-5"),
  "databricks_v2 (GPT)": place("databricks_v2", "responses", "databricks-gpt-5-5"),
  "databricks_v2 (others)": place("databricks_v2", "chat", "llama"),
  deepseek: place("deepseek", "chat"),
  ollama: place("ollama", "chat"),
  huggingface: place("huggingface", "chat"),
};

interface Replies {
  readonly text: object;
  readonly call: object;
  readonly calls: object;
  readonly thinking: object;
  readonly cutOff: object;
  readonly refusal: object;
  readonly empty: object;
  readonly foreign: object;
}

const said = { type: "text", text: "hello" };
const use = (id: string) => ({ type: "tool_use", id, name: "files__read", input: { path: "a" } });
const called = (id: string) => ({ id, type: "function", function: { name: "files__read", arguments: '{"path":"a"}' } });
const functionCall = (call_id: string) => ({
  type: "function_call",
  call_id,
  name: "files__read",
  arguments: '{"path":"a"}',
});
const output = (text: string) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
const hello = { role: "assistant", content: "hello" };
const thoughts = { reasoning_content: "SECRETLY", reasoning_details: [{ type: "reasoning.text", text: "SECRETLY" }] };
const reasoning = {
  type: "reasoning",
  id: "rs",
  summary: [{ type: "summary_text", text: "SECRETLY" }],
  encrypted_content: "ZW5j",
};

const REPLIES: Readonly<Record<Family, Replies>> = {
  messages: {
    text: messagesReply([said]),
    call: messagesReply([use("c1")], "tool_use"),
    calls: messagesReply([use("c1"), use("c2")], "tool_use"),
    thinking: messagesReply([{ type: "thinking", thinking: "SECRETLY", signature: "c2ln" }, said]),
    cutOff: messagesReply([said, use("c1")], "max_tokens"),
    refusal: messagesReply([said], "refusal"),
    empty: messagesReply([]),
    foreign: chatReply(hello),
  },
  chat: {
    text: chatReply(hello),
    call: chatReply({ content: null, tool_calls: [called("c1")] }, "tool_calls"),
    calls: chatReply({ content: null, tool_calls: [called("c1"), called("c2")] }, "tool_calls"),
    thinking: chatReply({ ...hello, ...thoughts }),
    cutOff: chatReply({ ...hello, tool_calls: [called("c1")] }, "length"),
    refusal: chatReply(hello, "content_filter"),
    empty: chatReply({ content: "" }),
    foreign: messagesReply([said]),
  },
  responses: {
    text: responsesReply([output("hello")]),
    call: responsesReply([functionCall("c1")]),
    calls: responsesReply([functionCall("c1"), functionCall("c2")]),
    thinking: responsesReply([reasoning, output("hello")]),
    cutOff: responsesReply([output("hello")], {
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
    }),
    refusal: responsesReply([{ type: "message", content: [{ type: "refusal", refusal: "no" }] }]),
    empty: responsesReply([]),
    foreign: chatReply(hello),
  },
};

const json = (status: number, body: object): RequestListener => respond(status, JSON.stringify(body));
const failing = (status: number, message: string, over: object = {}): RequestListener =>
  json(status, { error: { message, ...over } });
const silent: RequestListener = () => undefined;
const silentInBody: RequestListener = (_request, response) => void response.writeHead(200).write('{"');
const dropped: RequestListener = (incoming) => void incoming.socket.destroy();
const droppedInBody: RequestListener = (incoming, response) =>
  void response.writeHead(200, { "content-length": "100" }).write('{"', () => incoming.socket.destroy());
const tooLong: RequestListener = (_request, response) =>
  void response.writeHead(200, { "content-length": String(16 * 1024 * 1024 + 1) }).write(" ");

/** What the server answers, one request after the other; the last answer holds. */
const answers = (situation: Situation, family: Family): readonly RequestListener[] => {
  const replies = REPLIES[family];
  const table: Readonly<Record<Situation, readonly RequestListener[]>> = {
    text: [json(200, replies.text)],
    "a tool call": [json(200, replies.call)],
    "parallel tool calls": [json(200, replies.calls)],
    "an image in a tool result": [json(200, replies.text)],
    thinking: [json(200, replies.thinking)],
    "cut off at the output limit": [json(200, replies.cutOff)],
    refusal: [json(200, replies.refusal)],
    "empty message with a stop reason": [json(200, replies.empty)],
    "context exceeded (400)": [failing(400, "prompt is too long")],
    "image refused (400)": [failing(400, "x is not a multimodal model")],
    "image refused (404)": [failing(404, "No endpoints found that support image input")],
    "other 400": [failing(400, "unknown field")],
    "302": [respond(302, "", { location: "http://127.0.0.1:9/" })],
    "401": [failing(401, "bad key")],
    "402": [failing(402, "no credit")],
    "403": [failing(403, "not allowed")],
    "404": [failing(404, "no such model")],
    "408": [failing(408, "too slow")],
    "413": [failing(413, "too large for the context window")],
    "429": [failing(429, "slow down")],
    "429, quota used up": [failing(429, "empty", { code: "insufficient_quota" })],
    "429, then a reply": [respond(429, "", { "retry-after-ms": "5" }), json(200, replies.text)],
    "499": [failing(499, "client closed")],
    "500": [failing(500, "broken")],
    "503": [failing(503, "away")],
    "529": [failing(529, "overloaded")],
    "Responses demanded (400)": [failing(400, "use /v1/responses instead"), json(200, REPLIES.responses.text)],
    "silence before the headers": [silent],
    "silence in the body": [silentInBody],
    "connection dropped before the response": [dropped],
    "connection dropped in the body": [droppedInBody],
    "body that is cut-off JSON": [respond(200, JSON.stringify(replies.text).slice(0, -2))],
    "HTML page with 200": [respond(200, "<html><body>Welcome</body></html>", { "content-type": "application/json" })],
    "empty body with 200": [respond(200, "")],
    "overload error inside a 200": [failing(200, "busy", { type: "overloaded_error" })],
    "request error inside a 200": [failing(200, "bad", { type: "invalid_request_error" })],
    "reply of another dialect": [json(200, replies.foreign)],
    "reply over 16 MiB": [tooLong],
  };
  return table[situation];
};

/** Silence has to be waited for; everything else is never slow. */
const limitsFor = (situation: Situation): NonNullable<Asking["limits"]> =>
  situation.startsWith("silence") ? { llmTimeoutSeconds: 0.2, llmTimeoutSecondsMax: 0.2 } : { llmTimeoutSeconds: 60 };

const requestFor = (situation: Situation, model: string): ModelRequest => {
  const seen = assistant("", [exchange({ parts: [image("SU1BR0U=")] })]);
  return request(situation === "an image in a tool result" ? [user("look"), seen] : [user("hi")], { model });
};

const replyTold = (reply: ModelReply): readonly string[] => {
  const calls = reply.calls.length;
  const thought = reply.reasoning === "SECRETLY" ? "thought shown" : "";
  return [
    `reply: ${reply.stop.kind}`,
    reply.stop.kind === "toolUse" ? `${calls} ${calls === 1 ? "call" : "calls"}` : "",
    thought === "" ? "" : `${thought}${reply.replay._tag === "Some" ? " and replayed" : ""}`,
  ];
};

const outcomeOf = async (situation: Situation, { name, model, family, over }: Place): Promise<string> => {
  const server = await answering(...answers(situation, family));
  const settings = provider(name, { ...over, baseUrl: server.url });
  const port = await modelPort(server.url, {
    limits: limitsFor(situation),
    dialects: {
      dialectFor: (asked, upgraded) => dialectFor(settings, asked, upgraded),
      demandsUpgrade: (failure) => demandsResponses(settings, failure),
    },
  });
  const answer = await port.call(requestFor(situation, model), new AbortController().signal, () => undefined);
  const { length } = server.requests;
  expect(answer.attempts.tries).toBe(length);
  const told = answer.kind === "replied" ? replyTold(answer.reply) : [answer.failure.kind];
  const imageSent = server.requests[0]?.includes("SU1BR0U=") === true ? "image sent" : "";
  return [...told, imageSent, `${length} ${length === 1 ? "request" : "requests"}`]
    .filter((part) => part !== "")
    .join(", ");
};

describe.each(COLUMNS)("%s", (column) => {
  test.each(TABLE.map((row) => [row.situation, row.except?.[column] ?? row.outcome] as const))(
    "%s: %s",
    async (situation, expected) => {
      expect(await outcomeOf(situation, PLACES[column])).toBe(expected);
    },
  );
});

test("what is shown as replayed goes back to the provider in the next request", () => {
  for (const [column, { name, model, family, over }] of Object.entries(PLACES)) {
    const spoken = dialectFor(provider(name, over), model, false);
    const decoded = spoken.decode(
      { status: 200, headers: {}, body: JSON.stringify(REPLIES[family].thinking) },
      model,
      0,
    );
    const replay = decoded.kind === "reply" ? decoded.reply.replay : none;
    const sent = spoken
      .encode(request([user("a"), assistant("hello", [], replay), user("b")], { model }))
      .body.join("");
    const row = TABLE.find(({ situation }) => situation === "thinking");
    const expected = (row?.except?.[column as Column] ?? row?.outcome ?? "").includes("replayed");
    const goesBack = sent.includes("SECRETLY") || sent.includes("ZW5j");
    expect([column, goesBack, replay._tag]).toEqual([column, expected, expected ? "Some" : "None"]);
  }
});
