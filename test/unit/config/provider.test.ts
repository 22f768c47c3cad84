import * as O from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import { anthropic, config, databricks, fault, openai } from "./fixtures.js";

describe("who answers", () => {
  test.each([
    ["anthropic", "anthropic"],
    ["  OpenAI-Compat ", "openai"],
    ["openrouter", "openrouter"],
    ["databricks-v2", "databricks_v2"],
    ["DATABRICKS_V2", "databricks_v2"],
    ["hf", "huggingface"],
    ["ollama", "ollama"],
  ])("BUZZ_AGENT_PROVIDER=%s is %s", (spelling, name) => {
    const everything = {
      ...anthropic,
      ...openai,
      ...databricks,
      HF_TOKEN: "hf_1",
      OPENROUTER_API_KEY: "sk-or-1",
      BUZZ_AGENT_MODEL: "m",
      BUZZ_AGENT_PROVIDER: spelling,
    };
    expect(config(everything).provider.name).toBe(name);
  });

  test("is required, and is not guessed from the keys that are set", () => {
    expect(fault({ ANTHROPIC_API_KEY: "k", OPENAI_COMPAT_API_KEY: "k" })).toMatch(
      /^turnfold: BUZZ_AGENT_PROVIDER: is required; accepted: anthropic, openai, openai-compat, openrouter/,
    );
    expect(fault({ ...anthropic, BUZZ_AGENT_PROVIDER: "  " })).toContain("BUZZ_AGENT_PROVIDER: is required");
  });

  test("an unknown one is told as it was typed", () => {
    expect(fault({ ...anthropic, BUZZ_AGENT_PROVIDER: " MeshLLM " })).toContain(
      'BUZZ_AGENT_PROVIDER: "MeshLLM" is not one of them',
    );
  });
});

describe("the key", () => {
  test.each([
    [{ ...anthropic, ANTHROPIC_API_KEY: " ", OPENAI_COMPAT_API_KEY: "k" }, "ANTHROPIC_API_KEY"],
    [{ ...openai, OPENAI_COMPAT_API_KEY: undefined, ANTHROPIC_API_KEY: "k" }, "OPENAI_COMPAT_API_KEY"],
    [{ BUZZ_AGENT_PROVIDER: "openrouter", BUZZ_AGENT_MODEL: "m" }, "OPENROUTER_API_KEY"],
    [{ BUZZ_AGENT_PROVIDER: "deepseek", BUZZ_AGENT_MODEL: "m" }, "DEEPSEEK_API_KEY"],
    [{ BUZZ_AGENT_PROVIDER: "huggingface", BUZZ_AGENT_MODEL: "m" }, "HF_TOKEN"],
  ])("%o lacks %s, and no other provider steps in", (env, variable) => {
    expect(fault(env)).toContain(`turnfold: ${variable}: is required for provider`);
  });

  // Prior art: with DEEPSEEK_API_KEY alone the check passed and the start then failed for want of OPENAI_COMPAT_API_KEY.
  test("of DeepSeek is its own, and the shared one where that is unset", () => {
    const deepseek = { BUZZ_AGENT_PROVIDER: "deepseek", BUZZ_AGENT_MODEL: "deepseek-chat" };
    const own = { kind: "key", header: "bearer", key: "d", variable: "DEEPSEEK_API_KEY" };
    expect(config({ ...deepseek, DEEPSEEK_API_KEY: "d" }).credential).toEqual(own);
    expect(config({ ...deepseek, DEEPSEEK_API_KEY: "d", OPENAI_COMPAT_API_KEY: "o" }).credential).toEqual(own);
    expect(config({ ...deepseek, OPENAI_COMPAT_API_KEY: "o" }).credential).toMatchObject({ key: "o" });
  });

  test("of Anthropic goes into x-api-key", () => {
    expect(config(anthropic).credential).toMatchObject({ kind: "key", header: "x-api-key", key: "sk-ant-1" });
  });

  test("of Databricks may be missing: then it is a login", () => {
    expect(config(databricks).credential).toEqual({ kind: "login" });
    expect(config({ ...databricks, DATABRICKS_TOKEN: " " }).credential).toEqual({ kind: "login" });
    expect(config({ ...databricks, DATABRICKS_TOKEN: "dapi" }).credential).toMatchObject({ kind: "key", key: "dapi" });
  });

  test("is not needed by Ollama", () => {
    expect(config({ BUZZ_AGENT_PROVIDER: "ollama", OLLAMA_MODEL: "qwen3" }).credential).toEqual({ kind: "none" });
  });

  test("that no header can carry is refused without being shown", () => {
    const line = fault({ ...anthropic, ANTHROPIC_API_KEY: "sk-ant\nsecret" });
    expect(line).toContain("ANTHROPIC_API_KEY: the value holds characters that no HTTP header may hold");
    expect(line).not.toContain("secret");
  });
});

describe("the model", () => {
  test("BUZZ_AGENT_MODEL wins over the provider's own", () => {
    expect(config({ ...anthropic, BUZZ_AGENT_MODEL: "auto" }).model).toBe("auto");
    expect(config(anthropic).model).toBe("claude-opus-4-8");
  });

  // Prior art: an empty BUZZ_AGENT_MODEL beat a good ANTHROPIC_MODEL and gave an empty id (spec/providers.md 3.1).
  test("a blank one counts as unset", () => {
    expect(config({ ...anthropic, BUZZ_AGENT_MODEL: "" }).model).toBe("claude-opus-4-8");
  });

  test("is required, and told before a missing host", () => {
    const line = fault({ BUZZ_AGENT_PROVIDER: "databricks" });
    expect(line).toContain("DATABRICKS_MODEL: or BUZZ_AGENT_MODEL is required");
  });
});

