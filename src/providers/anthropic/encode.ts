/** Requests of the Anthropic dialect (`spec/providers.md` 4.3 and 5.2). */
import { assertNever } from "../../core/never.js";
import type { ModelRequest, SummaryRequest, Tool } from "../../core/model.js";
import { bodyOf, toolsEncoder } from "../body.js";
import type { HttpRequest } from "../dialect.js";
import { chosenEffort, type ClaudeThinking, claudeThinking } from "../effort.js";
import { object, quote } from "../jsonText.js";
import { itemsEncoder } from "../items.js";
import { reasoningLeads } from "../reasoning.js";
import { beginsWithReasoning, type Encoding, marked, messagesOf, systemOf } from "./messages.js";

/** How one host of the dialect is spoken to. */
export interface AnthropicEndpoint {
  readonly url: string;
  /** Beside the content type; no credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly promptCaching: boolean;
}

const alphabet = { id: /^[A-Za-z0-9_-]{1,64}$/, name: /^[A-Za-z0-9_-]{1,64}$/ };

const encodeItems = itemsEncoder(alphabet, (encoding: Encoding) => JSON.stringify(encoding), messagesOf);

const encodeTools = toolsEncoder((tool: Tool) =>
  object({ name: quote(tool.name), description: quote(tool.description), input_schema: tool.schema }),
);

const thinkingMembers = (thinking: ClaudeThinking): { readonly thinking: string; readonly output_config: string } => {
  switch (thinking.kind) {
    case "off":
      return { thinking: "", output_config: "" };
    case "manual": {
      const members = { type: '"enabled"', budget_tokens: String(thinking.budgetTokens), display: '"summarized"' };
      return { thinking: object(members), output_config: "" };
    }
    case "adaptive":
      return {
        thinking: object({ type: '"adaptive"', display: '"summarized"' }),
        output_config: object({ effort: quote(thinking.effort) }),
      };
  }
  return assertNever(thinking);
};

export const encodeAnthropic =
  ({ url, headers, promptCaching }: AnthropicEndpoint) =>
  (request: ModelRequest): HttpRequest => {
    const { settings, history } = request;
    const chosen = claudeThinking(settings.model, chosenEffort(settings.effort), request.maxOutputTokens);
    const encoding = { model: settings.model, demandsReasoning: chosen.kind !== "off" };
    const messages = encodeItems(request, encoding);
    // Only manual thinking is refused behind calls without it; sent once without, the next turn thinks again.
    const thinking: ClaudeThinking =
      chosen.kind === "manual" && !reasoningLeads(history, beginsWithReasoning(settings.model))
        ? { kind: "off" }
        : chosen;
    const members = {
      model: quote(settings.model),
      max_tokens: String(request.maxOutputTokens),
      ...thinkingMembers(thinking),
      tools: encodeTools(request.tools),
      system: systemOf(request.system, promptCaching),
    };
    return {
      url,
      headers: jsonHeaders(headers),
      body: bodyOf(members, "messages", withMarks(messages, promptCaching)),
    };
  };

/** Breakpoints in the two newest messages: a turn may append more blocks than the provider looks back from one. */
const withMarks = (messages: readonly string[], promptCaching: boolean): readonly string[] =>
  promptCaching ? [...messages.slice(0, -2), ...messages.slice(-2).map(marked)] : messages;

const jsonHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  "content-type": "application/json",
  ...headers,
});

export const encodeAnthropicSummary =
  ({ url, headers }: AnthropicEndpoint) =>
  (request: SummaryRequest): HttpRequest => {
    const members = {
      model: quote(request.settings.model),
      max_tokens: String(request.maxOutputTokens),
      system: quote(request.system),
    };
    const prompt = `{"role":"user","content":[{"type":"text","text":${quote(request.prompt)}}]}`;
    return { url, headers: jsonHeaders(headers), body: bodyOf(members, "messages", [prompt]) };
  };
