/** Stop reasons of all dialects: one table, since hosts mix the vocabularies (`spec/providers.md` 7.5 and 16.1). */
import type { Stop } from "../core/model.js";

const STOPS: ReadonlyMap<string, Stop> = new Map<string, Stop>([
  ["end_turn", { kind: "end" }],
  ["stop", { kind: "end" }],
  ["tool_use", { kind: "toolUse" }],
  ["tool_calls", { kind: "toolUse" }],
  ["max_tokens", { kind: "cutOff", by: "outputLimit" }],
  ["length", { kind: "cutOff", by: "outputLimit" }],
  ["model_context_window_exceeded", { kind: "cutOff", by: "contextWindow" }],
  ["refusal", { kind: "refusal" }],
  ["content_filter", { kind: "refusal" }],
]);

/** "" for a reason that is missing; what nobody has heard of is kept by name (F44). */
export const stopOf = (raw: string): Stop => STOPS.get(raw) ?? { kind: "unknown", raw };
