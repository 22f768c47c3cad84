// OpenRouter's own zod models of the three dialects: they read every request of ours, and writing it again gives the same request,
// so no field of it is unknown to them; and what they know as a result is a reply to us.
//
// Where they know less than the service: the cache mark of a tool, the token budget of reasoning (both in the prior art), and a
// message that the assistant said without the id that it had.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { some } from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import type { HistoryItem } from "../../../src/core/history.js";
import { installPeer } from "../../support/peer.js";
import {
  assistant,
  body,
  dialect,
  exchange,
  image,
  note,
  reply,
  responses,
  summaryBody,
  textPart,
  tool,
  user,
} from "../../unit/providers/fixtures.js";

interface Schema {
  readonly parse: (value: unknown) => unknown;
}

const modules = await installPeer("openrouter-sdk", "@openrouter/sdk/package.json");
const models =
  modules === undefined
    ? {}
    : ((await import(pathToFileURL(path.join(modules, "@openrouter/sdk/esm/models/index.js")).href)) as Record<
        string,
        Schema
      >);
const schema = (name: string): Schema => {
  const found = models[name];
  if (found === undefined) throw new Error(`the SDK has no ${name}`);
  return found;
};

/** What stands under these names is the user's, and no field of the dialect. */
const OPAQUE = new Set(["parameters", "input_schema", "arguments"]);

/** The SDK takes its own spelling of fields. */
const camel = (value: unknown, opaque = false): unknown => {
  if (Array.isArray(value)) return value.map((element) => camel(element, opaque));
  if (typeof value !== "object" || value === null || opaque) return value;
  const isCall = "type" in value && value.type === "tool_use";
  const renamed = Object.entries(value).map(([name, member]): [string, unknown] => [
    name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
    camel(member, OPAQUE.has(name) || (isCall && name === "input")),
  ]);
  return Object.fromEntries(renamed);
};

const history: readonly HistoryItem[] = [
  user("look"),
  assistant("Let me see.", [
    exchange({ id: "c1", parts: [textPart("seen"), image("QUJD")] }),
    exchange({ id: "c2", isError: true }),
  ]),
  assistant("Done."),
  note("not yet"),
  user("go on"),
];

/** What the models do not know, taken out of a request or added to it. */
const known = (sent: Record<string, unknown>): Record<string, unknown> => {
  const { reasoning, input, tools, ...rest } = sent;
  const said = (item: object): object => ("role" in item && item.role === "assistant" ? { ...item, id: "msg" } : item);
  return {
    ...rest,
    ...(typeof reasoning === "object" && reasoning !== null && "effort" in reasoning ? { reasoning } : {}),
    ...(Array.isArray(input) ? { input: input.map(said) } : {}),
    ...(tools === undefined ? {} : { tools: JSON.parse(JSON.stringify(tools).replace(MARK, "")) as unknown }),
  };
};
const MARK = ',"cache_control":{"type":"ephemeral"}';

describe.skipIf(modules === undefined)("OpenRouter's models", () => {
  const replay = (json: string) => some({ dialect: "openrouter-chat", model: "anthropic/x", json });
  const details = '[{"type":"reasoning.encrypted","data":"x","id":"r","format":"anthropic-claude-v1","index":0}]';
  const thought = [user("a"), assistant("", [exchange({ id: "c1" })], replay(details))];
  const caching = dialect("openrouter", "anthropic/x", { promptCaching: true });

  test.each([
    ["a Chat request", "ChatRequest$outboundSchema", body(dialect("openai"), history, { model: "gpt-5" })],
    [
      "a request of our OpenRouter dialect",
      "ChatRequest$outboundSchema",
      body(caching, history, { model: "anthropic/x", effort: "high" }),
    ],
    ["replayed reasoning", "ChatRequest$outboundSchema", body(caching, thought, { model: "anthropic/x" })],
    ["a summary", "ChatRequest$outboundSchema", summaryBody(caching)],
    [
      "an Anthropic request",
      "MessagesRequest$outboundSchema",
      body(dialect("anthropic"), history, { model: "claude-opus-4-8" }),
    ],
    [
      "an Anthropic request with cache marks and thinking",
      "MessagesRequest$outboundSchema",
      body(dialect("anthropic", "m", { promptCaching: true }), history.slice(0, 1), {
        model: "claude-opus-4-8",
        effort: "high",
      }),
    ],
    [
      "a Responses request",
      "ResponsesRequest$outboundSchema",
      body(responses(), history, { model: "gpt-5", effort: "high", tools: [tool] }),
    ],
  ])("know every field of %s", (_name, name, sent) => {
    expect(schema(name).parse(camel(known(sent)))).toMatchObject(known(sent));
  });

  test("know as results what we read as replies", () => {
    const chat = {
      id: "1",
      object: "chat.completion",
      created: 1,
      model: "m",
      system_fingerprint: null,
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "hello" } }],
      usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 },
    };
    expect(() => schema("ChatResult$inboundSchema").parse(chat)).not.toThrow();
    expect(reply(dialect("openrouter"), chat)).toMatchObject({ text: "hello", stop: { kind: "end" } });
  });
});
