import { isRight } from "fp-ts/lib/Either.js";
import { none, some } from "fp-ts/lib/Option.js";
import { describe, expect, it } from "vitest";
import { capabilitiesOf, documentedLimits, effortFamily, familyOf } from "../../../src/providers/capabilities.js";
import { CapabilityTable } from "../../../src/providers/capabilitySchema.js";
import { capabilityTable } from "../../../src/providers/capabilityTable.js";
import { claudeThinking, openAiEffort, sentEffort } from "../../../src/providers/effort.js";
import { effortChoice } from "../../../src/providers/effortChoice.js";
import { EFFORTS, PROVIDERS } from "../../../src/providers/settings.js";

const levels = (model: string): string => {
  const family = effortFamily(model);
  return family._tag === "Some" ? family.value.efforts.join(" ") : "unknown";
};

describe("the capability table", () => {
  const { families, exact, fallbacks, limits } = capabilityTable;

  it("keeps to its schema, names every row once and every level in order", () => {
    expect(isRight(CapabilityTable.decode(capabilityTable))).toBe(true);
    for (const names of [
      families.flatMap((row) => row.names),
      exact.flatMap((row) => row.ids),
      limits.flatMap((row) => row.names),
    ]) {
      expect(new Set(names).size).toBe(names.length);
      expect(names).toEqual(names.map((name) => name.toLowerCase()));
    }
    for (const { efforts } of [...families, ...exact, ...Object.values(fallbacks)]) {
      expect(efforts).toEqual(EFFORTS.filter((level) => efforts.includes(level)));
    }
    for (const row of [...families, ...Object.values(fallbacks)]) {
      expect(["unset", ...row.efforts]).toContain(row.default);
    }
    for (const { efforts } of [...families, ...exact]) expect(efforts).not.toEqual([]);
    for (const { window, output } of limits) {
      expect(Number.isSafeInteger(window) && Number.isSafeInteger(output)).toBe(true);
      expect(output === 0 || output < window).toBe(true);
    }
    expect(Object.keys(fallbacks).toSorted()).toEqual(PROVIDERS.map(({ name }) => name).toSorted());
  });

  it("hides no row behind another one", () => {
    for (const family of families) {
      for (const name of family.names) expect(familyOf(name)).toEqual(some(family));
    }
    for (const { provider, ids, efforts } of exact) {
      for (const id of ids) {
        expect(capabilitiesOf(provider, id).efforts).toEqual(efforts);
        expect(capabilitiesOf(provider, `Databricks-${id.toUpperCase()}`).efforts).toEqual(efforts);
        expect(capabilitiesOf("databricks", id).efforts).not.toEqual(efforts);
      }
    }
    for (const { names, window, output, images } of limits) {
      for (const name of names) expect(documentedLimits(`x/${name}-y`)).toEqual({ window, output, images });
    }
  });

  it("knows documented limits, and says nothing of what is not", () => {
    const unknown = { window: 0, output: 0, images: "unknown" };
    expect(documentedLimits("claude-opus-4-5")).toMatchObject({ window: 200_000, output: 64_000 });
    expect(documentedLimits("gpt-5-mini")).toMatchObject({ window: 400_000, output: 128_000 });
    // A default limit above these would be refused by the provider.
    expect(documentedLimits("claude-3-haiku-20240307")).toMatchObject({ output: 4096 });
    expect(documentedLimits("anthropic/claude-3.7-sonnet")).toMatchObject({ output: 64_000 });
    expect(documentedLimits("claude-opus-4-20250514")).toMatchObject({ output: 32_000 });
    expect(documentedLimits("gpt-5-chat-latest")).toMatchObject({ window: 128_000, output: 16_384 });
    expect(documentedLimits("openai/gpt-4o-2024-11-20")).toMatchObject({ window: 128_000, output: 16_384 });
    expect(documentedLimits("o1-mini")).toMatchObject({ output: 65_536 });
    for (const model of ["solo1", "llama", "claude-opus-4-9", "gpt-5.7", "databricks-gpt-5-5", "gpt-6"])
      expect(documentedLimits(model)).toEqual(unknown);
  });

  it("knows which models see images where that is documented", () => {
    const images = (model: string) => capabilitiesOf("openai", model).images;
    expect(["gpt-4o", "o3-mini", "deepseek-chat", "o3", "llama", "gpt-6"].map(images)).toEqual([
      "yes",
      "no",
      "no",
      "yes",
      "unknown",
      "unknown",
    ]);
  });
});

