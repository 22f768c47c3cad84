/**
 * The tests of the prior art whose subject is the agent as a whole (`spec/server-mcp.md` 17.1 to 17.3), by name, and what holds the
 * behaviour under each name here: a golden trace, a test of ours, or both. Where decisions.md decides otherwise the row says so.
 */
export interface Row {
  readonly name: string;
  /** Files below `test/traces/golden`, without `.txt`. */
  readonly traces: readonly string[];
  /** Files from the root of the repository. */
  readonly tests: readonly string[];
  /** What is different here, or which part is the shell's. */
  readonly note: string;
}

const trace = (name: string, ...traces: readonly string[]): Row => ({ name, traces, tests: [], note: "" });
const by = (name: string, ...tests: readonly string[]): Row => ({ name, traces: [], tests, note: "" });

const turn = "test/integration/acpTurn.test.ts";
const aimock = "test/integration/http/aimock.test.ts";
const config = "test/unit/config/config.test.ts";

export const regressions: readonly Row[] = [
  trace("assistant_text_preserved_across_prompts", "prompt/assistant-text-stays-for-the-next-prompt"),
  by(
    "mcp_init_timeout_kills_child",
    "test/integration/acpChecklist/sessionNew.test.ts",
    "test/integration/mcpLife.test.ts",
  ),
  by("tool_metadata_caps_enforced", "test/integration/mcpLife.test.ts"),
  by("mcp_server_count_cap", "test/integration/acpChecklist/sessionNew.test.ts"),
  { ...trace("cancel_leaves_history_valid_for_next_prompt", "cancel/while-the-model-works"), tests: [turn] },
  {
    name: "empty_assistant_serializes_as_empty_string",
    traces: ["reply/empty"],
    tests: ["test/unit/providers/chat.test.ts"],
    note: "An empty answer is not stored, so there is nothing to serialise.",
  },
  trace("history_budget_evicts_old_turns", "limits/truncation"),
  trace("per_turn_tool_call_cap_enforced", "tools/sixty-four-calls", "tools/too-many-calls"),
  by("description_clamping_enforced", "test/integration/mcpLife.test.ts"),
  trace("hook_stop_blocks_premature_end", "stop-gate/hook-objects"),
  trace("hook_stop_budget_exhausted", "stop-gate/budget-exhausted"),
  trace("hook_stop_consecutive_end_turn_uses_rejection_budget", "stop-gate/consecutive-ends-use-the-budget"),
  trace("hook_stop_budget_resets_per_prompt", "stop-gate/budget-is-per-prompt"),
  trace("hook_tools_hidden_from_llm", "tools/hooks-are-no-tools"),
  trace("hook_post_compact_injects_after_handoff", "handoff/over-the-threshold"),
  trace("handoff_summary_prompt_includes_full_history_within_context_budget", "handoff/over-the-threshold"),
  trace("handoff_summary_prompt_keeps_latest_item_when_one_item_exceeds_budget", "handoff/oversize-item"),
  trace("token_usage_over_budget_triggers_handoff", "handoff/over-the-threshold"),
  trace("stale_usage_plus_history_growth_triggers_handoff", "handoff/stale-reading-plus-growth"),
  {
    ...trace("hook_stop_timeout_failopen", "stop-gate/hook-fails-open"),
    note: "That a slow hook is left out of the answer is the shell's part.",
  },
  {
    ...by("cancel_kills_inflight_tool_via_mcp_notification", "test/integration/mcpFaults.test.ts"),
    traces: ["cancel/while-tools-run"],
  },
  by("cancel_sends_notifications_cancelled_to_any_mcp_server", "test/integration/mcpLife.test.ts"),
  trace("reply_guard_off_by_default", "stop-gate/reply-guard-off"),
  by("reply_guard_explicit_zero_is_off", config),
  trace("reply_guard_nags_twice_then_lets_the_turn_end", "stop-gate/reply-guard-reminds-twice"),
  trace("reply_guard_satisfied_by_registered_shell_send", "stop-gate/reply-guard-satisfied"),
  trace("reply_guard_ignores_unregistered_shell_tool", "stop-gate/reply-guard-not-satisfied"),
  trace("reply_guard_ignores_calls_lost_to_the_turn_cap", "stop-gate/reply-guard-ignores-dropped-calls"),
  trace("reply_guard_bounded_by_stop_rejection_budget", "stop-gate/reply-guard-within-the-budget"),
  trace("reply_guard_off_when_stop_budget_is_zero", "stop-gate/off"),
  trace("reply_guard_combines_with_stop_hook_objection", "stop-gate/reply-guard-and-hook"),
  by("reply_guard_rejects_unparseable_toggle", config),
  trace("context_window_400_recovers_instead_of_sticking", "overflow/recovers"),
  trace("max_tokens_recovers_in_turn_without_running_partial_tool_call", "reply/cut-off"),
  trace("max_tokens_recovery_respects_finite_round_cap", "limits/cut-off-counts-as-a-round"),
  trace("repeated_max_tokens_is_bounded", "reply/cut-off-three-times"),
  trace("recovery_retry_is_sent_under_a_finite_round_cap", "overflow/recovers"),
  trace("finite_round_cap_still_binds_without_a_context_overflow", "limits/max-rounds"),
  trace("forced_handoff_retains_live_prompt_exactly_once", "overflow/recovers"),
  trace("ordinary_400_stays_terminal_and_triggers_no_recovery", "failure/other"),
  trace("context_recovery_budget_exhaustion_surfaces_the_error", "overflow/ladder", "overflow/three-attempts-over-all"),
  trace("small_history_context_400_refuses_rescue_at_the_prompt_floor", "overflow/nothing-to-gain"),
  trace("recovery_shrinks_the_summarize_prompt_below_the_rejected_size", "overflow/ladder"),
  trace("recovery_shrinks_further_on_each_rung", "overflow/ladder"),
  trace("reactive_reset_clears_usage_baseline_so_the_gate_is_not_blind", "overflow/clears-the-reading"),
  trace("handoff_cap_resets_per_turn_not_per_session", "handoff/cap-is-per-turn"),
  trace("handoff_cap_binds_within_a_single_turn", "handoff/cap-in-one-turn"),
  trace("failed_summarize_burns_handoff_attempt_budget", "handoff/summary-fails"),
];

