import * as O from "fp-ts/lib/Option.js";
import { expect, test } from "vitest";
import { defaultShellLimits } from "../../../src/core/policy.js";
import { staticCredential } from "../../../src/shell/model/credential.js";
import { createModelPort } from "../../../src/shell/model/port.js";
import type { Phase } from "../../../src/shell/model/attempt.js";
import { dialect, request, user } from "../providers/fixtures.js";

/** What is told when every try ran out of time in this phase, with this many milliseconds for it. */
const told = async (phase: Phase, ms: number): Promise<string> => {
  const port = createModelPort({
    title: "Test",
    dialects: { dialectFor: () => dialect("openai"), demandsUpgrade: () => false },
    credential: staticCredential({ kind: "none" }),
    send: () => Promise.resolve(() => Promise.resolve({ kind: "timedOut", phase, ms })),
    limits: { ...defaultShellLimits, llmAttempts: 1 },
    clock: { now: () => 0, sleep: () => Promise.resolve() },
    random: () => 0,
    log: () => undefined,
    redact: (text) => text,
  });
  const answer = await port.call(request([user("a")]), new AbortController().signal, () => undefined);
  expect(answer).toMatchObject({ kind: "failed", failure: { kind: "timeout", status: O.none } });
  return answer.kind === "failed" ? answer.failure.message : "";
};

test.each([
  ["connect", 10_000, "no connection within 10s", false],
  ["headers", 240_000, "no response within 240s", true],
  ["headers", 600_000, "no response within 600s", true],
  ["body", 240_000, "the response did not complete within 240s", true],
  ["body", 480_000, "the response did not complete within 480s", true],
] as const)("a timeout in phase %s after %i ms says: %s", async (phase, ms, text, namesVariable) => {
  const message = await told(phase, ms);
  expect(message).toContain(text);
  // Connecting takes as long as it takes: the variable would not help.
  expect(message.includes("BUZZ_AGENT_LLM_TIMEOUT_SECS")).toBe(namesVariable);
});