describe("OpenAI's families", () => {
  it.each([
    ["gpt-5-pro", "high"],
    ["gpt-5.6", "none low medium high xhigh max"],
    ["databricks-gpt-5-6-luna", "none low medium high xhigh max"],
    ["gpt-5.5", "none low medium high xhigh"],
    ["GPT5.4-mini", "none low medium high xhigh"],
    ["databricks-gpt-5-5", "none low medium high xhigh"],
    ["gpt-5.1", "none low medium high"],
    ["gpt-5.1-2025-04-01", "none low medium high"],
    ["gpt-5", "minimal low medium high"],
    ["gpt-5-mini", "minimal low medium high"],
    ["gpt-5-codex", "minimal low medium high"],
    ["gpt-5-1106", "minimal low medium high"],
    ["gpt-5-1106-preview", "minimal low medium high"],
    ["gpt-5-4o", "minimal low medium high"],
    ["gpt-6", "low medium high xhigh max"],
    ["gpt-6-sol", "none low medium high xhigh max"],
    ["gpt-6-astra", "low medium high xhigh max"],
    ["databricks-kimi-k3", "low high max"],
    // Whatever else begins with gpt-5 is taken for one (16.3); a version or a word that only looks like one is none.
    ["gpt-5.2", "minimal low medium high"],
    ["gpt-5.10", "minimal low medium high"],
    ["gpt-5-10-preview", "minimal low medium high"],
    ["gpt-5:free", "minimal low medium high"],
    ["gpt-50", "unknown"],
    ["chatgpt-5", "unknown"],
    ["gpt-4o", "unknown"],
    ["claude-opus-4-8", "unknown"],
    ["llama", "unknown"],
  ])("%s takes %s", (model, expected) => {
    expect(levels(model)).toBe(expected);
  });

  it.each([
    ["gpt-5-pro", "none minimal low medium high xhigh max", "high high high high high high high"],
    ["gpt-5.6", "none minimal low medium high xhigh max", "none none low medium high xhigh max"],
    ["gpt-5.5", "none minimal low medium high xhigh max", "none none low medium high xhigh xhigh"],
    ["gpt-5.4", "none minimal low medium high xhigh max", "none none low medium high xhigh xhigh"],
    ["gpt-5.1", "none minimal low medium high xhigh max", "none none low medium high high high"],
    ["gpt-5", "none minimal low medium high xhigh max", "minimal minimal low medium high high high"],
    ["gpt-5-5-mini", "none minimal low medium high xhigh max", "none none low medium high xhigh xhigh"],
    ["gpt-6", "none minimal low medium high xhigh max", "low low low medium high xhigh max"],
    ["llama", "none minimal low medium high xhigh max", "none minimal low medium high xhigh xhigh"],
  ])("%s asked for %s gets %s", (model, asked, given) => {
    expect(asked.split(" ")).toEqual([...EFFORTS]);
    expect(EFFORTS.map((level) => openAiEffort("openai", model, level)).join(" ")).toBe(given);
  });
});

describe("Claude's families", () => {
  const thinking = (model: string): string =>
    EFFORTS.map((level) => {
      const chosen = claudeThinking(model, some(level), 65_536);
      return chosen.kind === "adaptive"
        ? chosen.effort
        : chosen.kind === "manual"
          ? String(chosen.budgetTokens)
          : "off";
    }).join(" ");

  it.each([
    ["claude-3-7-sonnet-latest", "off off 1024 8192 32768 32768 32768"],
    ["claude-opus-4-5", "off off 1024 8192 32768 32768 32768"],
    ["databricks-claude-3-7-sonnet", "off off 1024 8192 32768 32768 32768"],
    ["claude-opus-4-6", "off off low medium high high max"],
    ["claude-sonnet-4-6", "off off low medium high high max"],
    ["claude-mythos-preview", "off off low medium high high max"],
    ["claude-opus-4-7", "off off low medium high xhigh max"],
    ["claude-opus-4-8", "off off low medium high xhigh max"],
    ["claude-opus-5", "off off low medium high xhigh max"],
    ["claude-sonnet-5-20260101", "off off low medium high xhigh max"],
    ["goose-claude-sonnet-5", "off off low medium high xhigh max"],
    ["goose-claude-fable-5", "off off low medium high xhigh max"],
    ["claude-mythos-5", "off off low medium high xhigh max"],
    ["any-prefix-claude-opus-4-7", "off off low medium high xhigh max"],
    ["claude-opus-4-5-20251101", "off off off off off off off"],
    ["claude-haiku-4-5", "off off off off off off off"],
    ["claude-sonnet-4-5", "off off off off off off off"],
    ["claude-opus-4-9", "off off off off off off off"],
    ["Databricks-Claude-Opus-5", "off off low medium high xhigh max"],
    ["octoclaude-opus-5", "off off off off off off off"],
    ["claude-opus-50", "off off off off off off off"],
    ["goose-opus-5", "off off off off off off off"],
    ["gpt-5", "off off off off off off off"],
  ])("%s thinks at the seven levels: %s", (model, expected) => {
    expect(thinking(model)).toBe(expected);
    expect(claudeThinking(model, none, 65_536)).toEqual({ kind: "off" });
  });

  it.each([
    [4096, { kind: "manual", budgetTokens: 3072 }],
    [32_768, { kind: "manual", budgetTokens: 31_744 }],
    [2048, { kind: "manual", budgetTokens: 1024 }],
    [2047, { kind: "off" }],
    [1025, { kind: "off" }],
    [1, { kind: "off" }],
  ])("a budget leaves the answer room within %i output tokens", (maxOutputTokens, expected) => {
    expect(claudeThinking("claude-opus-4-5", some("high"), maxOutputTokens)).toEqual(expected);
  });
});