describe("the base URL", () => {
  test.each([
    ["anthropic", { ...anthropic }, "https://api.anthropic.com"],
    ["openai", { ...openai }, "https://api.openai.com/v1"],
    ["deepseek", { ...openai, BUZZ_AGENT_PROVIDER: "deepseek" }, "https://api.deepseek.com/v1"],
    [
      "an own one, slashes cut",
      { ...openai, OPENAI_COMPAT_BASE_URL: "http://127.0.0.1:8080/v1//" },
      "http://127.0.0.1:8080/v1",
    ],
    ["a blank one", { ...openai, OPENAI_COMPAT_BASE_URL: " " }, "https://api.openai.com/v1"],
    ["databricks", { ...databricks, DATABRICKS_HOST: "https://dbc.example/" }, "https://dbc.example"],
  ])("%s", (_name, env, url) => {
    expect(config(env).provider.baseUrl).toBe(url);
  });

  test("of Databricks is required", () => {
    expect(fault({ ...databricks, DATABRICKS_HOST: "" })).toContain(
      "DATABRICKS_HOST: is required for provider databricks",
    );
  });

  test.each([
    ["api.example.com/v1", "is not an http or https URL"],
    ["ftp://example.com", "is not an http or https URL"],
    ["https://example.com/?", "holds a query or fragment"],
    ["https://example.com/#x", "holds a query or fragment"],
  ])("%s %s", (url, why) => {
    expect(fault({ ...openai, OPENAI_COMPAT_BASE_URL: url })).toContain(`OPENAI_COMPAT_BASE_URL: "${url}" ${why}`);
  });

  test("with a password in it is refused, and the password not shown", () => {
    const line = fault({ ...openai, OPENAI_COMPAT_BASE_URL: "https://me:hunter2@example.com" });
    expect(line).toContain("holds a user or password");
    expect(line).not.toContain("hunter2");
  });
});

describe("OPENAI_COMPAT_API", () => {
  test.each([
    [undefined, "auto"],
    ["", "auto"],
    [" AUTO ", "auto"],
    ["chat", "chat"],
    ["Chat-Completions", "chat"],
    ["chat_completions", "chat"],
    ["responses", "responses"],
  ])("%s is %s", (value, api) => {
    expect(config({ ...openai, OPENAI_COMPAT_API: value }).provider.api).toBe(api);
  });

  test("a bad value breaks only the providers that read it", () => {
    expect(fault({ ...openai, OPENAI_COMPAT_API: "grpc" })).toContain('OPENAI_COMPAT_API: "grpc" is not one of them');
    expect(config({ ...anthropic, OPENAI_COMPAT_API: "grpc" }).provider.name).toBe("anthropic");
  });
});

describe("thinking", () => {
  test.each(["none", "minimal", "low", "medium", "high", "xhigh", "max"])(
    "effort %s is taken, in any case",
    (effort) => {
      const value = ` ${effort.toUpperCase()} `;
      expect(config({ ...openai, BUZZ_AGENT_THINKING_EFFORT: value }).effort).toEqual(O.some(effort));
    },
  );

  test("effort may be unset or blank, and anything else lists what is accepted", () => {
    expect(config(openai).effort).toEqual(O.none);
    expect(config({ ...openai, BUZZ_AGENT_THINKING_EFFORT: " " }).effort).toEqual(O.none);
    expect(fault({ ...openai, BUZZ_AGENT_THINKING_EFFORT: "huge" })).toBe(
      'turnfold: BUZZ_AGENT_THINKING_EFFORT: "huge" is not one of them; accepted: none, minimal, low, medium, high, xhigh, max',
    );
  });

  test("none and minimal are refused for Anthropic, and only for it, since elsewhere the model decides", () => {
    for (const effort of ["none", "minimal"]) {
      const set = { BUZZ_AGENT_THINKING_EFFORT: effort };
      expect(fault({ ...anthropic, ...set })).toBe(
        `turnfold: BUZZ_AGENT_THINKING_EFFORT: "${effort}" is not valid for Anthropic; accepted: low, medium, high, xhigh, max`,
      );
      expect(config({ ...openai, ...set }).effort).toEqual(O.some(effort));
      expect(config({ ...databricks, ...set }).effort).toEqual(O.some(effort));
      expect(config({ ...databricks, ...set, BUZZ_AGENT_PROVIDER: "databricks_v2" }).effort).toEqual(O.some(effort));
    }
    for (const effort of ["low", "medium", "high", "xhigh", "max"]) {
      expect(config({ ...anthropic, BUZZ_AGENT_THINKING_EFFORT: effort }).effort).toEqual(O.some(effort));
    }
  });

  test.each([
    [undefined, "auto"],
    ["", "auto"],
    ["AUTO", "auto"],
    ["concise", "concise"],
    [" Detailed", "detailed"],
  ])("summary %s is %s", (value, summary) => {
    expect(config({ ...openai, BUZZ_AGENT_THINKING_SUMMARY: value }).provider.thinkingSummary).toBe(summary);
  });

  test("an unknown summary lists what is accepted", () => {
    expect(fault({ ...openai, BUZZ_AGENT_THINKING_SUMMARY: "long" })).toContain("accepted: auto, concise, detailed");
  });
});
