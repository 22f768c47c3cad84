/**
 * The prior art's tests of its configuration (`spec/providers.md` 18.2), each with the test of ours that holds it, or the reason
 * why it does not hold here. What 18.2 has about thinking budgets, effort tables, hosts and billing is the dialects' business.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Where = readonly [file: string, title: string] | { readonly overruled: string };

const hooks: Where = ["config.test.ts", "MCP_HOOK_SERVERS"];
const allowed: Where = ["config.test.ts", "none allows nobody, all everybody, a list only who is listed"];
const star: Where = ["config.test.ts", "a star beside names widens nothing"];
const effort: Where = ["provider.test.ts", "effort %s is taken, in any case"];
const badEffort: Where = ["provider.test.ts", "effort may be unset or blank, and anything else lists what is accepted"];
const anthropicEffort: Where = [
  "provider.test.ts",
  "none and minimal are refused for Anthropic, and only for it, since elsewhere the model decides",
];
const summary: Where = ["provider.test.ts", "summary %s is %s"];
const missingKey: Where = ["provider.test.ts", "%o lacks %s, and no other provider steps in"];

const table: Readonly<Record<string, Where>> = {
  hook_servers_unset_is_none: hooks,
  hook_servers_empty_string_is_none: hooks,
  hook_servers_whitespace_only_is_none: hooks,
  hook_servers_star_is_all: hooks,
  hook_servers_star_with_whitespace_is_all: hooks,
  hook_servers_named_list: hooks,
  hook_servers_trims_entries: hooks,
  hook_servers_star_mixed_is_literal: hooks,
  hook_servers_allows_matches_named_only: allowed,
  hook_servers_allows_matches_all: allowed,
  hook_servers_allows_blocks_when_none: allowed,
  hook_servers_star_mixed_does_not_match_real_server: star,
  parse_openai_api_values: ["provider.test.ts", "OPENAI_COMPAT_API"],
  resolve_provider_keeps_requested_provider_when_token_present: ["provider.test.ts", "BUZZ_AGENT_PROVIDER=%s is %s"],
  resolve_provider_errors_when_requested_provider_key_missing: missingKey,
  resolve_provider_errors_when_provider_env_absent: [
    "provider.test.ts",
    "is required, and is not guessed from the keys that are set",
  ],
  resolve_provider_requires_databricks_host_and_model_for_fallback: {
    overruled: "there is no fallback; a missing host is a fault of its own (decisions.md, Product)",
  },
  resolve_provider_unsupported_error_preserves_user_casing: [
    "provider.test.ts",
    "an unknown one is told as it was typed",
  ],
  resolve_model_prefers_explicit_override: ["provider.test.ts", "BUZZ_AGENT_MODEL wins over the provider's own"],
  resolve_model_falls_back_to_provider_default: ["provider.test.ts", "BUZZ_AGENT_MODEL wins over the provider's own"],
  resolve_model_returns_none_when_both_absent: ["provider.test.ts", "is required, and told before a missing host"],
  parse_thinking_effort_round_trips_all_values: effort,
  parse_thinking_effort_none_and_empty_yield_none: badEffort,
  parse_thinking_effort_is_case_insensitive: effort,
  parse_thinking_effort_rejects_unknown_value: badEffort,
  parse_thinking_summary_round_trips_all_values: summary,
  parse_thinking_summary_unset_and_empty_yield_auto: summary,
  parse_thinking_summary_is_case_insensitive: summary,
  parse_thinking_summary_rejects_unknown_value: ["provider.test.ts", "an unknown summary lists what is accepted"],
  validate_rejects_none_effort_for_anthropic: anthropicEffort,
  validate_rejects_minimal_effort_for_anthropic: anthropicEffort,
  validate_accepts_all_efforts_for_databricks_v2: anthropicEffort,
  validate_accepts_all_efforts_for_openai: effort,
  validate_accepts_all_efforts_for_databricks: anthropicEffort,
  validate_accepts_xhigh_for_anthropic: anthropicEffort,
  validate_accepts_max_for_anthropic: anthropicEffort,
  validate_accepts_xhigh_for_openai: effort,
  validate_accepts_none_and_minimal_for_openai: anthropicEffort,
  resolve_provider_openrouter_with_key: ["provider.test.ts", "BUZZ_AGENT_PROVIDER=%s is %s"],
  resolve_provider_openrouter_missing_key: missingKey,
  resolve_provider_deepseek_uses_native_key: [
    "provider.test.ts",
    "of DeepSeek is its own, and the shared one where that is unset",
  ],
};

const held = (where: Where): boolean => {
  if ("overruled" in where) return where.overruled !== "";
  const [file, title] = where;
  return readFileSync(new URL(file, import.meta.url), "utf8").includes(JSON.stringify(title));
};

test("each of them is held by a test that exists, or overruled for a reason", () => {
  const lost = Object.entries(table).flatMap(([name, where]) => (held(where) ? [] : [name]));
  expect(lost).toEqual([]);
});