describe("levels to choose from", () => {
  const choice = (...args: Parameters<typeof effortChoice>): readonly [string, string | undefined] => {
    const { efforts, default: preset } = effortChoice(...args);
    return [efforts.join(" "), preset._tag === "Some" ? preset.value : undefined];
  };
  const allButMax = "none minimal low medium high xhigh";

  it.each([
    ["anthropic", "claude-3-7-sonnet", "low medium high", undefined],
    ["anthropic", "claude-opus-4-8", "low medium high xhigh max", "high"],
    ["anthropic", "claude-opus-4-6", "low medium high max", "high"],
    ["anthropic", "claude-haiku-4-5", "low medium high xhigh max", "high"],
    ["anthropic", "", "low medium high xhigh max", "high"],
    ["openai", "gpt-5-pro", "high", "high"],
    ["openai", "gpt-5.1", "none low medium high", "none"],
    ["openai", "llama", allButMax, "medium"],
    ["databricks", "", allButMax, "medium"],
    ["databricks_v2", "databricks-claude-opus-4-8", "low medium high xhigh max", "high"],
    ["databricks_v2", "gpt-5.5", "none low medium high xhigh", "medium"],
    ["databricks_v2", " ", `${allButMax} max`, "medium"],
    ["databricks_v2", "databricks-claude-next", "low medium high xhigh max", "high"],
    ["databricks_v2", "databricks-gpt-5-4-mini", "low medium high", "medium"],
    ["databricks_v2", "gpt-5-2", "none low medium high xhigh", "medium"],
    ["databricks_v2", "gemini-3-pro-image", "low high", undefined],
    ["databricks_v2", "glm-5-2", allButMax, "medium"],
    ["databricks_v2", "main.agents.claude-opus-5", allButMax, "medium"],
    ["databricks_v2", "main.agents.gpt-5", allButMax, "medium"],
    ["openai", "gpt-5-2", "minimal low medium high", "medium"],
    ["openai", "claude-opus-4-8", allButMax, "medium"],
    ["anthropic", "gpt-5", "low medium high xhigh max", "high"],
    ["openrouter", "x/y", `${allButMax} max`, "medium"],
    ["ollama", "x", "", undefined],
  ] as const)("at %s for %s are %s, preset %s", (provider, model, efforts, preset) => {
    expect(choice(provider, model)).toEqual([efforts, preset]);
  });
});

describe("what is sent for a level", () => {
  it.each([
    ["anthropic", "claude-opus-4-8", "xhigh", "xhigh"],
    ["anthropic", "claude-opus-4-6", "xhigh", "high"],
    ["anthropic", "claude-3-7-sonnet", "low", "low"],
    ["anthropic", "claude-haiku-4-5", "low", undefined],
    ["databricks_v2", "goose-opus-5", "high", "high"],
    ["databricks_v2", "databricks-claude-opus-5", "none", undefined],
    ["databricks_v2", "gpt-5.5", "max", "xhigh"],
    ["databricks_v2", "gpt-5-6-sol", "xhigh", "max"],
    ["databricks_v2", "gpt-5-6-luna", "max", "high"],
    ["databricks_v2", "deepseek-v4-pro-0813", "low", "high"],
    ["databricks_v2", "llama", "max", "xhigh"],
    ["databricks_v2", "claude-next", "high", undefined],
    ["databricks", "llama", "max", "xhigh"],
    ["openai", "gpt-5", "none", "minimal"],
    ["deepseek", "deepseek-chat", "low", "low"],
    ["openrouter", "x/y", "max", "max"],
    ["ollama", "llama", "low", undefined],
  ] as const)("at %s to %s, chosen %s, is %s", (provider, model, effort, expected) => {
    expect(sentEffort(provider, model, effort, 32_768)).toEqual(expected === undefined ? none : some(expected));
  });
});
