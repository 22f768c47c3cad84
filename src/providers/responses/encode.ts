/** Requests of the Responses dialect (`spec/providers.md` 5.4, 5.8). */
import type { ModelRequest, SummaryRequest, Tool } from "../../core/model.js";
import { bodyOf, toolsEncoder } from "../body.js";
import { reasons } from "../capabilities.js";
import type { HttpRequest } from "../dialect.js";
import { chosenEffort, openAiEffort } from "../effort.js";
import { object, objectOf, quote } from "../jsonText.js";
import { itemsEncoder } from "../items.js";
import type { ProviderName, ThinkingSummary } from "../settings.js";
import { inputOf } from "./input.js";

/** How one host of the dialect is spoken to. */
export interface ResponsesEndpoint {
  /** Whose levels of effort count. */
  readonly provider: ProviderName;
  readonly url: string;
  /** OpenAI itself: nothing is stored there, and reasoning comes encrypted so that it can be replayed. */
  readonly stateless: boolean;
  readonly thinkingSummary: ThinkingSummary;
}

const alphabet = { id: /^[A-Za-z0-9_-]{1,64}$/, name: /^[A-Za-z0-9_-]{1,64}$/ };

const encodeItems = itemsEncoder(alphabet, (model: string) => model, inputOf);

const encodeTools = toolsEncoder((tool: Tool) =>
  object({
    type: '"function"',
    name: quote(tool.name),
    description: quote(tool.description),
    parameters: tool.schema,
    strict: "false",
  }),
);

const headers = { "content-type": "application/json" };

export const encodeResponses =
  ({ provider, url, stateless, thinkingSummary }: ResponsesEndpoint) =>
  (request: ModelRequest): HttpRequest => {
    const { model } = request.settings;
    const effort = chosenEffort(request.settings.effort);
    const tools = encodeTools(request.tools);
    const members = {
      model: quote(model),
      max_output_tokens: String(request.maxOutputTokens),
      reasoning:
        effort._tag === "None"
          ? ""
          : object({ effort: quote(openAiEffort(provider, model, effort.value)), summary: quote(thinkingSummary) }),
      ...stateMembers(stateless, model),
      tools,
      tool_choice: tools === "" ? "" : '"auto"',
      instructions: quote(request.system),
    };
    return { url, headers, body: bodyOf(members, "input", encodeItems(request, model)) };
  };

/** Asking a model that does not reason for encrypted reasoning is an error. */
const stateMembers = (stateless: boolean, model: string): Record<string, string> =>
  stateless ? { store: "false", include: reasons(model) ? '["reasoning.encrypted_content"]' : "" } : {};

export const encodeResponsesSummary =
  ({ url, stateless }: ResponsesEndpoint) =>
  ({ settings: { model }, system, prompt, maxOutputTokens }: SummaryRequest): HttpRequest => {
    const body = objectOf([
      ["model", quote(model)],
      ["max_output_tokens", String(maxOutputTokens)],
      ["store", stateless ? "false" : ""],
      ["instructions", quote(system)],
      ["input", quote(prompt)],
    ]);
    return { url, headers, body: [body] };
  };
