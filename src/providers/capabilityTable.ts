/**
 * What is publicly known of models: data only. Levels of effort and routes: `spec/providers.md` 4 and 16.3. Limits and images: the
 * vendors' model pages, and nothing where those are silent. The order of rows means nothing: the longest matching name counts.
 */
import type { CapabilityTable } from "./capabilitySchema.js";

const lowToHigh = ["low", "medium", "high"] as const;
const lowToXhigh = [...lowToHigh, "xhigh"] as const;
const lowToMax = [...lowToXhigh, "max"] as const;
const noneToXhigh = ["none", ...lowToXhigh] as const;
const noneToMax = ["none", ...lowToMax] as const;
const minimalToHigh = ["minimal", ...lowToHigh] as const;
const allButMax = ["none", "minimal", ...lowToXhigh] as const;
const everyLevel = [...allButMax, "max"] as const;

const claude = { whole: false, thinking: "adaptive", efforts: lowToMax, default: "high", route: "messages" } as const;
const withoutXhigh = { ...claude, efforts: [...lowToHigh, "max"] } as const;
const manual = { ...claude, thinking: "manual", efforts: lowToHigh, default: "unset" } as const;
const gpt = { whole: false, thinking: "effort", default: "medium", route: "responses" } as const;

const v2 = "databricks_v2";

