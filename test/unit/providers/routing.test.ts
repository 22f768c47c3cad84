import { none, some } from "fp-ts/lib/Option.js";
import { describe, expect, it } from "vitest";
import { pricingAuthority } from "../../../src/providers/authority.js";
import { DATABRICKS_PATHS, databricksRoute } from "../../../src/providers/databricks.js";
import { dialectFor } from "../../../src/providers/registry.js";
import { demandsResponses, isOpenAiHost } from "../../../src/providers/upgrade.js";
import { answer, body, bodyText, dialect, failureOf, provider, request, user } from "./fixtures.js";

describe("Databricks", () => {
  it.each([
    ["gpt-5.5", "responses"],
    ["databricks-GPT-5-5", "responses"],
    ["gpt-5.2-codex", "responses"],
    ["databricks-gpt-6-sol", "responses"],
    ["main.agents.goose-gpt-5-mini", "responses"],
    ["main.agents.gpt-12", "responses"],
    ["databricks-claude-opus-4-8", "messages"],
    ["Databricks-Claude-Next", "messages"],
    ["claude", "messages"],
    // Since 16.3 a name has to say its family; a word of it, or another GPT, is served like any other model.
    ["gpt-oss-120b", "chat"],
    ["gpt-4o", "chat"],
    ["llama-gptq", "chat"],
    ["goose-sol", "chat"],
    ["luna", "chat"],
    ["gpt-claude", "chat"],
    ["goose-opus-5", "chat"],
    ["Fable_5", "chat"],
    ["databricks-kimi-k3", "chat"],
    ["main.agents.claude-opus-5", "chat"],
    ["main.agents.gpt-4", "chat"],
    ["consolidated-llama", "chat"],
    ["terraform-coder", "chat"],
    ["corpus-reranker", "chat"],
    ["octopus-model", "chat"],
    ["gemini-3-pro", "chat"],
    ["", "chat"],
  ] as const)("v2 serves %s by %s", (model, route) => {
    expect(databricksRoute(model)).toBe(route);
    const sent = dialect("databricks_v2", model, { baseUrl: "https://d.example" }).encode(
      request([user("a")], { model }),
    );
    expect(sent.url).toBe(`https://d.example${DATABRICKS_PATHS[route]}`);
    expect(Object.keys(sent.headers)).toEqual(["content-type"]);
    expect(bodyText(sent)).toContain(`"model":${JSON.stringify(model)}`);
  });

  it("v2 normalises effort by the route of the model", () => {
    const effortOf = (model: string, effort: string) =>
      body(dialect("databricks_v2", model), [user("a")], { model, effort });
    expect(effortOf("gpt-5.5", "max")["reasoning"]).toEqual({ effort: "xhigh", summary: "auto" });
    expect(effortOf("gpt-5.6-sol", "max")["reasoning"]).toEqual({ effort: "max", summary: "auto" });
    expect(effortOf("gpt-5.5", "none")["reasoning"]).toEqual({ effort: "none", summary: "auto" });
    expect(effortOf("gpt-5", "minimal")["reasoning"]).toEqual({ effort: "minimal", summary: "auto" });
    expect(effortOf("llama-4", "max")["reasoning_effort"]).toBe("xhigh");
    expect(effortOf("claude-opus-4-8", "max")["output_config"]).toEqual({ effort: "max" });
    for (const effort of ["none", "minimal"]) {
      expect(effortOf("claude-opus-4-8", effort)).not.toHaveProperty("thinking");
      expect(effortOf("claude-opus-4-8", effort)).not.toHaveProperty("output_config");
    }
  });

  it("serving names the model in the URL and nowhere else", () => {
    const spoken = dialect("databricks", "m", { baseUrl: "https://d.example" });
    const sent = spoken.encode(request([user("a")], { model: "system.ai/m 1" }));
    expect(sent.url).toBe("https://d.example/serving-endpoints/system.ai%2Fm%201/invocations");
    expect(body(spoken, [user("a")])).not.toHaveProperty("model");
    expect(body(spoken, [user("a")])).toMatchObject({ stream: false, max_completion_tokens: 4096 });
    expect(spoken.encodeSummary({ ...request([]), prompt: "p" }).url).toContain("/serving-endpoints/model-1/");
  });
});

