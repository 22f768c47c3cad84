/** Sessions to begin with: budgets so small that a run of forty events spends them. */
import * as fc from "fast-check";
import { defaultPolicy, initialSession, type Policy, type Session } from "../../core/index.js";
import { settings } from "./model.js";

export const policy: fc.Arbitrary<Policy> = fc
  .record({
    maxRounds: fc.constantFrom(0, 0, 1, 3, 6),
    maxTurnTokens: fc.constantFrom(0, 0, 0, 6000),
    maxHandoffs: fc.integer({ min: 0, max: 3 }),
    overflowBudgetBytesMin: fc.constantFrom(1024, 4096),
    stopMaxRejections: fc.integer({ min: 0, max: 3 }),
    maxToolCallsPerReply: fc.constantFrom(2, 4, 64),
    maxParallelTools: fc.integer({ min: 1, max: 3 }),
    maxHistoryBytes: fc.constantFrom(2_000, 20_000, 1_048_576),
    maxSteersWaiting: fc.constantFrom(2, 32),
    toolResultTextBytesMax: fc.constantFrom(1_024, 51_200),
    permissions: fc.constantFrom("never", "writes", "always"),
    requireReply: fc.boolean(),
  })
  .map((chosen) => ({ ...defaultPolicy, ...chosen }));

export const session: fc.Arbitrary<Session> = fc
  .record({ policy, settings })
  .map((chosen) => initialSession({ id: "s1", system: "You are a test.", ...chosen }));