export const capabilityTable: CapabilityTable = {
  families: [
    { names: ["claude"], ...claude, thinking: "omitted" },
    { names: ["claude-3"], ...manual },
    { names: ["claude-opus-4-5"], ...manual, whole: true },
    { names: ["claude-opus-4-6", "claude-sonnet-4-6", "claude-mythos-preview"], ...withoutXhigh },
    { names: ["claude-opus-4-7", "claude-opus-4-8", "claude-opus-5", "claude-sonnet-5"], ...claude },
    { names: ["claude-fable-5", "claude-mythos-5"], ...claude },
    { names: ["gpt-5", "gpt5"], ...gpt, efforts: minimalToHigh },
    { names: ["gpt-5-pro", "gpt5-pro"], ...gpt, efforts: ["high"], default: "high" },
    {
      names: ["gpt-5.1", "gpt5.1", "gpt-5-1", "gpt5-1"],
      ...gpt,
      efforts: ["none", ...lowToHigh],
      default: "none",
    },
    { names: ["gpt-5.4", "gpt5.4", "gpt-5-4", "gpt5-4"], ...gpt, efforts: noneToXhigh },
    { names: ["gpt-5.5", "gpt5.5", "gpt-5-5", "gpt5-5"], ...gpt, efforts: noneToXhigh },
    { names: ["gpt-5.6", "gpt5.6", "gpt-5-6", "gpt5-6"], ...gpt, efforts: noneToMax },
    { names: ["gpt-6", "gpt6"], ...gpt, efforts: lowToMax },
    { names: ["gpt-6-sol", "gpt6-sol", "gpt-6-luna", "gpt6-luna"], ...gpt, efforts: noneToMax },
    { names: ["kimi-k3"], ...gpt, efforts: ["low", "high", "max"], default: "unset", route: "chat" },
  ],
  exact: [
    { provider: v2, ids: ["gpt-5-4-mini", "gpt-5-4-nano", "gpt-5-5"], efforts: lowToHigh },
    { provider: v2, ids: ["gpt-5-6-luna", "gpt-5-6-terra"], efforts: lowToHigh },
    { provider: v2, ids: ["gpt-5-6-sol"], efforts: [...lowToHigh, "max"] },
    { provider: v2, ids: ["gpt-5-2"], efforts: noneToXhigh },
    { provider: v2, ids: ["gemini-3-5-flash", "gemini-3-5-flash-lite", "gemini-3-6-flash"], efforts: minimalToHigh },
    { provider: v2, ids: ["gemini-3-pro-image"], efforts: ["low", "high"] },
    { provider: v2, ids: ["deepseek-v4-flash-0731", "glm-5-3-flash"], efforts: ["low", "high", "max"] },
    { provider: v2, ids: ["deepseek-v4-pro-0813"], efforts: ["high", "max"] },
    { provider: v2, ids: ["grok-4-6"], efforts: lowToXhigh },
    { provider: v2, ids: ["inkling"], efforts: lowToMax },
  ],
  fallbacks: {
    anthropic: { thinking: "omitted", efforts: lowToMax, default: "high" },
    openai: { thinking: "effort", efforts: allButMax, default: "medium" },
    deepseek: { thinking: "effort", efforts: allButMax, default: "medium" },
    databricks: { thinking: "effort", efforts: allButMax, default: "medium" },
    databricks_v2: { thinking: "effort", efforts: allButMax, default: "medium" },
    openrouter: { thinking: "effort", efforts: everyLevel, default: "medium" },
    ollama: { thinking: "omitted", efforts: [], default: "unset" },
    huggingface: { thinking: "omitted", efforts: [], default: "unset" },
  },
  limits: [
    { names: ["claude-3"], window: 200_000, output: 4096, images: "yes" },
    { names: ["claude-3-5", "claude-3.5"], window: 200_000, output: 8192, images: "yes" },
    { names: ["claude-3-7", "claude-3.7"], window: 200_000, output: 64_000, images: "yes" },
    { names: ["claude-opus-4-0", "claude-opus-4-20250514"], window: 200_000, output: 32_000, images: "yes" },
    { names: ["claude-opus-4-1", "claude-opus-4.1"], window: 200_000, output: 32_000, images: "yes" },
    { names: ["claude-sonnet-4-0", "claude-sonnet-4-20250514"], window: 200_000, output: 64_000, images: "yes" },
    { names: ["claude-opus-4-5", "claude-opus-4.5"], window: 200_000, output: 64_000, images: "yes" },
    { names: ["claude-sonnet-4-5", "claude-sonnet-4.5"], window: 200_000, output: 64_000, images: "yes" },
    { names: ["claude-haiku-4-5", "claude-haiku-4.5"], window: 200_000, output: 64_000, images: "yes" },
    { names: ["gpt-5", "gpt5"], window: 400_000, output: 128_000, images: "yes" },
    { names: ["gpt-5.1", "gpt5.1", "gpt-5-1", "gpt5-1"], window: 400_000, output: 128_000, images: "yes" },
    { names: ["gpt-5-pro", "gpt5-pro"], window: 400_000, output: 272_000, images: "yes" },
    { names: ["gpt-5-chat"], window: 128_000, output: 16_384, images: "yes" },
    // Written with dashes they would pass for the older gpt-5, whose numbers are not theirs.
    { names: ["gpt-5-4", "gpt5-4", "gpt-5-5", "gpt5-5", "gpt-5-6", "gpt5-6"], window: 0, output: 0, images: "unknown" },
    { names: ["gpt-4o"], window: 128_000, output: 16_384, images: "yes" },
    { names: ["gpt-4.1"], window: 1_047_576, output: 32_768, images: "yes" },
    { names: ["gpt-4-turbo"], window: 128_000, output: 4096, images: "yes" },
    { names: ["o1-mini"], window: 128_000, output: 65_536, images: "no" },
    { names: ["o1-preview"], window: 128_000, output: 32_768, images: "no" },
    { names: ["o1"], window: 200_000, output: 100_000, images: "yes" },
    { names: ["o3-mini"], window: 200_000, output: 100_000, images: "no" },
    { names: ["o3"], window: 200_000, output: 100_000, images: "yes" },
    { names: ["o4-mini"], window: 200_000, output: 100_000, images: "yes" },
    { names: ["deepseek-chat"], window: 128_000, output: 8192, images: "no" },
    { names: ["deepseek-reasoner"], window: 128_000, output: 65_536, images: "no" },
  ],
};
