/**
 * Moves: what the world does next, not yet tied to a state. The driver makes an event of a move; a failing list of moves shrinks
 * to a short one because every move means something in every state.
 */
import * as fc from "fast-check";
import type {
  Attempts,
  Event,
  HookOutput,
  ModelFailure,
  ModelReply,
  PermissionAnswer,
  Settings,
  ToolOutcome,
} from "../../core/index.js";
import { attempts, failure, reply, settings } from "./model.js";
import { filledText, text } from "./text.js";
import { catalog, toolOutcome } from "./tools.js";

/** The part of `catalogChanged` that is not its name. */
export type CatalogChange = Omit<Extract<Event, { readonly type: "catalogChanged" }>, "type">;

/** Something to say to whatever is out; only what fits the picked order is used. */
export interface Answers {
  readonly model:
    | { readonly kind: "reply"; readonly reply: ModelReply }
    | { readonly kind: "failure"; readonly failure: ModelFailure };
  readonly tool: ToolOutcome;
  readonly permission: PermissionAnswer;
  readonly hooks: readonly HookOutput[];
  readonly attempts: Attempts;
}

export type Move =
  | { readonly kind: "prompt"; readonly text: string }
  | { readonly kind: "steer"; readonly text: string; readonly run: "current" | "other" }
  | { readonly kind: "cancel"; readonly drainMs: number }
  | { readonly kind: "close"; readonly drainMs: number }
  | { readonly kind: "catalog"; readonly catalog: CatalogChange }
  | { readonly kind: "settings"; readonly settings: Settings }
  /** Answers one of the orders that are out; aborted ones too. */
  | { readonly kind: "answer"; readonly pick: number; readonly answers: Answers }
  /** Says once more what was said before. */
  | { readonly kind: "repeat"; readonly pick: number }
  /** Answers what was never ordered: another number, another turn, or an answer of the wrong kind. */
  | {
      readonly kind: "stray";
      readonly pick: number;
      readonly fault: "effect" | "turn" | "kind";
      readonly answers: Answers;
    };

export const answers: fc.Arbitrary<Answers> = fc.record({
  model: fc.oneof(
    { weight: 6, arbitrary: reply.map((said) => ({ kind: "reply" as const, reply: said })) },
    { weight: 1, arbitrary: failure.map((failed) => ({ kind: "failure" as const, failure: failed })) },
  ),
  tool: toolOutcome,
  permission: fc.constantFrom("allowOnce", "allowAlways", "rejectOnce", "cancelled", "failed"),
  hooks: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.record({ server: fc.constantFrom("fs", "dev"), text }), { minLength: 1, maxLength: 2 }),
    },
  ),
  attempts,
});

const pick = fc.nat({ max: 7 });
const drainMs = fc.constantFrom(1000, 5000);

export const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 140, arbitrary: fc.record({ kind: fc.constant("answer" as const), pick, answers }) },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant("prompt" as const), text }) },
  {
    weight: 16,
    arbitrary: fc.record({
      kind: fc.constant("steer" as const),
      text: fc.oneof({ weight: 9, arbitrary: filledText }, { weight: 1, arbitrary: text }),
      run: fc.oneof(
        { weight: 9, arbitrary: fc.constant("current" as const) },
        { weight: 1, arbitrary: fc.constant("other" as const) },
      ),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("cancel" as const), drainMs }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("close" as const), drainMs }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("catalog" as const), catalog }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("settings" as const), settings }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("repeat" as const), pick }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("stray" as const),
      pick,
      fault: fc.constantFrom("effect" as const, "turn" as const, "kind" as const),
      answers,
    }),
  },
);

/** About forty moves; without `size` fast-check would make most lists short. */
export const moves = (minLength = 20, maxLength = 60): fc.Arbitrary<readonly Move[]> =>
  fc.array(move, { minLength, maxLength, size: "max" });
