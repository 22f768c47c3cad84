/** Requests of Chat Completions, with what differs from host to host as data (`spec/providers.md` 5.3, 5.5, 5.6, 5.8). */
import { assertNever } from "../../core/never.js";
import type { Option } from "fp-ts/lib/Option.js";
import type { ModelRequest, SummaryRequest, Tool } from "../../core/model.js";
import { bodyOf, toolsEncoder } from "../body.js";
import type { HttpRequest } from "../dialect.js";
import { chosenEffort, openAiEffort } from "../effort.js";
import { object, quote } from "../jsonText.js";
import { itemsEncoder } from "../items.js";
import type { Effort, ProviderName } from "../settings.js";
import { reasoningLeads } from "../reasoning.js";
import { type Encoding, isReplayed, messagesOf, systemMessage, withMarks, withToolMark } from "./messages.js";

/** How one host of the dialect is spoken to. */
export interface ChatEndpoint {
  /** Name of the dialect at this host: replay data of one host means nothing to another. */
  readonly dialect: string;
  /** Whose levels of effort count. */
  readonly provider: ProviderName;
  readonly url: (model: string) => string;
  /** Beside the content type; no credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** False where the URL names the model and the body must not. */
  readonly sendsModel: boolean;
  readonly limitMember: "max_completion_tokens" | "max_tokens";
  /** `standard`: normalised `reasoning_effort`; `openrouter`: `reasoning` with the level as chosen; `none`: never sent. */
  readonly effort: "standard" | "openrouter" | "none";
  /** Member of a message that carries reasoning which has to come back, or "". */
  readonly replayMember: "reasoning_details" | "reasoning_content" | "";
  /** Cache breakpoints, for models of Anthropic only. */
  readonly cacheMarks: boolean;
}

/** OpenAI refuses longer ids. */
const alphabet = { id: /^[A-Za-z0-9_-]{1,40}$/, name: /^[A-Za-z0-9_-]{1,64}$/ };

const encodeItems = itemsEncoder(alphabet, (encoding: Encoding) => JSON.stringify(encoding), messagesOf);

const encodeTools = toolsEncoder((tool: Tool) => {
  const described = { name: quote(tool.name), description: quote(tool.description), parameters: tool.schema };
  return object({ type: '"function"', function: object(described) });
});

const effortMembers = (endpoint: ChatEndpoint, model: string, effort: Option<Effort>): Record<string, string> => {
  if (effort._tag === "None") return {};
  switch (endpoint.effort) {
    case "none":
      return {};
    case "standard":
      return { reasoning_effort: quote(openAiEffort(endpoint.provider, model, effort.value)) };
    case "openrouter":
      return { reasoning: object({ effort: quote(effort.value) }) };
  }
  return assertNever(endpoint.effort);
};

const headersOf = (endpoint: ChatEndpoint): Readonly<Record<string, string>> => ({
  "content-type": "application/json",
  ...endpoint.headers,
});

/** Behind OpenRouter, Anthropic's models demand signed reasoning before calls, as they do everywhere. */
const isAnthropic = (endpoint: ChatEndpoint, model: string): boolean =>
  endpoint.effort === "openrouter" && model.startsWith("anthropic/");

export const encodeChat =
  (endpoint: ChatEndpoint) =>
  (request: ModelRequest): HttpRequest => {
    const { model } = request.settings;
    const encoding = encodingOf(endpoint, request);
    const marks = endpoint.cacheMarks && isAnthropic(endpoint, model);
    const tools = encodeTools(request.tools);
    const members = {
      model: endpoint.sendsModel ? quote(model) : "",
      stream: "false",
      [endpoint.limitMember]: String(request.maxOutputTokens),
      ...(thinks(request, encoding) ? effortMembers(endpoint, model, chosenEffort(request.settings.effort)) : {}),
      tools: marks ? withToolMark(tools) : tools,
      tool_choice: tools === "" ? "" : '"auto"',
    };
    const messages = [systemMessage(request.system), ...encodeItems(request, encoding)];
    const body = bodyOf(members, "messages", marks ? withMarks(messages) : messages);
    return { url: endpoint.url(model), headers: headersOf(endpoint), body };
  };

const encodingOf = (endpoint: ChatEndpoint, { settings: { model, effort } }: ModelRequest): Encoding => {
  const chosen = chosenEffort(effort);
  const thinking = chosen._tag === "Some" && chosen.value !== "none";
  const { dialect, replayMember } = endpoint;
  return { dialect, model, replayMember, demandsReasoning: thinking && isAnthropic(endpoint, model) };
};

/** Sent once without, where the newest calls have no reasoning before them; the next turn thinks again. */
const thinks = ({ history }: ModelRequest, encoding: Encoding): boolean =>
  !encoding.demandsReasoning || reasoningLeads(history, ({ replay }) => isReplayed(replay, encoding));

/** OpenRouter counts reasoning against the limit, so there it gets a budget of its own and the limit is doubled. */
export const encodeChatSummary =
  (endpoint: ChatEndpoint) =>
  ({ settings: { model }, system, prompt, maxOutputTokens }: SummaryRequest): HttpRequest => {
    const reasons = endpoint.effort === "openrouter";
    const members = {
      model: endpoint.sendsModel ? quote(model) : "",
      stream: "false",
      [endpoint.limitMember]: String(reasons ? maxOutputTokens * 2 : maxOutputTokens),
      reasoning: reasons ? object({ max_tokens: String(maxOutputTokens), exclude: "true" }) : "",
    };
    const messages = [systemMessage(system), object({ role: '"user"', content: quote(prompt) })];
    return { url: endpoint.url(model), headers: headersOf(endpoint), body: bodyOf(members, "messages", messages) };
  };
