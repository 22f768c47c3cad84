/**
 * What is publicly known of models, by family: data only. Sources: `spec/providers.md` 4 and 16.3, and the vendors' model pages
 * for windows and output limits (left out where nothing is documented). Rows are tried from top to bottom.
 */
import type { CapabilityTable } from "./capabilities.js";

export const capabilityTable: CapabilityTable = {
  claude: [
    { prefix: "claude-3", exact: false, thinking: "manual", xhigh: false, window: 200_000, output: 0 },
    { prefix: "claude-opus-4-5", exact: true, thinking: "manual", xhigh: false, window: 200_000, output: 64_000 },
    { prefix: "claude-opus-4-6", exact: false, thinking: "adaptive", xhigh: false, window: 0, output: 0 },
    { prefix: "claude-opus-4-7", exact: false, thinking: "adaptive", xhigh: true, window: 0, output: 0 },
    { prefix: "claude-opus-4-8", exact: false, thinking: "adaptive", xhigh: true, window: 0, output: 0 },
    { prefix: "claude-opus-5", exact: false, thinking: "adaptive", xhigh: true, window: 0, output: 0 },
    { prefix: "claude-sonnet-5", exact: false, thinking: "adaptive", xhigh: true, window: 0, output: 0 },
    { prefix: "claude-sonnet-4-6", exact: false, thinking: "adaptive", xhigh: false, window: 0, output: 0 },
    { prefix: "claude-fable-5", exact: false, thinking: "adaptive", xhigh: true, window: 0, output: 0 },
    { prefix: "claude-mythos-5", exact: false, thinking: "adaptive", xhigh: true, window: 0, output: 0 },
    { prefix: "claude-mythos-preview", exact: false, thinking: "adaptive", xhigh: false, window: 0, output: 0 },
    { prefix: "claude-haiku-4-5", exact: false, thinking: "none", xhigh: false, window: 200_000, output: 64_000 },
    { prefix: "claude-sonnet-4-5", exact: false, thinking: "none", xhigh: false, window: 200_000, output: 64_000 },
  ],
  openai: [
    {
      tokens: ["gpt-5-pro", "gpt5-pro"],
      base: false,
      efforts: ["high"],
      default: "high",
      window: 400_000,
      output: 272_000,
    },
    {
      tokens: ["gpt-5.6", "gpt5.6", "gpt-5-6", "gpt5-6"],
      base: false,
      efforts: ["none", "low", "medium", "high", "xhigh", "max"],
      default: "medium",
      window: 0,
      output: 0,
    },
    {
      tokens: ["gpt-5.5", "gpt5.5", "gpt-5-5", "gpt5-5", "gpt-5.4", "gpt5.4", "gpt-5-4", "gpt5-4"],
      base: false,
      efforts: ["none", "low", "medium", "high", "xhigh"],
      default: "medium",
      window: 0,
      output: 0,
    },
    {
      tokens: ["gpt-5.1", "gpt5.1", "gpt-5-1", "gpt5-1"],
      base: false,
      efforts: ["none", "low", "medium", "high"],
      default: "none",
      window: 400_000,
      output: 128_000,
    },
    {
      tokens: ["gpt-5", "gpt5"],
      base: true,
      efforts: ["minimal", "low", "medium", "high"],
      default: "medium",
      window: 400_000,
      output: 128_000,
    },
    {
      tokens: ["gpt-6", "gpt6"],
      base: true,
      efforts: ["low", "medium", "high", "xhigh", "max"],
      default: "medium",
      window: 0,
      output: 0,
    },
  ],
};
