/** Replies and failures of a model. */
import * as fc from "fast-check";
import type {
  Attempts,
  FailureKind,
  ModelFailure,
  ModelReply,
  RequestedCall,
  Settings,
  Stop,
} from "../../core/index.js";
import { none, some } from "../option.js";
import { text, word } from "./text.js";
import { argumentsText, calledName } from "./tools.js";
import { unusedTokens, usage } from "./usage.js";

const call: fc.Arbitrary<RequestedCall> = fc.record({
  providerId: fc.constantFrom("call_0", "call_1", "", "id with spaces", "ü"),
  name: calledName,
  argumentsText,
  extra: fc.oneof({ weight: 5, arbitrary: fc.constant("") }, { weight: 1, arbitrary: fc.constant('{"index":0}') }),
});

const calls: fc.Arbitrary<readonly RequestedCall[]> = fc.oneof(
  { weight: 4, arbitrary: fc.constant([]) },
  { weight: 9, arbitrary: fc.array(call, { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.array(call, { minLength: 5, maxLength: 8 }) },
);

const stop: fc.Arbitrary<Stop> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ kind: "end" as const }) },
  { weight: 4, arbitrary: fc.constant({ kind: "toolUse" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("cutOff" as const),
      by: fc.constantFrom("outputLimit" as const, "contextWindow" as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "refusal" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "unknown" as const, raw: "pause_turn" }) },
);

const replay = fc.oneof(
  { weight: 3, arbitrary: fc.constant(none) },
  { weight: 1, arbitrary: fc.constant(some({ dialect: "anthropic", model: "m1", json: '[{"type":"thinking"}]' })) },
);

export const reply: fc.Arbitrary<ModelReply> = fc.record({
  text,
  reasoning: fc.oneof({ weight: 3, arbitrary: fc.constant("") }, { weight: 1, arbitrary: text }),
  calls,
  stop,
  usage,
  replay,
});

/** The plainest reply: a text, no usage, the end. */
export const saying = (said: string): ModelReply => ({
  text: said,
  reasoning: "",
  calls: [],
  stop: { kind: "end" },
  usage: unusedTokens,
  replay: none,
});

const terminal: readonly FailureKind[] = [
  "authentication",
  "permission",
  "payment",
  "modelNotFound",
  "requestTooLarge",
  "invalidRequest",
  "rateLimited",
  "overloaded",
  "serverError",
  "timeout",
  "transport",
  "badReply",
  "replyTooLarge",
  "aborted",
  "internal",
];

export const failure: fc.Arbitrary<ModelFailure> = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant("contextExceeded" as const) },
    { weight: 4, arbitrary: fc.constant("imageUnsupported" as const) },
    { weight: 2, arbitrary: fc.constantFrom(...terminal) },
  ),
  message: word,
  status: fc.constantFrom(none, some(400), some(503)),
});

export const attempts: fc.Arbitrary<Attempts> = fc.record({
  tries: fc.integer({ min: 1, max: 3 }),
  waitedMs: fc.integer({ min: 0, max: 60_000 }),
});

export const settings: fc.Arbitrary<Settings> = fc.record({
  model: fc.constantFrom("m1", "m2"),
  effort: fc.constantFrom(none, some("high")),
  windowTokens: fc.constantFrom(1_000, 4_000, 20_000, 200_000),
  maxOutputTokens: fc.constantFrom(64, 1_000, 32_768),
  authority: fc.constantFrom(none, some("api.example"), some("api.other")),
});