export const fakeLlm: readonly Row[] = [
  { ...trace("text_only_end_turn", "prompt/text-only"), tests: [turn] },
  trace("tool_call_then_end_turn", "tools/unknown"),
  trace("unsupported_image_response_recovers_without_replaying_image", "failure/image-not-supported"),
  trace(
    "unsupported_image_without_image_in_history_fails_instead_of_looping",
    "failure/image-not-supported-without-image",
  ),
  trace("rejects_concurrent_prompts", "prompt/refused"),
  by("rejects_oversized_line", "test/unit/stdio/frameReader.test.ts"),
  by("session_new_rejects_oversized_system_prompt", "test/integration/acpChecklist/sessionNew.test.ts"),
  by("system_prompt_reaches_llm_system_role", "test/integration/acpChecklist/realClients.test.ts"),
  by("system_prompt_absent_no_canary", config),
  trace("steer_folds_into_active_turn_without_cancelling", "steer/joins-the-turn"),
  trace("steer_rejected_when_no_active_run", "steer/refused"),
  trace("steer_rejected_on_run_id_mismatch", "steer/refused"),
  trace("usage_notification_emitted_before_prompt_response", "usage/accumulates"),
  trace("no_usage_turn_emits_no_usage_notification", "usage/no-usage"),
  trace("usage_is_reported_after_each_round_not_only_at_turn_end", "usage/accumulates"),
  trace("mid_turn_usage_includes_earlier_turns", "usage/accumulates"),
  trace("cancelled_turn_with_usage_emits_notification_before_response", "usage/cancelled-turn"),
  trace("steer_rejected_on_empty_prompt", "steer/refused"),
  trace("session_total_poisoned_by_missing_total_and_stays_poisoned", "usage/a-missing-total-stays-missing"),
  {
    ...by("new_session_resets_total_accumulation", "test/properties/randomEvents.test.ts"),
    note: "Each session begins with nothing seen; that two sessions share nothing is the shell's part.",
  },
];

export const goldenTranscripts: readonly Row[] = [
  trace("test_text_only_response", "prompt/text-only"),
  trace("test_full_tool_call_transcript", "tools/unknown"),
  trace("test_permission_denied_continues", "permission/asked-in-order"),
  by("test_initialize_version_check", "test/integration/acpChecklist/initialize.test.ts"),
  by("test_session_new_rejects_relative_cwd", "test/integration/acpChecklist/sessionNew.test.ts"),
  by("test_malformed_json_rpc", "test/unit/stdio/envelope.test.ts"),
  by("test_unsupported_content_block", "test/integration/acpChecklist/prompt.test.ts"),
  trace("test_concurrent_prompt_rejected", "prompt/refused"),
  by("test_oversized_line_kills_agent", "test/unit/stdio/frameReader.test.ts"),
  {
    ...trace("test_thought_chunk_emitted_before_message_chunk_anthropic", "reply/thought-before-message"),
    tests: [aimock],
  },
  trace("test_thought_chunk_emitted_before_message_chunk_responses_api", "reply/thought-before-message"),
  trace(
    "test_thought_chunk_emitted_before_message_chunk_chat_completions_reasoning_content",
    "reply/thought-before-message",
  ),
  trace("test_no_reasoning_no_thought_chunk", "reply/thought-before-message"),
  trace("test_anthropic_input_overflow_omits_accumulated_input_tokens", "usage/overflow"),
  { ...trace("test_cancel_notification_no_reply", "cancel/while-the-model-works"), tests: [turn] },
  trace("test_acp_v2_chunks_carry_message_id", "reply/thought-before-message"),
];