describe("the choice between Chat and Responses", () => {
  it.each([
    ["https://api.openai.com/v1", true],
    ["http://api.openai.com/v1", true],
    ["https://eu.openai.com", true],
    ["https://api.openai.com:8443/v1", true],
    ["https://api.openai.com.evil.example/v1", false],
    ["https://notopenai.com/v1", false],
    ["HTTPS://api.openai.com/v1", false],
    ["https://API.OPENAI.COM/v1", false],
    ["api.openai.com", false],
    ["", false],
  ])("%s is OpenAI's host: %s", (baseUrl, expected) => {
    expect(isOpenAiHost(baseUrl)).toBe(expected);
  });

  it.each([
    ["auto", "https://api.openai.com/v1", false, "openai-responses"],
    ["auto", "https://host.example/v1", false, "openai-chat"],
    ["auto", "https://host.example/v1", true, "openai-responses"],
    ["chat", "https://api.openai.com/v1", true, "openai-chat"],
    ["responses", "https://host.example/v1", false, "openai-responses"],
  ] as const)("with API %s at %s, demanded before: %s, is %s", (api, baseUrl, demanded, expected) => {
    expect(dialectFor(provider("openai", { api, baseUrl }), "m", demanded).name).toBe(expected);
  });

  it("concerns no other provider", () => {
    expect(dialectFor(provider("databricks"), "m", true).name).toBe("openai-chat");
    expect(dialectFor(provider("openrouter"), "m", true).name).toBe("openrouter-chat");
  });

  const chat = dialect("openai");
  const failedWith = (status: number, message: string) => failureOf(chat, answer(status, { error: { message } }));

  it.each([
    [400, "Function tools are not supported here; use /v1/responses instead.", true],
    [400, "Please use the Responses API instead", true],
    [422, "You must USE THE RESPONSES API", true],
    [500, "try /v1/responses", true],
    [400, "temperature is not supported", false],
    [404, "use /v1/responses", false],
    [401, "use /v1/responses", false],
    [400, "maximum context length; use /v1/responses", false],
    [400, "is not a multimodal model; use /v1/responses", false],
  ])("a %i that says '%s' demands Responses: %s", (status, message, expected) => {
    const failure = failedWith(status, message);
    expect(demandsResponses(provider("openai"), failure)).toBe(expected);
    expect(demandsResponses(provider("openai", { api: "chat" }), failure)).toBe(false);
    expect(demandsResponses(provider("databricks"), failure)).toBe(false);
  });
});

describe("the billing authority", () => {
  it.each([
    ["https://api.anthropic.com", "api.anthropic.com"],
    ["https://api.anthropic.com/", "api.anthropic.com"],
    ["https://API.anthropic.com:443", "api.anthropic.com"],
    ["https://api.openai.com/v1", "api.openai.com"],
    ["https://api.openai.com/v1/", "api.openai.com"],
    ["https://openrouter.ai/api/v1", "openrouter.ai"],
  ])("of %s is %s", (baseUrl, authority) => {
    expect(pricingAuthority(baseUrl)).toEqual(some(authority));
  });

  it.each([
    "http://api.openai.com/v1",
    "https://api.openai.com",
    "https://api.openai.com/v2",
    "https://api.openai.com/v1extra",
    "https://api.openai.com:8080/v1",
    "https://user:pass@api.openai.com/v1",
    "https://user@api.openai.com/v1",
    "https://api.openai.com/v1?debug=1",
    "https://api.openai.com/v1?",
    "https://api.openai.com/v1#",
    "https://api.openai.com/v1#section",
    "https://subdomain.api.anthropic.com",
    "https://notapi.anthropic.com",
    "https://api.anthropic.com.evil.com",
    "https://api.anthropic.com/v1",
    "https://openrouter.ai/v1",
    "https://api.databricks.com",
    "https://custom.llm.corp",
    "nonsense",
    "",
  ])("of %s is unproven", (baseUrl) => {
    expect(pricingAuthority(baseUrl)).toEqual(none);
  });
});
