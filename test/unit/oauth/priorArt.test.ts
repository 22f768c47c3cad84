/**
 * The prior art's tests of catalogue, login and what joins them (`spec/providers.md` 18.3 to 18.7), each with the test of ours
 * that holds it, or the reason why it does not hold here.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Where = readonly [file: string, title: string] | { readonly overruled: string };

const pages = "test/unit/catalogue/catalogue.test.ts";
const host = "test/integration/http/catalogue.test.ts";
const tokens = "test/unit/oauth/token.test.ts";
const file = "test/integration/oauth/tokenFile.test.ts";
const login = "test/integration/oauth/credential.test.ts";
const callback = "test/integration/oauth/callback.test.ts";
const again = "test/integration/http/again.test.ts";
const terminal = "test/integration/oauth/terminalLogin.test.ts";
const routes = "test/integration/http/databricks.test.ts";

const expired: Where = [tokens, "%s"];
const noBrowser: Where = {
  overruled: "a request never opens a browser (spec/providers.md 16.5, issue of the providers)",
};
const otherModel: Where = [routes, "another model of the same session takes another way"];
const setModel: Where = [
  "test/integration/acpChecklist/options.test.ts",
  "61: session/set_model takes any id, tells of it, and refuses an empty one",
];

const table: Readonly<Record<string, Where>> = {
  discovery_refreshes_rejected_bearer_once_then_retries_successfully: [
    host,
    "a login that the host refuses is renewed once, and the listings are asked for again",
  ],
  v1_parse_filters_ready_chat_endpoints: [
    pages,
    "lists what is ready and meant for chat; what it does not say counts as both",
  ],
  v1_parse_errors_on_missing_endpoints_array: [pages, "%j is no listing"],
  v1_parse_empty_endpoints_returns_empty_vec: [
    pages,
    "lists what is ready and meant for chat; what it does not say counts as both",
  ],
  v2_parse_extracts_names_and_page_token: [
    host,
    "is read page by page, side by side with the services, once for the process",
  ],
  v2_parse_empty_token_signals_last_page: [pages, "%j goes on as it says"],
  v2_parse_absent_token_signals_last_page: [pages, "%j goes on as it says"],
  v2_parse_errors_on_missing_endpoints_array: [
    pages,
    "lists all but embedding models, told by whole segments of their names",
  ],
  v2_parse_drops_embedding_endpoints: [pages, "lists all but embedding models, told by whole segments of their names"],
  v2_parse_reads_created_timestamp_in_either_wire_shape: [pages, "a time of %j is read or left out"],
  v2_endpoints_sort_newest_first_then_by_name: [
    pages,
    "puts the newest first, those without a time last, and names decide between equals",
  ],
  authenticated_empty_v2_catalog_marks_fallback_provenance: [
    pages,
    "of a host that lists nothing is a default that says so",
  ],
  is_chat_capable_endpoint_keeps_unrecognised_names: [
    pages,
    "lists all but embedding models, told by whole segments of their names",
  ],

  pkce_pair_produces_valid_challenge: [tokens, "PKCE: 64 characters, and the challenge is their SHA-256"],
  cached_token_no_expiry_is_not_expired: expired,
  cached_token_far_future_is_not_expired: expired,
  cached_token_within_leeway_is_expired: expired,
  cache_path_uses_platform_home_directory: [
    tokens,
    "the file's name is the prior art's, so that a login made there counts here",
  ],
  token_from_response_uses_fallback_refresh: [
    tokens,
    "expires counted from now, and keeps the old refresh token where there is no new one",
  ],
  token_from_response_rejects_missing_access_token: [tokens, "%s is of no use"],
  token_from_response_rejects_empty_access_token: [tokens, "%s is of no use"],
  test_bearer_reuses_disk_token_after_expiry: [login, "that another process has renewed is taken over"],
  test_bearer_falls_through_to_browser_when_disk_also_expired: noBrowser,
  test_try_bearer_no_browser_empty_cache_no_refresh_returns_llm_auth_without_discovery: [
    login,
    "nobody is asked, no browser is opened, and the command that helps is named",
  ],
  test_callback_failure_page_omits_reflected_error_param: [
    callback,
    "a refusal of the server is told to the person only, on one line and cut",
  ],
  test_callback_error_detail_strips_control_chars_and_caps_length: [
    callback,
    "a refusal of the server is told to the person only, on one line and cut",
  ],
  test_callback_state_mismatch_page_omits_reflected_code: [
    callback,
    "a visit without our state is refused, repeats nothing, and ends nothing",
  ],
  test_callback_success_returns_code_and_static_page: [callback, "a code comes back, and the page does not repeat it"],
  test_save_writes_owner_only_cache_file: [
    file,
    "a login is written for its owner only, in folders that are made, and leaves nothing beside it",
  ],
  test_save_repairs_preexisting_loose_mode_file: [file, "is replaced by another when it is written"],
  test_write_private_cache_concurrent_savers_all_succeed: [
    file,
    "of sixteen writers at once each succeeds, and the file is one of theirs",
  ],
  test_bearer_cache_hit_tightens_preexisting_loose_mode_file: [file, "is tightened when it is read, the same file"],
  test_read_cache_refuses_symlinked_cache_path: [file, "a symbolic link is no login, wherever it points"],

  models_cache_does_not_pin_on_discovery_error: [
    host,
    "a host in trouble leaves the configured model, trimmed, and is asked again by the next session",
  ],
  models_catalog_does_not_cache_oauth_auth_fallback: [
    host,
    "without a login nobody is asked, the session works, and the next one asks again",
  ],
  configured_model_fallback_is_trimmed_and_singular: [
    host,
    "a host in trouble leaves the configured model, trimmed, and is asked again by the next session",
  ],

  openai_auto_upgrades_chat_to_responses_on_databricks_signal: [
    again,
    "a Chat host that answers 400 and names /v1/responses is asked there, by the real dialects",
  ],

  cache_hit_short_circuits_network: [login, "of the file is used without asking anybody"],
  expired_cache_silently_refreshes: [login, "is renewed silently, written down, and the rotated refresh token kept"],
  refreshed_token_is_persisted_to_disk: [
    login,
    "is renewed silently, written down, and the rotated refresh token kept",
  ],
  refresh_now_runs_grant_on_unexpired_rejected_token: [login, "is renewed although its time is not over"],
  refresh_now_coalesces_when_another_caller_already_refreshed: [
    login,
    "that another process has renewed is taken over",
  ],
  refresh_now_without_refresh_token_is_terminal: [
    login,
    "an access token that has run out with nothing to renew it is none",
  ],
  databricks_envelope_routes_through_serving_endpoints_and_strips_model: [routes, "%s with %s goes to %s"],
  databricks_v2_gpt5_routes_through_ai_gateway_responses: [routes, "%s with %s goes to %s"],
  databricks_v2_claude_routes_through_ai_gateway_anthropic_messages: [routes, "%s with %s goes to %s"],
  databricks_v2_other_models_route_through_ai_gateway_mlflow_chat: [routes, "%s with %s goes to %s"],
  session_set_model_switches_databricks_legacy_route: otherModel,
  session_set_model_switches_databricks_v2_route: otherModel,
  session_set_model_unknown_session_returns_error: [
    "test/integration/acpChecklist/options.test.ts",
    "session/set_model of an unknown session is -32002 with its id",
  ],
  session_set_model_empty_model_id_returns_error: setModel,
  model_discovery_surfaces_rejected_static_token_as_auth_failure: [
    host,
    "refuses the session, with one request a listing, and without a word of the body",
  ],
  oauth_missing_token_uses_configured_model_then_retries_discovery: [
    host,
    "without a login nobody is asked, the session works, and the next one asks again",
  ],
  non_auth_discovery_failure_uses_configured_model_without_caching_fallback: [
    host,
    "a host in trouble leaves the configured model, trimmed, and is asked again by the next session",
  ],
  rejected_static_token_does_not_consume_capacity_or_spawn_mcp: [
    terminal,
    "with a key nothing is offered, and a refused key refuses the session before a server is started",
  ],
};

const root = new URL("../../../", import.meta.url);

const held = (where: Where): boolean => {
  if ("overruled" in where) return where.overruled !== "";
  const [path, title] = where;
  return readFileSync(new URL(path, root), "utf8").includes(JSON.stringify(title));
};

test("each of them is held by a test that exists, or overruled for a reason", () => {
  const lost = Object.entries(table).flatMap(([name, where]) => (held(where) ? [] : [name]));
  expect(lost).toEqual([]);
  expect(Object.keys(table)).toHaveLength(55);
});
